import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import { isAbsent } from '../storage/names.ts';
import { readSmallFile, removeSmallFile, writeSmallFile } from './small-file.ts';

/**
 * A host's pause of a session: `<journal>/<session id>.pause.json`. The file's presence is the pause, so that it outlives
 * the host; what stands in it is a help for people. It is no part of the session.
 */
export interface PauseState {
  sessionId: string;
  /** Epoch ms; null where the file does not say it. */
  pausedAt: number | null;
}

const SUFFIX = '.pause.json';

/** What can be part of a file name everywhere, and leads to no other folder. */
const SESSION_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,198}[A-Za-z0-9])?$/;

/** @throws `invalid_argument` for an id that could lead elsewhere */
export function pausePath(journalDir: string, sessionId: string): string {
  if (SESSION_ID.test(sessionId)) return path.join(journalDir, sessionId + SUFFIX);
  throw new SessionStoreError('invalid_argument', 'No such session can be paused: its id is no file name.', { id: sessionId });
}

/** Whether a session is paused, and since when; null when it is not. @throws `storage_io`, `invalid_argument` */
export function readPause(journalDir: string, sessionId: string, disk: Disk): PauseState | null {
  const at = pausePath(journalDir, sessionId);
  const text = withErrors(at, () => readSmallFile(disk, at));
  return text === null ? null : { sessionId, pausedAt: timeIn(text) };
}

/** Pauses a session; one that is paused stays so since then. @param now epoch ms  @throws `storage_io`, `invalid_argument` */
export function writePause(journalDir: string, sessionId: string, now: number, disk: Disk): void {
  const at = pausePath(journalDir, sessionId);
  const state = { sessionId, paused: true, pausedAt: new Date(now).toISOString() };
  withErrors(at, () => {
    if (readSmallFile(disk, at) === null) writeSmallFile(disk, at, `${JSON.stringify(state)}\n`);
  });
}

/** Ends the pause of a session, also because it is deleted. False: it was not paused. @throws `storage_io`, `invalid_argument` */
export function removePause(journalDir: string, sessionId: string, disk: Disk): boolean {
  const at = pausePath(journalDir, sessionId);
  return withErrors(at, () => removeSmallFile(disk, at));
}

/** Is a session paused? An id that cannot be paused is not. @throws `storage_io` */
export async function isPaused(journalDir: string, sessionId: string, disk: Disk): Promise<boolean> {
  if (!SESSION_ID.test(sessionId)) return false;
  const at = pausePath(journalDir, sessionId);
  try {
    await disk.lstat(at);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw ioError(error, at);
  }
}

/** The ids of all sessions that are paused; none where there is no such folder. @throws `storage_io` */
export async function listPaused(journalDir: string, disk: Disk): Promise<Set<string>> {
  try {
    const names = (await disk.readdir(journalDir)).map(({ name }) => name).filter((name) => name.endsWith(SUFFIX));
    return new Set(names.map((name) => name.slice(0, -SUFFIX.length)));
  } catch (error) {
    if (isAbsent(error)) return new Set();
    throw ioError(error, journalDir);
  }
}

function timeIn(text: string): number | null {
  try {
    const value = JSON.parse(text) as { pausedAt?: unknown } | null;
    const time = typeof value?.pausedAt === 'string' ? Date.parse(value.pausedAt) : Number.NaN;
    return Number.isNaN(time) ? null : time;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function withErrors<T>(at: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw ioError(error, at);
  }
}

function ioError(error: unknown, at: string): unknown {
  const errno = diskCode(error);
  if (errno === null) return error;
  return new SessionStoreError(
    'storage_io',
    `The pause of a session cannot be read or written (${errno}).`,
    { path: at, errno },
    error,
  );
}
