import { readSpanSync, type Disk, type DiskFile, type DiskStat } from '../disk/disk.ts';
import { isAbsent } from './names.ts';

/** Enough of a file's last bytes to know them again: the ids of an entry stand in a line's first 256 bytes, its end is rarely alike. */
export const TAIL_BYTES = 256;

/** What was last seen of a file, by which a change is known. */
export interface Seen {
  dev: bigint;
  ino: bigint;
  /** Bytes that are known. */
  size: number;
  /** Null: not known, because we wrote since. */
  mtimeNs: bigint | null;
  /** The last bytes before `size`, at most `TAIL_BYTES`. */
  tail: Uint8Array;
}

/**
 * What became of a file. touched: same size and end, another time (a title in place, say). grown: something follows what
 * was known. replaced: another file, or another content. shrunk: the same file, fewer bytes. gone: no file by that name.
 */
export type FileChange = 'none' | 'touched' | 'grown' | 'replaced' | 'shrunk' | 'gone';

/** Remembers an open file, which must be readable. @param size how many of its bytes are known; all by default */
export function see(file: DiskFile, size?: number): Seen {
  const stat = file.statSync();
  const known = Math.min(size ?? stat.size, stat.size);
  const length = Math.min(TAIL_BYTES, known);
  const tail = readSpanSync(file, known - length, length);
  return { dev: stat.dev, ino: stat.ino, size: known, mtimeNs: known === stat.size ? stat.mtimeNs : null, tail };
}

/** Remembers a file as it is now. @throws ENOENT */
export function seePath(disk: Disk, path: string): Seen {
  return reading(disk, path, (file) => see(file));
}

/**
 * Compares a file with what was seen of it: one stat, and only where that does not settle it a look at the end.
 * `stat` is what was found, null where it is gone.
 */
export function changeSince(disk: Disk, path: string, seen: Seen): { change: FileChange; stat: DiskStat | null } {
  let stat: DiskStat;
  try {
    stat = disk.statSync(path);
  } catch (error) {
    if (isAbsent(error)) return { change: 'gone', stat: null };
    throw error;
  }
  if (stat.dev !== seen.dev || stat.ino !== seen.ino) return { change: 'replaced', stat };
  if (stat.size < seen.size) return { change: 'shrunk', stat };
  if (stat.size === seen.size && stat.mtimeNs === seen.mtimeNs) return { change: 'none', stat };
  if (!hasTail(disk, path, seen)) return { change: 'replaced', stat };
  if (stat.size > seen.size) return { change: 'grown', stat };
  return { change: seen.mtimeNs === null ? 'none' : 'touched', stat };
}

function hasTail(disk: Disk, path: string, { ino, size, tail }: Seen): boolean {
  try {
    return reading(disk, path, (file) => {
      if (file.statSync().ino !== ino) return false;
      return sameBytes(readSpanSync(file, size - tail.length, tail.length), tail);
    });
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

function reading<T>(disk: Disk, path: string, work: (file: DiskFile) => T): T {
  const file = disk.openSync(path, 'read');
  try {
    return work(file);
  } finally {
    file.closeSync();
  }
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && Buffer.compare(one, other) === 0;
}
