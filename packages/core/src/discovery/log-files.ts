import * as path from 'node:path';

import { answerLater, type Asking } from '../asking.ts';
import { ZstdDisk } from '../codec/zstd/zstd-disk.ts';
import { diskCode, type Disk, type DiskEntry } from '../disk/disk.ts';
import { isProjectKey } from '../shapes/projects.ts';
import { logIn } from '../store/project-sessions.ts';

export const FILE_ENDING = '.jsonl';
const COMPRESSED_ENDING = '.jsonl.zstd';

/** The session files directly in a folder. */
export function flatFiles(folder: string, entries: readonly DiskEntry[]): string[] {
  return entries
    .filter(({ name, kind }) => kind === 'file' && (name.endsWith(FILE_ENDING) || name.endsWith(COMPRESSED_ENDING)))
    .map(({ name }) => path.join(folder, name));
}

/** As `flatFiles`; of a project directory also the logs in the directories of its sessions. */
export function* sessionFilesOf(disk: Disk, folder: string, entries: readonly DiskEntry[]): Asking<string[]> {
  const files = flatFiles(folder, entries);
  if (!isProjectKey(path.basename(folder))) return files;
  const places = placesOn(disk);
  const beside = new Set(files);
  for (const { name, kind } of entries) {
    const inner = path.join(folder, name);
    // The folder of a session file has what belongs to that.
    if (kind !== 'directory' || beside.has(inner + FILE_ENDING)) continue;
    const log = yield* logIn(places, inner);
    if (log !== null) files.push(log);
  }
  return files;
}

/** The log of a session's directory; any other path as it is. */
export async function logFileAt(disk: Disk, at: string): Promise<string> {
  try {
    if ((await disk.stat(at)).kind !== 'directory') return at;
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return at;
  }
  return (await answerLater(logIn(placesOn(disk), at))) ?? at;
}

function placesOn(disk: Disk): { disk: Disk; stored: Disk } {
  return { disk: new ZstdDisk(disk), stored: disk };
}
