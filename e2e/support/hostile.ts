import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { expect, type Page } from '@playwright/test';

const WRITER = path.resolve(import.meta.dirname, '../../packages/core/test/hostile/write.ts');

/** Writes inputs by their names into an agent folder: `sessions/--w--/0.jsonl`, `1.jsonl`, … */
export function writeHostile(folder: string, names: readonly string[]): void {
  execFileSync(process.execPath, ['--import', 'tsx', WRITER, folder, ...names], { cwd: path.resolve(import.meta.dirname, '..') });
}

/** What must never happen on a page, whatever a session holds. */
export interface Watched {
  dialogs: string[];
  foreign: string[];
}

/** Collects dialogs, and requests that leave the server at `origin`. */
export function watch(page: Page, origin: string): Watched {
  const watched: Watched = { dialogs: [], foreign: [] };
  page.on('dialog', (dialog) => {
    watched.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith('http') && asked !== origin) watched.foreign.push(request.url());
  });
  return watched;
}

/** Nothing out of a session has become code or a way to it. */
export async function expectInert(page: Page, watched: Watched): Promise<void> {
  const found = await page.evaluate(() => {
    const bad: string[] = [];
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        const isAddress = ['href', 'src', 'action', 'formaction', 'srcdoc', 'xlink:href', 'data'].includes(name);
        const isAway = /^\s*(?:javascript|vbscript|data:text|data:image\/svg)/i.test(value);
        if (name.startsWith('on') || name === 'srcdoc' || (isAddress && isAway))
          bad.push(`${element.tagName} ${name}=${value.slice(0, 80)}`);
      }
      const isOwn =
        element instanceof HTMLScriptElement &&
        new URL(element.src, location.href).origin === location.origin &&
        element.text === '';
      if (element instanceof HTMLScriptElement && !isOwn) bad.push(`script ${element.src}`);
      if (/^(?:iframe|object|embed|base|form|meta)$/i.test(element.tagName) && element.closest('head') === null)
        bad.push(element.tagName);
      if (element instanceof HTMLImageElement && !/^(?:blob:|data:image\/(?!svg))/.test(element.src))
        bad.push(`img ${element.src}`);
    }
    return { bad, ran: '__xss' in window };
  });
  expect(found).toEqual({ bad: [], ran: false });
  expect(watched).toEqual({ dialogs: [], foreign: [] });
}

/** Waits until the page has drawn twice. A page that hangs does not come to it in the time that a test has. */
export async function drawsAgain(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
}
