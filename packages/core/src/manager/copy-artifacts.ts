import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import { AtomicReplace } from '../storage/atomic-replace.ts';
import { spanChunks } from '../storage/beside.ts';
import { isAbsent, PRIVATE_FOLDER } from '../storage/names.ts';
import type { SessionHandle } from '../store/session-store.ts';

/** The session's own files in a directory that it owns: its log, and what belongs to that. */
const OWN_FILES = /^\.{0,2}session(\.v[1-9][0-9]*)?\.jsonl|^session\.lock$/;
const BLOBS = 'blobs';

/** Of a session handle. */
type Place = Pick<SessionHandle, 'path' | 'artifactsDir'>;

/**
 * Copies what belongs to a session, links left out. What is there already at the destination stays as it is. A missing
 * folder has nothing. Where the folder is the session's own directory its log is not copied, and into a folder that is not
 * neither are its blobs: they lie elsewhere there. Errors are the platform's.
 */
export function copyArtifacts(disk: Disk, from: Place, to: Place): void {
  if (from.artifactsDir === null || to.artifactsDir === null) return;
  const [isFromOwn, isToOwn] = [isOwn(from), isOwn(to)];
  const isLeftOut = (name: string): boolean =>
    ((isFromOwn || isToOwn) && OWN_FILES.test(name)) || (isFromOwn && !isToOwn && name === BLOBS);
  copyFolder(disk, from.artifactsDir, to.artifactsDir, isLeftOut);
}

function isOwn({ path: file, artifactsDir }: Place): boolean {
  return file !== null && artifactsDir === path.dirname(file);
}

/** @param isLeftOut asked for what lies directly in the folder */
function copyFolder(disk: Disk, from: string, to: string, isLeftOut: (name: string) => boolean): void {
  const waiting = [''];
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    const source = path.join(from, inner);
    for (const { name, kind } of entriesOf(disk, source)) {
      if (inner === '' && isLeftOut(name)) continue;
      const target = path.join(to, inner, name);
      if (kind === 'directory') waiting.push(path.join(inner, name));
      else if (kind === 'file') {
        disk.mkdirSync(path.dirname(target), PRIVATE_FOLDER);
        copyFile(disk, path.join(source, name), target);
      }
    }
  }
}

function entriesOf(disk: Disk, folder: string): ReturnType<Disk['readdirSync']> {
  try {
    return disk.readdirSync(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function copyFile(disk: Disk, from: string, to: string): void {
  const source = disk.openSync(from, 'read');
  try {
    const copy = new AtomicReplace(disk, to);
    for (const chunk of spanChunks(source, 0, source.statSync().size)) copy.write(chunk);
    copy.commitNew();
  } catch (error) {
    if (diskCode(error) !== 'EEXIST') throw error;
  } finally {
    source.closeSync();
  }
}
