import * as path from 'node:path';

import { answerLater } from '../asking.ts';
import type { Disk } from '../disk/disk.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { problem, type Problem } from '../problems.ts';
import { logName } from '../shapes/projects.ts';
import { isInPlace } from './project-sessions.ts';

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
  if (!(await answerLater(isInPlace(disk, root, folder, header)))) {
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
