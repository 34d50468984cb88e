import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach } from 'vitest';

import type { SessionReader } from '../../src/store/reader.ts';
import { openRoot, type SessionFile, type SessionRoot } from '../../src/store/roots.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import type { Disk } from '../../src/disk/disk.ts';

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new empty folder; it is gone after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'stemma-store-')));
  made.push(folder);
  return folder;
}

/** Writes files with the folders above them. */
export function writeFiles(base: string, files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(base, name)), { recursive: true });
    writeFileSync(path.join(base, name), content);
  }
}

/** A memory disk with one session file. */
export function memoryWith(content: string | Uint8Array, at = '/sessions/one.jsonl'): MemoryDisk {
  const disk = new MemoryDisk();
  put(disk, content, at);
  return disk;
}

export function put(disk: MemoryDisk, content: string | Uint8Array, at = '/sessions/one.jsonl'): void {
  disk.writeFile(at, typeof content === 'string' ? new TextEncoder().encode(content) : content.slice());
}

/** Appends to a file of a disk. */
export function append(disk: Disk, text: string, at = '/sessions/one.jsonl'): void {
  const file = disk.openSync(at, 'append');
  const bytes = new TextEncoder().encode(text);
  file.writeSync(bytes, 0, bytes.length, null);
  file.closeSync();
}

export async function onlySession(disk: Disk, root = '/sessions'): Promise<{ root: SessionRoot; file: SessionFile }> {
  const opened = await openRoot({ path: root }, disk);
  const { sessions } = await opened.scan();
  if (sessions.length !== 1) throw new Error(`${String(sessions.length)} sessions instead of one`);
  return { root: opened, file: sessions[0]! };
}

/** A reader of the only session below `/sessions`, decoded. */
export async function readerOf(disk: Disk): Promise<SessionReader> {
  const { root, file } = await onlySession(disk);
  const reader = root.openReader(file);
  await reader.ready;
  return reader;
}
