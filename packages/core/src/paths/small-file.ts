import * as path from 'node:path';

import { readSpanSync, type Disk } from '../disk/disk.ts';
import { AtomicReplace } from '../storage/atomic-replace.ts';
import { isAbsent, PRIVATE_FOLDER } from '../storage/names.ts';

/** More than any file of ours of this kind has. Bytes. */
const MAX_BYTES = 64 * 1024;

/** The text of a small file; null when there is none. Of a longer one its beginning. Errors are the platform's. */
export function readSmallFile(disk: Disk, at: string): string | null {
  try {
    const file = disk.openNoFollowSync(at);
    try {
      return new TextDecoder().decode(readSpanSync(file, 0, MAX_BYTES));
    } finally {
      file.closeSync();
    }
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** Readers see the old text or the new one. Makes the folder. Errors are the platform's. */
export function writeSmallFile(disk: Disk, at: string, text: string): void {
  disk.mkdirSync(path.dirname(at), PRIVATE_FOLDER);
  const replace = new AtomicReplace(disk, at);
  replace.write(new TextEncoder().encode(text));
  replace.commit();
}

/** False: there was none. Errors are the platform's. */
export function removeSmallFile(disk: Disk, at: string): boolean {
  try {
    disk.unlinkSync(at);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}
