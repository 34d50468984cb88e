import { diskCode, type DiskFile } from '../disk/disk.ts';

/** Closes a file that was only read: what the disk says to that changes nothing. */
export function letGo(file: DiskFile): void {
  try {
    file.closeSync();
  } catch (error) {
    if (diskCode(error) === null) throw error;
  }
}
