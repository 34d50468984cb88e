import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import { baseOf, isAbsent, removeIfPossible } from './names.ts';

const HEX_16 = /^[0-9a-f]{16}$/;
const HASH = /^([0-9a-f]{8}|[0-9a-f]{64})$/;

/** What lies beside a session file and belongs to it. Full paths. */
export interface Leftovers {
  /** `<name>.<16 hex digits>.bak`: an old content that was moved aside to be replaced. */
  backups: string[];
  /** `.<name>.<16 hex digits>.tmp`: a new content that was not finished, or is being written. */
  temps: string[];
  /** `<name>.before-<hash>`, `<name>.tail-<hash>`: copies that were kept of it. */
  copies: string[];
}

/** Looks for them; a folder that is not there has none. Names that merely look alike are nobody's business. */
export function leftoversOf(disk: Disk, file: string): Leftovers {
  const folder = path.dirname(file);
  const base = baseOf(file);
  const found: Leftovers = { backups: [], temps: [], copies: [] };
  for (const name of fileNames(disk, folder)) {
    const full = path.join(folder, name);
    if (isBetween(name, `${base}.`, '.bak', HEX_16)) found.backups.push(full);
    else if (isBetween(name, `.${base}.`, '.tmp', HEX_16) || isBetween(name, `..${base}.owner.`, '.tmp', HEX_16))
      found.temps.push(full);
    else if (isBetween(name, `${base}.before-`, '', HASH) || isBetween(name, `${base}.tail-`, '', HASH)) found.copies.push(full);
  }
  return found;
}

/**
 * Gives a file back the content that was moved aside when a process was killed while it replaced it: the newest backup
 * takes the name, where nothing has that name. For who opens it for writing; looking restores nothing.
 * @returns whether there was one
 */
export function restoreBackup(disk: Disk, file: string): boolean {
  const newest = newestFirst(disk, leftoversOf(disk, file).backups)[0];
  if (newest === undefined || isThere(disk, file)) return false;
  try {
    disk.linkSync(newest, file);
  } catch (error) {
    const code = diskCode(error);
    if (code === 'EEXIST') return false;
    if (code === null || isAbsent(error)) throw error;
    disk.renameSync(newest, file);
    return true;
  }
  removeIfPossible(disk, newest);
  return true;
}

/** Removes unfinished new contents that were last written before a time (epoch ms): nobody is writing them any more. For who owns the file. */
export function sweepTemps(disk: Disk, file: string, before: number): void {
  for (const temp of leftoversOf(disk, file).temps) {
    if ((timeOf(disk, temp) ?? before) < before) removeIfPossible(disk, temp);
  }
}

function isBetween(name: string, start: string, end: string, middle: RegExp): boolean {
  if (name.length <= start.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return false;
  return middle.test(name.slice(start.length, name.length - end.length));
}

function fileNames(disk: Disk, folder: string): string[] {
  try {
    return disk.readdirSync(folder).flatMap(({ name, kind }) => (kind === 'file' ? [name] : []));
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function newestFirst(disk: Disk, files: readonly string[]): string[] {
  const times = new Map(files.map((file) => [file, timeOf(disk, file) ?? 0]));
  return [...files].sort((a, b) => times.get(b)! - times.get(a)!);
}

function isThere(disk: Disk, file: string): boolean {
  return timeOf(disk, file) !== null;
}

/** Epoch ms; null where there is nothing by that name. */
function timeOf(disk: Disk, file: string): number | null {
  try {
    return disk.lstatSync(file).mtimeMs;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}
