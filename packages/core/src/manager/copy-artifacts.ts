import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import { AtomicReplace } from '../storage/atomic-replace.ts';
import { spanChunks } from '../storage/beside.ts';
import { isAbsent, PRIVATE_FOLDER } from '../storage/names.ts';

/**
 * Copies a folder with all that is in it, links left out. What is there already at the destination stays as it is. A missing
 * folder has nothing. Errors are the platform's.
 */
export function copyFolder(disk: Disk, from: string, to: string): void {
  const waiting = [''];
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    const source = path.join(from, inner);
    for (const { name, kind } of entriesOf(disk, source)) {
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
