import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import { FileSessionStore } from '../store/file-store.ts';
import { listAllSessions, listSessions } from './listing.ts';
import { logFileAt } from './log-files.ts';
import { matchSessions } from './match.ts';
import { placeFacts, REAL_DISK, type AgentPlace, type StorageDisk } from './places.ts';
import { listProjectSessions } from './project-sessions.ts';
import { readInfo, statFile } from './read-info.ts';
import type { ListOptions } from './list-options.ts';
import type { SessionInfo } from './session-info.ts';

export interface ResumeOptions extends AgentPlace, Pick<ListOptions, 'onProblem' | 'signal' | 'store'> {
  /** By default the real disk. */
  storage?: StorageDisk;
  /** Look at all projects of the agent, too, where `sessionDir` holds no such session. */
  everywhere?: boolean;
}

/** Where a session was found: by its path, among those of the project, or among all others. */
export type ResumeScope = 'path' | 'project' | 'elsewhere';

export type ResumeAnswer =
  | { kind: 'one'; scope: ResumeScope; session: SessionInfo }
  /** The text fits several equally well. Newest first. */
  | { kind: 'several'; scope: ResumeScope; sessions: SessionInfo[] }
  | { kind: 'none' };

/**
 * Finds the session that somebody wants to go on with. A text with `/` or `\` or that ends in `.jsonl` or `.jsonl.zstd` is a
 * path of a file or of a session's directory, relative to `cwd`, or to the home folder behind `~/`. Any other is the beginning of a session's id, of its file's
 * name, or of what follows the last `_` in that, in any case of letters; the whole of one of them wins over a beginning.
 * The project's own sessions are asked first, then those of all projects; with a `sessionDir` those in it of the project,
 * then all in it; with a `store` those of it.
 *
 * @throws `invalid_argument` for an empty text, `storage_io` when a folder cannot be read
 */
export async function resolveResumableSession(
  sessionArg: string,
  cwd: string,
  sessionDir?: string,
  options: ResumeOptions = {},
): Promise<ResumeAnswer> {
  const arg = sessionArg.trim();
  if (arg === '') throw new SessionStoreError('invalid_argument', 'Which session is meant? The text is empty.');
  const { disk } = options.storage ?? (options.store instanceof FileSessionStore ? options.store : REAL_DISK);
  if (/[/\\]|\.jsonl(\.zstd)?$/i.test(arg)) return atPath(disk, path.resolve(cwd, withHome(arg, options)), options);
  for await (const { scope, sessions } of searched(disk, cwd, sessionDir, options)) {
    const found = matchSessions(arg, sessions);
    if (found.length === 1) return { kind: 'one', scope, session: found[0]! };
    if (found.length > 1) return { kind: 'several', scope, sessions: found };
  }
  return { kind: 'none' };
}

interface Searched {
  scope: ResumeScope;
  sessions: SessionInfo[];
}

/** The sessions to ask, nearest first. */
async function* searched(
  disk: Disk,
  cwd: string,
  sessionDir: string | undefined,
  options: ResumeOptions,
): AsyncGenerator<Searched, void, undefined> {
  const storage = { disk };
  yield { scope: 'project', sessions: await listProjectSessions(cwd, sessionDir, { ...options, storage }) };
  if (sessionDir !== undefined && options.store === undefined) {
    yield { scope: 'elsewhere', sessions: await listSessions(sessionDir, storage, options) };
    if (options.everywhere !== true) return;
  }
  yield { scope: 'elsewhere', sessions: await listAllSessions(storage, options) };
}

function withHome(at: string, options: ResumeOptions): string {
  return /^~[/\\]/.test(at) ? path.join(placeFacts(options).home, at.slice(2)) : at;
}

async function atPath(disk: Disk, at: string, options: ResumeOptions): Promise<ResumeAnswer> {
  let real: string;
  try {
    real = await disk.realpath(await logFileAt(disk, at));
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return { kind: 'none' };
  }
  const file = await statFile(disk, real, options);
  const session = file === null ? null : await readInfo(disk, file, options);
  return session === null ? { kind: 'none' } : { kind: 'one', scope: 'path', session: { ...session.info, path: at } };
}
