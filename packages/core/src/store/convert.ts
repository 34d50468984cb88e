import * as path from 'node:path';

import { ZstdDisk } from '../codec/zstd/zstd-disk.ts';
import { SessionStoreError } from '../errors.ts';
import type { LogEncoding } from '../shapes/projects.ts';
import { isAbsent, realTarget } from '../storage/names.ts';
import { OwnerLock } from '../storage/owner-lock.ts';
import type { SessionStorage } from '../storage/storage.ts';
import { FileSessionStorage } from '../storage/storages.ts';
import { Conversion } from './conversion.ts';
import { logAt, ownFolder } from './project-sessions.ts';
import { writeError } from './stored-file.ts';
import { statOf } from './stored-rewrite.ts';

export interface ConvertOptions {
  /** By default the real disk. */
  storage?: Pick<SessionStorage, 'disk'>;
  /** The old log is kept beside the new one, as `<name>.before-<8 hex digits>`. */
  keep?: boolean;
  /** Told how much is done, up to 1: the log is read, and then the new one. */
  onProgress?: (done: number) => void;
  signal?: AbortSignal;
  /** Epoch ms. */
  now?: () => number;
}

export interface ConvertedSession {
  /** Where the log lies now. */
  log: string;
  /** False where it had the encoding already. */
  changed: boolean;
  /** Where the old log is still to be found; null where it is gone. */
  kept: string | null;
  /** Bytes of the log before and now. */
  sizeBefore: number;
  sizeNow: number;
}

/**
 * Stores the log of a session in the other encoding. The new log is decoded again, and must have the same bytes and entries,
 * before it counts. At every instant exactly one of the two counts, whatever happens: see `docs/formats/projects.md`. The
 * time of the file, its permissions and the session's other files stay as they are.
 *
 * @param at a session's directory in a project directory, or its log
 * @throws `session_owned` while somebody has it open for writing; `session_invalid` where bytes of the log are damaged, or it is
 * no session; `session_conflict` where somebody wrote to it meanwhile; `session_exists` where both encodings are there;
 * `session_not_found`; `unsupported` for what is not ours to write; `storage_io`; the signal's reason. Then the session is as
 * it was.
 */
export async function convertSession(at: string, encoding: LogEncoding, options: ConvertOptions = {}): Promise<ConvertedSession> {
  const { disk } = options.storage ?? new FileSessionStorage({ durable: true });
  const file = path.resolve(at);
  try {
    const log = realTarget(disk, logAt({ disk: new ZstdDisk(disk), stored: disk }, file));
    if (statOf(disk, log)?.kind !== 'file') throw notFound(file);
    if (ownFolder(log) === null)
      throw new SessionStoreError('unsupported', 'Only a session with a directory of its own is converted.', { path: log });
    const conversion = new Conversion(disk, log, options);
    const locks = conversion.names.map((name) => new OwnerLock(disk, name, undefined, options.now));
    try {
      for (const lock of locks) lock.acquire();
      return await conversion.to(encoding);
    } finally {
      for (const lock of locks) lock.release();
    }
  } catch (error) {
    throw isAbsent(error) ? notFound(file) : writeError(error, file);
  }
}

function notFound(file: string): SessionStoreError {
  return new SessionStoreError('session_not_found', 'There is no such session.', { path: file });
}
