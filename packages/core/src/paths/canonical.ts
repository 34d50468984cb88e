import { homedir, tmpdir } from 'node:os';
import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import type { PathFacts } from '../shapes/buckets.ts';

/** The facts of this computer, as they are named: links are not followed. */
export function machineFacts(): PathFacts {
  return { home: homedir(), temp: tmpdir(), windows: process.platform === 'win32' };
}

/** The absolute path without links, so that all names of a folder are one; the absolute path where it cannot be followed. */
export function canonicalPath(at: string, disk: Disk): string {
  const resolved = path.resolve(at);
  try {
    return disk.realpathSync(resolved);
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return resolved;
  }
}

/** The same facts without links. */
export function canonicalFacts({ home, temp, windows }: PathFacts, disk: Disk): PathFacts {
  return { home: canonicalPath(home, disk), temp: canonicalPath(temp, disk), windows };
}
