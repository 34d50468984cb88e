import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Disk } from '../../src/disk/disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';

export interface Place {
  disk: Disk;
  /** An empty folder. */
  base: string;
  dispose(): void;
}

/** A folder of the real disk. */
export function onDisk(): Place {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'stemma-storage-')));
  return { disk: new NodeDisk(), base, dispose: () => rmSync(base, { recursive: true, force: true }) };
}

export function inMemory(): Place {
  const disk = new MemoryDisk(Date.now);
  disk.mkdirSync('/base');
  return { disk, base: '/base', dispose: () => undefined };
}

/** Both kinds, for `describe.each`. */
export const PLACES = [
  ['on disk', onDisk],
  ['in memory', inMemory],
] as const;
