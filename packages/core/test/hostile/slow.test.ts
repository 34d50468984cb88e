import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

import { openRoot, type SessionReader } from '../../src/index.ts';
import { temporaryFolder, writeFiles } from '../store/node-fixture.ts';
import { HEADER, user } from './lines.ts';

const MB = 1024 * 1024;

/** A header, an entry, an entry of `megabytes` on one line, an entry. Written piece by piece: no text is that long. */
function writeLongLine(file: string, megabytes: number): void {
  const [before, after] = JSON.stringify(user(2, 1, '@')).split('@') as [string, string];
  const fd = openSync(file, 'w');
  writeSync(fd, `${JSON.stringify(HEADER)}\n${JSON.stringify(user(1, null, 'first'))}\n${before}`);
  const piece = new Uint8Array(MB).fill(120);
  for (let i = 0; i < megabytes; i++) writeSync(fd, piece);
  writeSync(fd, `${after}\n${JSON.stringify(user(3, 1, 'last'))}\n`);
  closeSync(fd);
}

async function opened(megabytes: number): Promise<{ reader: SessionReader; grown: number; ms: number }> {
  const folder = temporaryFolder();
  writeFiles(folder, { 'sessions/--w--/small.jsonl': '' });
  const file = path.join(folder, 'sessions/--w--/long.jsonl');
  writeLongLine(file, megabytes);
  const root = await openRoot({ path: folder });
  const found = (await root.scan()).sessions.find((session) => session.path === file)!;
  const start = performance.now();
  const memory = process.memoryUsage().rss;
  const summary = await root.summarise(found);
  expect([summary.id, summary.title]).toEqual(['s1', null]);
  const reader = root.openReader(found);
  await reader.ready;
  expect(reader.progress.bytes).toBe(statSync(file).size);
  return { reader, grown: process.memoryUsage().rss - memory, ms: performance.now() - start };
}

const isSlow = process.env['STEMMA_SLOW_TESTS'] !== undefined;

it.runIf(isSlow)('a line of 300 MB is passed over and named, and the rest is read', { timeout: 120_000 }, async () => {
  const { reader, grown, ms } = await opened(300);
  expect(reader.problems.map(({ code, line }) => `${code}@${String(line)}`)).toEqual(['line_too_long@3']);
  expect([reader.outline.rowCount, reader.outline.title(1)]).toEqual([2, 'last']);
  // As much of the line as is allowed may be held, and no more.
  expect(grown).toBeLessThan(320 * MB);
  expect(ms).toBeLessThan(30_000);
  reader.close();
});

it.runIf(isSlow)('a line of 120 MB is an entry', { timeout: 120_000 }, async () => {
  const { reader } = await opened(120);
  expect(reader.problems).toEqual([]);
  expect(reader.outline.rowCount).toBe(3);
  expect(reader.outline.bytes(1)).toBeGreaterThan(120 * MB);
  reader.close();
});
