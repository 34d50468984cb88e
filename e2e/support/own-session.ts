import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { Command } from './command.ts';
import type { SessionFile } from './session-file.ts';
import { test as base } from './test.ts';

/** A session on a server of its own, so that its file can be written while a page shows it. */
export class OwnSession {
  readonly #command = new Command();
  readonly #file: string;
  #written = '';

  constructor() {
    const folder = path.join(this.#command.home, 'agent/sessions/--w--');
    mkdirSync(folder, { recursive: true });
    this.#file = path.join(folder, 'own.jsonl');
  }

  /** Writes the session and serves it. Answers the address of its page. */
  async serve(content: SessionFile | string): Promise<string> {
    this.replace(content);
    const root = path.join(this.#command.home, 'agent');
    const address = await this.#command.start('--no-open', '--port', '0', '--root', root).address();
    const { items } = (await (await fetch(`${address}/api/sessions`)).json()) as { items: { key: string }[] };
    return `${address}/s/${encodeURIComponent(items[0]?.key ?? '')}`;
  }

  /** Appends what the session has more than was written, as its agent does. */
  append(content: SessionFile): void {
    const text = content.toString();
    if (!text.startsWith(this.#written)) throw new Error('The session does not go on where its file ends.');
    appendFileSync(this.#file, text.slice(this.#written.length));
    this.#written = text;
  }

  /** Puts another file in its place, as a rewriting agent does. */
  replace(content: SessionFile | string): void {
    this.#written = content.toString();
    writeFileSync(`${this.#file}.new`, this.#written);
    renameSync(`${this.#file}.new`, this.#file);
  }

  end(): Promise<void> {
    return this.#command.end();
  }
}

/** The test with a session of its own. Its page is closed before its server: a page that asks in vain complains. */
export const test = base.extend<{ own: OwnSession }>({
  own: async ({ page }, use) => {
    const own = new OwnSession();
    await use(own);
    await page.close();
    await own.end();
  },
});
