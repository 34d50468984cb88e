import { createHash, type Hash } from 'node:crypto';

import { diskCode, type Disk, type DiskFile } from '../disk/disk.ts';
import { AtomicReplace, type ReplaceOptions } from './atomic-replace.ts';
import { isAbsent, sha256, siblingPath } from './names.ts';

/** Why bytes are kept: the whole file before its first rewrite; what was no session; a torn end that was cut off. */
export type KeptKind = 'before' | 'damaged' | 'tail';

/** How much of a file is in memory at once. Bytes. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** Digits of the hash in a name; more where another content has that name. */
const SHORT = 8;
const LONG = 64;

/** `<name>.<kind>-<first hex digits of the SHA-256 of what is kept>` */
function keptPath(file: string, kind: KeptKind, hash: string, digits: number): string {
  return siblingPath(file, (base) => `${base}.${kind}-${hash.slice(0, digits)}`);
}

/**
 * Keeps a whole file beside itself, as a second name for it where the disk can, else as a copy. Right when the file is
 * about to be replaced by another: a second name follows what is still written to the file itself.
 * @returns where it lies; the same content is kept once
 */
export function keepFile(disk: Disk, file: string, kind: KeptKind, options: ReplaceOptions = {}): string {
  const { hash, size } = hashFile(disk, file);
  return keep(disk, file, kind, hash, size, (to) => {
    try {
      disk.linkSync(file, to);
    } catch (error) {
      if (diskCode(error) === null || diskCode(error) === 'EEXIST' || isAbsent(error)) throw error;
      copyTo(disk, file, to, options);
    }
  });
}

/** Moves a file away under the name of what is kept. @returns where it lies */
export function moveBeside(disk: Disk, file: string, kind: KeptKind): string {
  const { hash, size } = hashFile(disk, file);
  const kept = keep(disk, file, kind, hash, size, (to) => disk.renameSync(file, to));
  // The same content had been kept before: then this one may go.
  if (isThere(disk, file)) disk.unlinkSync(file);
  return kept;
}

/** Keeps bytes of a file beside it. @returns where they lie */
export function keepBytes(disk: Disk, file: string, kind: KeptKind, bytes: Uint8Array, options: ReplaceOptions = {}): string {
  return keep(disk, file, kind, sha256(bytes), bytes.length, (to) => {
    const copy = new AtomicReplace(disk, to, options);
    copy.write(bytes);
    copy.commitNew();
  });
}

/** Bytes `from … to` of a file, in pieces that are valid until the next one. Fewer where it ends. */
export function* spanChunks(file: DiskFile, from: number, to: number): Generator<Uint8Array> {
  const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(0, to - from)));
  for (let at = from; at < to;) {
    const got = file.readSync(buffer, 0, Math.min(buffer.length, to - at), at);
    if (got === 0) return;
    yield buffer.subarray(0, got);
    at += got;
  }
}

function keep(disk: Disk, file: string, kind: KeptKind, hash: string, size: number, put: (to: string) => void): string {
  const short = keptPath(file, kind, hash, SHORT);
  const taken = sizeOf(disk, short);
  if (taken === size) return short;
  const to = taken === null ? short : keptPath(file, kind, hash, LONG);
  try {
    put(to);
  } catch (error) {
    // The same content, by somebody who was faster.
    if (diskCode(error) !== 'EEXIST') throw error;
  }
  return to;
}

function hashFile(disk: Disk, file: string): { hash: string; size: number } {
  const hash: Hash = createHash('sha256');
  let size = 0;
  using(disk, file, (open) => {
    for (const chunk of spanChunks(open, 0, Number.POSITIVE_INFINITY)) {
      hash.update(chunk);
      size += chunk.length;
    }
  });
  return { hash: hash.digest('hex'), size };
}

function copyTo(disk: Disk, file: string, to: string, options: ReplaceOptions): void {
  using(disk, file, (open) => {
    const copy = new AtomicReplace(disk, to, options);
    try {
      for (const chunk of spanChunks(open, 0, Number.POSITIVE_INFINITY)) copy.write(chunk);
      copy.commitNew();
    } finally {
      copy.abort();
    }
  });
}

function using(disk: Disk, file: string, work: (open: DiskFile) => void): void {
  const open = disk.openSync(file, 'read');
  try {
    work(open);
  } finally {
    open.closeSync();
  }
}

function sizeOf(disk: Disk, file: string): number | null {
  try {
    return disk.lstatSync(file).size;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

function isThere(disk: Disk, file: string): boolean {
  return sizeOf(disk, file) !== null;
}
