import { createHash } from 'node:crypto';
import { cpSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import {
  compressFrame,
  DshSessionStore,
  exportLog,
  loadEntriesFromFile,
  openRoot,
  readSession,
  transcriptPage,
  transcriptView,
  type SessionFile,
  type SessionRoot,
} from '../../src/index.ts';
import { session } from '../../src/testing/index.ts';
import { absent, sharedData } from '../support/shared-data.ts';
import { temporaryFolder, writeFiles } from './node-fixture.ts';

/** Bytes, times and identity of everything below a folder. */
function snapshot(folder: string): string[] {
  const lines: string[] = [];
  const pending = [folder];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const stat = lstatSync(at, { bigint: true });
    const hash = stat.isFile() ? createHash('sha256').update(readFileSync(at)).digest('hex') : 'folder';
    lines.push([path.relative(folder, at), stat.mtimeNs, stat.ctimeNs, stat.ino, stat.size, stat.mode, hash].join(' '));
    if (stat.isDirectory()) for (const name of readdirSync(at)) pending.push(path.join(at, name));
  }
  return lines.sort();
}

/** Everything that can be done to look at a session. */
async function look(root: SessionRoot, file: SessionFile): Promise<void> {
  await root.summarise(file);
  loadEntriesFromFile(file.path);
  await readSession(file.path);
  const reader = root.openReader(file);
  await reader.ready;
  const rows = Array.from({ length: reader.outline.rowCount }, (_, row) => row);
  await reader.load(rows);
  for (const row of rows.slice(-3)) await reader.loadRaw(row);
  const view = transcriptView(reader.outline, reader.outline.leafRow, 'model', reader.shapes);
  await transcriptPage(reader.outline, view, (wanted) => reader.load(wanted), { limit: 60 });
  expect(await reader.refresh()).toBe('same');
  reader.close();
}

async function lookAtAll(folder: string): Promise<number> {
  const root = await openRoot({ path: folder });
  const { sessions } = await root.scan();
  for (const file of sessions) await look(root, file);
  await root.blob('0'.repeat(64));
  return sessions.length;
}

async function expectUntouched(folder: string): Promise<number> {
  const before = snapshot(folder);
  const seen = await lookAtAll(folder);
  expect(snapshot(folder)).toEqual(before);
  return seen;
}

describe('looking changes no byte, no time and no folder', () => {
  it('of old, damaged, torn and empty files', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'sessions/--p--/v1.jsonl': session({ version: undefined }).user('hi', { id: undefined, parentId: undefined }).text(),
      'sessions/--p--/v2.jsonl': session({ version: 2 }).message('hookMessage', { content: 'x' }).text(),
      'sessions/--p--/torn.jsonl': `${session().user('hi').text()}{"type":"mess`,
      'sessions/--p--/headerless.jsonl': session(null).user('hi').text(),
      'sessions/--p--/empty.jsonl': '',
      'sessions/--p--/gone.jsonl.0123456789abcdef.bak': session().text(),
      'blobs/x': 'y',
    });
    expect(await expectUntouched(folder)).toBe(5);
  });

  it('of project directories, compressed ones, torn ones, and of those of DeepSeek Harness', async () => {
    const folder = temporaryFolder();
    const text = session().user('hi').text();
    const frame = compressFrame(new TextEncoder().encode(text));
    const log =
      '{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}\n{"seq":0,"time":1,"type":"turn/start","data":{"turn":1}}\n';
    writeFiles(folder, {
      'ours/--home-ann-app--/session-1/session.jsonl.zstd': frame,
      'ours/--home-ann-app--/session-1/blobs/x': 'y',
      'ours/--home-ann-app--/session-1/task.jsonl': text,
      'ours/--home-ann-app--/torn/session.jsonl.zstd': frame.subarray(0, frame.length - 3),
      'ours/--home-ann-app--/twice/session.jsonl.zstd': frame,
      'ours/--home-ann-app--/twice/session.jsonl': `${text}{"type":"mess`,
      'ours/--home-ann-app--/flat.jsonl.zstd': frame,
      'harness/--home-ann-app--/s/session.jsonl': log,
      'harness/--home-ann-app--/s/session.lock': '',
      'harness/_no-cwd/old/session.v3.jsonl.zstd': compressFrame(new TextEncoder().encode(log)),
      'harness/_no-cwd/empty/session.jsonl.zstd': '',
    });
    const before = snapshot(folder);
    expect(await lookAtAll(path.join(folder, 'ours'))).toBe(5);
    expect(await lookAtAll(path.join(folder, 'harness'))).toBe(3);
    const store = new DshSessionStore({ root: path.join(folder, 'harness') });
    for (const { path: at } of (await store.list()).sessions) {
      const handle = await store.open({ path: at! }, 'read');
      await handle.read();
      for await (const part of exportLog(handle)) expect(part.length).toBeGreaterThan(0);
      await handle.close();
    }
    expect(snapshot(folder)).toEqual(before);
  });

  for (const name of ['pi', 'real-clients']) {
    const data = sharedData(name);
    it.skipIf(data === null)(`of what lies in ${name}${absent(data)}`, { timeout: 30_000 }, async () => {
      const folder = path.join(temporaryFolder(), name);
      cpSync(data!, folder, { recursive: true, preserveTimestamps: true });
      expect(await expectUntouched(folder)).toBeGreaterThan(2);
    });
  }
});
