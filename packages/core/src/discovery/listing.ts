import * as path from 'node:path';

import { diskCode, type Disk, type DiskEntry } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import { answerLater } from '../asking.ts';
import { inParallel } from '../parallel.ts';
import type { SessionStore } from '../store/session-store.ts';
import { FILE_ENDING, flatFiles, sessionFilesOf } from './log-files.ts';
import { problem } from '../problems.ts';
import { placeFacts, projectTest, REAL_DISK, sessionsFolder, type AgentPlace, type StorageDisk } from './places.ts';
import { readInfo, statFile, type ListedFile, type ListedSession } from './read-info.ts';
import { recentSession } from './recent-session.ts';
import type { ListOptions } from './list-options.ts';
import type { RecentSession, SessionInfo } from './session-info.ts';
import { storeSessions } from './store-sessions.ts';

export interface ListAllOptions extends ListOptions, AgentPlace {
  /** The folder with the buckets, instead of the agent's. Files directly in it are listed, too. */
  sessionsDir?: string;
}

/** Files that are looked at at the same time. */
const PARALLEL = 16;

/**
 * The sessions whose files lie directly in a folder, newest first; in a project directory those in its session directories, too. A missing folder has none; files that are no sessions
 * or cannot be read are left out and told to `options.onProblem`. Reads 4 KiB of the beginning (up to 64 KiB where that
 * holds no prompt) and 32 KiB of the end of each file that has changed since it was last listed.
 *
 * @throws `storage_io` when the folder cannot be read, and the signal's reason
 */
export async function listSessions(
  sessionDir: string,
  storage: StorageDisk = REAL_DISK,
  options: ListOptions = {},
): Promise<SessionInfo[]> {
  if (options.store !== undefined) return listStore(options.store, options);
  const { disk } = storage;
  return newestFirst(await readAll(disk, await filesIn(disk, sessionDir), options));
}

/** The sessions of a store, newest first. @throws what the store does */
export async function listStore(store: SessionStore, options: ListOptions): Promise<SessionInfo[]> {
  return newestFirst(await storeSessions(store, options));
}

/** The sessions of all projects: see `listSessions`. Folders of artifacts are no projects. */
export async function listAllSessions(storage: StorageDisk = REAL_DISK, options: ListAllOptions = {}): Promise<SessionInfo[]> {
  if (options.store !== undefined) return listStore(options.store, options);
  const { disk } = storage;
  const base = options.sessionsDir ?? sessionsFolder(options);
  const entries = await entriesOf(disk, base);
  const files = flatFiles(base, entries);
  const names = new Set(entries.map(({ name }) => name));
  const buckets = entries.filter(({ name, kind }) => kind === 'directory' && !names.has(name + FILE_ENDING));
  await inParallel(buckets, PARALLEL, async ({ name }) => {
    const bucket = path.join(base, name);
    try {
      for (const file of await filesIn(disk, bucket)) files.push(file);
    } catch (error) {
      if (!(error instanceof SessionStoreError)) throw error;
      options.onProblem?.(problem('unreadable', error.message, { path: bucket }));
    }
  });
  return newestFirst(await readAll(disk, files, options));
}

/**
 * The path of the session file in a folder that was written last; null without one. Files that are no sessions, and
 * with `options.cwd` those of other projects, do not count.
 */
export async function findMostRecentSession(
  sessionDir: string,
  storage: StorageDisk = REAL_DISK,
  options: ListOptions = {},
): Promise<string | null> {
  for await (const { info } of byTime(sessionDir, storage.disk, options)) return info.path;
  return null;
}

/** The sessions of a folder that were written last, for offering them again. Files that are no sessions do not count. */
export async function getRecentSessions(
  sessionDir: string,
  limit = 4,
  storage: StorageDisk = REAL_DISK,
  options: ListOptions & { now?: number } = {},
): Promise<RecentSession[]> {
  const now = options.now ?? Date.now();
  const recent: RecentSession[] = [];
  if (limit < 1) return recent;
  for await (const session of byTime(sessionDir, storage.disk, options)) {
    recent.push(recentSession(session, now));
    if (recent.length >= limit) break;
  }
  return recent;
}

/** The sessions of a folder or a store, the last written first, for as long as somebody asks. */
async function* byTime(sessionDir: string, disk: Disk, options: ListOptions): AsyncGenerator<ListedSession, void, undefined> {
  const { store } = options;
  if (store === undefined) yield* byFileTime(sessionDir, disk, options);
  else {
    const sessions = await storeSessions(store, options);
    yield* sessions.sort((a, b) => newer(a.mtimeMs, a.info.path, b.mtimeMs, b.info.path));
  }
}

/** Reads the files of a folder one after another, the last written first. */
async function* byFileTime(sessionDir: string, disk: Disk, options: ListOptions): AsyncGenerator<ListedSession, void, undefined> {
  const files: ListedFile[] = [];
  await inParallel(await filesIn(disk, sessionDir), PARALLEL, async (file) => {
    const found = await statFile(disk, file, options);
    if (found !== null) files.push(found);
  });
  const isWanted = wanted(disk, options);
  files.sort((a, b) => newer(a.stat.mtimeMs, a.path, b.stat.mtimeMs, b.path));
  for (const file of files) {
    options.signal?.throwIfAborted();
    const session = await readInfo(disk, file, options);
    if (session !== null && isWanted(session.info)) yield session;
  }
}

async function readAll(disk: Disk, files: readonly string[], options: ListOptions): Promise<ListedSession[]> {
  const sessions: ListedSession[] = [];
  const isWanted = wanted(disk, options);
  let done = 0;
  await inParallel(files, PARALLEL, async (file) => {
    options.signal?.throwIfAborted();
    const found = await statFile(disk, file, options);
    const session = found === null ? null : await readInfo(disk, found, options);
    if (session !== null && isWanted(session.info)) sessions.push(session);
    options.onProgress?.(++done, files.length);
  });
  return sessions;
}

function wanted(disk: Disk, { cwd }: ListOptions): (info: SessionInfo) => boolean {
  if (cwd === undefined) return () => true;
  const isProject = projectTest(disk, cwd, placeFacts({}).windows);
  return (info) => isProject(info.cwd);
}

function newestFirst(sessions: ListedSession[]): SessionInfo[] {
  return sessions
    .sort((a, b) => b.info.modified - a.info.modified || newer(a.mtimeMs, a.info.path, b.mtimeMs, b.info.path))
    .map(({ info }) => info);
}

/** Files are named by their beginning: of two that were written at once the later begun comes first. */
function newer(a: number, pathA: string, b: number, pathB: string): number {
  return b - a || (pathA < pathB ? 1 : pathA > pathB ? -1 : 0);
}

async function filesIn(disk: Disk, folder: string): Promise<string[]> {
  return answerLater(sessionFilesOf(disk, folder, await entriesOf(disk, folder)));
}

async function entriesOf(disk: Disk, folder: string): Promise<DiskEntry[]> {
  try {
    return await disk.readdir(folder);
  } catch (error) {
    const code = diskCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    if (code === null) throw error;
    throw new SessionStoreError('storage_io', `The folder cannot be read (${code}).`, { path: folder, errno: code }, error);
  }
}
