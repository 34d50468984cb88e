import { openRoot } from '@stemma/core';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { buildApp } from '../src/app.ts';
import { createServices } from '../src/create-services.ts';
import { authoritiesOf } from '../src/http/guard.ts';

/** Real session files that lie beside the project where they are used for tests; a clone has none. */
const SHARED = path.resolve(import.meta.dirname, '../../../../shared/data');

/** Every byte, time, mode and name below a folder. */
function snapshot(folder: string): string[] {
  const lines: string[] = [];
  const pending = [folder];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const stat = lstatSync(at, { bigint: true });
    const { mtimeNs, ctimeNs, ino, size, mode, nlink } = stat;
    const names = stat.isDirectory() ? readdirSync(at) : [];
    const content = stat.isFile()
      ? createHash('sha256').update(readFileSync(at)).digest('hex')
      : stat.isSymbolicLink()
        ? readlinkSync(at)
        : names.join('|');
    lines.push([path.relative(folder, at), mtimeNs, ctimeNs, ino, size, mode, nlink, content].map(String).join(' '));
    pending.push(...names.map((name) => path.join(at, name)));
  }
  return lines.sort();
}

/** Folders that can be served: those whose files are sessions, agent folders, and roots of project directories. */
function foldersOf(data: string): string[] {
  const found: string[] = [];
  const pending = [data];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const entries = readdirSync(at, { withFileTypes: true });
    const isAgent = entries.some((entry) => entry.isDirectory() && entry.name === 'sessions');
    const isProjects = entries.some((entry) => entry.isDirectory() && /^--.+--$/.test(entry.name));
    const holdsSessions = entries.some((entry) => entry.isFile() && entry.name.endsWith('.jsonl'));
    if (isAgent || isProjects || holdsSessions) found.push(at);
    else for (const entry of entries) if (entry.isDirectory()) pending.push(path.join(at, entry.name));
  }
  return found;
}

const LISTS = [
  '/api/health',
  '/api/roots',
  '/api/projects',
  '/api/sessions',
  '/api/sessions?q=the&sort=tokens&limit=500',
  '/api/sessions?with=problems',
  `/api/blobs/${'0'.repeat(64)}`,
];
const PARTS = [
  '',
  '/outline',
  '/transcript',
  '/transcript?history=model&limit=500',
  '/context?bodies=1',
  '/context?rules=pi',
  '/context?rules=dsh',
  '/context?system=1',
  '/compactions',
  '/entries/@0',
  '/entries/@0?raw=1',
  '/entries/@0/images/0',
  '/lines/0',
  '/lines/100?raw=1',
];

/** Scans, counts, and asks every route for every session. Answers how many sessions there were, and whose. */
async function look(folder: string): Promise<{ dialect: string; sessions: number }> {
  const root = await openRoot({ path: folder });
  const services = createServices({
    roots: [{ root, demo: false, home: '' }],
    looked: [],
    demo: false,
    version: '0',
    onError: () => undefined,
  });
  const app = await buildApp({ services, authorities: () => authoritiesOf(80), webRoot: '/nowhere' });
  try {
    services.start();
    await services.settled();
    const keys = [...services.library.rows.values()].map((entry) => entry.row.key);
    for (const url of [...LISTS, ...keys.flatMap((key) => PARTS.map((part) => `/api/sessions/${key}${part}`))]) {
      const { statusCode } = await app.inject({ url, headers: { host: 'localhost' } });
      expect([url, [200, 404].includes(statusCode)]).toEqual([url, true]);
    }
    return { dialect: root.dialect, sessions: keys.length };
  } finally {
    services.close();
    await app.close();
  }
}

describe('looking at real sessions', () => {
  it.skipIf(!existsSync(SHARED))('changes no byte, time, mode or folder, whatever is asked', { timeout: 300_000 }, async () => {
    const copy = mkdtempSync(path.join(tmpdir(), 'stemma-untouched-'));
    onTestFinished(() => rmSync(copy, { recursive: true }));
    cpSync(SHARED, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    const before = snapshot(copy);
    const sessions: Record<string, number> = {};
    for (const folder of foldersOf(copy)) {
      const seen = await look(folder);
      sessions[seen.dialect] = (sessions[seen.dialect] ?? 0) + seen.sessions;
    }
    expect(sessions['dsh']).toBeGreaterThan(40);
    expect(sessions['pi']).toBeGreaterThan(1);
    expect(snapshot(copy)).toEqual(before);
  });
});
