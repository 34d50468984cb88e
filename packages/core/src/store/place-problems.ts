import { createHash } from 'node:crypto';
import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { problem, type Problem } from '../problems.ts';
import { logName, projectKey, segmentsOf } from '../shapes/projects.ts';

/**
 * What is wrong with where a session of project directories lies, by its header: the directory is another's, or the name of
 * the log has another version. The header counts.
 *
 * @param file the session's log  @param versioned the names of its logs tell their version
 */
export async function placeProblems(
  disk: Disk,
  root: string,
  file: string,
  header: SessionHeader | null,
  versioned: boolean,
): Promise<Problem[]> {
  const name = logName(path.basename(file));
  const folder = path.dirname(file);
  // What lies elsewhere than in a session's directory is named by the scan.
  if (name === null || header === null || path.dirname(path.dirname(folder)) !== root) return [];
  const problems: Problem[] = [];
  if (!(await isInPlace(disk, root, folder, header))) {
    const message = 'The session lies in a directory that its header does not give.';
    problems.push(problem('misplaced_session', message, { path: file }));
  }
  const { version = 0 } = header;
  if (versioned && version !== name.version) {
    const message = `The log is named as one of version ${String(name.version)}, and its header says ${String(version)}.`;
    problems.push(problem('version_mismatch', message, { path: file }));
  }
  return problems;
}

async function isInPlace(disk: Disk, root: string, folder: string, { id, cwd }: SessionHeader): Promise<boolean> {
  const key = projectKey(cwd);
  if (key === null) return false;
  const expected = segmentsOf(id, sha256).map((segment) => path.join(root, key, segment));
  if (expected.includes(folder)) return true;
  // A link, or a disk that does not tell upper from lower case: it is the same directory under another name.
  for (const at of expected) if (await isSame(disk, at, folder)) return true;
  return false;
}

async function isSame(disk: Disk, one: string, other: string): Promise<boolean> {
  try {
    const [a, b] = [await disk.stat(one), await disk.stat(other)];
    return a.dev === b.dev && a.ino === b.ino;
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return false;
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
