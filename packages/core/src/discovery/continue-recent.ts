import * as path from 'node:path';

import { answerNow } from '../asking.ts';
import { diskCode, type Disk } from '../disk/disk.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { chooseRecent, type CrumbTarget, type RecentChoice, type RecentFacts } from './choose-recent.ts';
import type { Breadcrumb } from '../paths/breadcrumbs.ts';
import { canonicalPath } from '../paths/canonical.ts';
import { FILE_ENDING, sessionFilesOf } from './log-files.ts';
import { placeFacts, projectFolders, projectTest, realCwd, type AgentPlace } from './places.ts';
import { readHeaderSync } from './read-info.ts';

/** Sub-sessions of sub-sessions … lie this deep at most. */
const MAX_CLIMB = 8;

/**
 * Looks at what `chooseRecent` must know, and chooses. Synchronous; writes nothing; reads beginnings of files, the last
 * written first, until one is this project's.
 *
 * @param sessionDir only sessions in this folder; by default the project's buckets
 * @throws what the disk says when a folder is there and cannot be read
 */
export function findRecent(
  disk: Disk,
  cwd: string,
  breadcrumb: Breadcrumb | null,
  sessionDir?: string,
  place: AgentPlace = {},
): RecentChoice {
  return chooseRecent(recentFacts(disk, cwd, breadcrumb, sessionDir, place));
}

function recentFacts(
  disk: Disk,
  cwd: string,
  given: Breadcrumb | null,
  sessionDir: string | undefined,
  place: AgentPlace,
): RecentFacts {
  const { windows } = placeFacts(place);
  const crumb = given === null || !isFor(given, sessionDir) ? null : given;
  const folders = sessionDir === undefined ? projectFolders(disk, cwd, place) : [sessionDir];
  const resolved = path.resolve(cwd);
  return {
    cwd: canonicalPath(resolved, disk),
    windows,
    identity: identityOf(disk, resolved),
    breadcrumb: crumb === null ? null : { ...crumb, cwd: realCwd(disk, crumb.cwd) },
    isFileMissing: crumb !== null && isGone(disk, crumb.sessionFile),
    target: crumb === null ? null : targetOf(disk, crumb.sessionFile),
    crumbCwdExists: crumb !== null && !isGone(disk, crumb.cwd),
    newestHere: newestOf(disk, folders, projectTest(disk, cwd, windows)),
  };
}

/** A breadcrumb counts in a folder when its file lies there, or in another bucket beside it. */
function isFor({ sessionFile }: Breadcrumb, sessionDir: string | undefined): boolean {
  if (sessionDir === undefined) return true;
  const wanted = path.resolve(sessionDir);
  const base = path.dirname(wanted);
  const folders: string[] = [];
  for (let at = path.dirname(path.resolve(sessionFile)); folders.length <= MAX_CLIMB; at = path.dirname(at)) folders.push(at);
  return folders.includes(wanted) || (path.basename(base) === 'sessions' && folders.includes(base));
}

/** The session that a file is, or belongs to; null without a valid header. */
function targetOf(disk: Disk, file: string): CrumbTarget | null {
  const session = climb(disk, path.resolve(file));
  const header = headerAt(disk, session);
  if (header === null) return null;
  const cwd = typeof header.cwd === 'string' ? header.cwd : '';
  return { path: session, cwd: realCwd(disk, cwd), cwdExists: cwd !== '' && !isGone(disk, cwd) };
}

/** From a file in the folder of another session's artifacts up to that session. */
function climb(disk: Disk, file: string): string {
  let at = file;
  for (let step = 0; step < MAX_CLIMB; step++) {
    const parent = path.dirname(at) + FILE_ENDING;
    if (quietly(() => disk.statSync(parent).kind) !== 'file') break;
    at = parent;
  }
  return at;
}

function newestOf(disk: Disk, folders: readonly string[], isProject: (cwd: string) => boolean): string | null {
  const files = folders.flatMap((folder) => filesOf(disk, folder));
  files.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? 1 : -1));
  for (const file of files) {
    const cwd = headerAt(disk, file.path)?.cwd;
    if (typeof cwd === 'string' && isProject(cwd)) return file.path;
  }
  return null;
}

function filesOf(disk: Disk, folder: string): { path: string; mtimeMs: number }[] {
  if (isGone(disk, folder)) return [];
  return answerNow(sessionFilesOf(disk, folder, disk.readdirSync(folder))).flatMap((at) => {
    const mtimeMs = quietly(() => disk.statSync(at).mtimeMs);
    return mtimeMs === null ? [] : [{ path: at, mtimeMs }];
  });
}

/** null: no session, or not to be read; another one may be. */
function headerAt(disk: Disk, at: string): SessionHeader | null {
  return quietly(() => (disk.statSync(at).kind === 'file' ? readHeaderSync(disk, at) : null));
}

function identityOf(disk: Disk, at: string): Breadcrumb['identity'] {
  return quietly(() => disk.statSync(at));
}

/** What is there and cannot be looked at, an unmounted drive say, is not gone. */
function isGone(disk: Disk, at: string): boolean {
  try {
    disk.statSync(at);
    return false;
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return GONE.has(diskCode(error)!);
  }
}

const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** null where the disk refuses. */
function quietly<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return null;
  }
}
