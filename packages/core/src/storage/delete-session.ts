import * as path from 'node:path';

import { diskCode, DiskError, type Disk } from '../disk/disk.ts';
import { leftoversOf } from './leftovers.ts';
import { isAbsent } from './names.ts';

const ENDING = '.jsonl';

/** The folder for what belongs to a session file; null for a name that has none. */
export function artifactsFolder(file: string): string | null {
  return file.endsWith(ENDING) && path.basename(file) !== ENDING ? file.slice(0, -ENDING.length) : null;
}

/**
 * Removes a session for good: first the backups, from which it could come back, then the file, then the copies that were
 * kept of it and the folder of its artifacts. What lay at its place before it (`.damaged-…`) is no part of it and stays.
 * Errors are the platform's: ENOENT where there is no such file; after the file is gone the rest is tried, and the first error thrown.
 */
export function deleteSessionWithArtifacts(disk: Disk, file: string): void {
  deleteSessionFolder(disk, file, artifactsFolder(file));
}

/** As `deleteSessionWithArtifacts`. @param folder all that is in it belongs to the session; it may be the file's own. Null for none */
export function deleteSessionFolder(disk: Disk, file: string, folder: string | null): void {
  for (const backup of leftoversOf(disk, file).backups) unlink(disk, backup);
  disk.unlinkSync(file);
  const errors: unknown[] = [];
  attempt(errors, () => {
    const { backups, temps, copies } = leftoversOf(disk, file);
    for (const left of [...backups, ...temps, ...copies]) attempt(errors, () => unlink(disk, left));
  });
  if (folder !== null) attempt(errors, () => removeArtifacts(disk, folder));
  if (errors.length > 0) throw errors[0];
}

/** The error names the folder, whatever in it cannot be removed. */
function removeArtifacts(disk: Disk, folder: string): void {
  try {
    const kind = disk.lstatSync(folder).kind;
    if (kind === 'directory') removeTree(disk, folder);
    else if (kind === 'link') disk.unlinkSync(folder);
  } catch (error) {
    if (isAbsent(error)) return;
    throw new DiskError(diskCode(error) ?? 'EIO', 'remove the artifacts', folder);
  }
}

/** Removes a folder and all in it. Links are removed, not followed. */
function removeTree(disk: Disk, folder: string): void {
  const folders = [folder];
  for (let i = 0; i < folders.length; i++) {
    for (const { name, kind } of disk.readdirSync(folders[i]!)) {
      const inner = path.join(folders[i]!, name);
      if (kind === 'directory') folders.push(inner);
      else unlink(disk, inner);
    }
  }
  // The inner ones come last.
  for (const inner of folders.reverse()) disk.rmdirSync(inner);
}

/** Gone already is as good. */
function unlink(disk: Disk, file: string): void {
  try {
    disk.unlinkSync(file);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

function attempt(errors: unknown[], work: () => void): void {
  try {
    work();
  } catch (error) {
    errors.push(error);
  }
}
