import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { artifactsFolder } from '../storage/delete-session.ts';
import { leftoversOf } from '../storage/leftovers.ts';
import { isAbsent } from '../storage/names.ts';
import type { FileHandle } from './file-handle.ts';
import { statOf } from './stored-rewrite.ts';

/** Renames of what belongs to a session, which can be taken back. */
export interface SessionMoves {
  /** The lock of the session is moved with it. */
  readonly withLock: boolean;
  /** The session file lies at its new place. */
  readonly moved: boolean;
  /** Moves a session file and what belongs to it. Where that throws all is taken back, as far as the disk allows. @throws `session_exists` */
  session(from: string, to: string): void;
  /** Takes back what was done, as far as the disk allows. Throws what it does not. */
  undo(): void;
}

/**
 * Moves an open session, and gives it another working directory. When something fails all is as it was; where the disk does
 * not let that be, the handle goes on where the session file is, and the error says what else is left at the new place.
 * @throws `session_exists` for a name that is taken, `storage_io`
 */
export async function moveSession(handle: FileHandle, cwd: string, to: string, moves: SessionMoves): Promise<void> {
  const from = handle.path;
  const header = movedHeader(handle.header, cwd, from, to);
  if (!handle.stored) {
    handle.relocate(to, () => undefined);
    await handle.updateHeader(header);
    return;
  }
  if (from === to) {
    await writeHeader(handle, header);
    return;
  }
  relocate(handle, to, moves, { work: () => moves.session(from, to), there: true });
  try {
    await writeHeader(handle, header);
  } catch (error) {
    relocate(handle, from, moves, { work: () => moves.undo(), there: false });
    throw error;
  }
}

/** @param there whether the file has moved once the work is done. A handle is always where its file is, also after an error */
function relocate(
  handle: FileHandle,
  path: string,
  moves: SessionMoves,
  { work, there }: { work: () => void; there: boolean },
): void {
  const failed: { error: unknown }[] = [];
  const move = (): void => {
    try {
      work();
    } catch (error) {
      if (moves.moved !== there) throw error;
      failed.push({ error });
    }
  };
  handle.relocate(path, move, moves.withLock);
  if (failed[0] !== undefined) throw failed[0].error;
}

function movedHeader(header: SessionHeader, cwd: string, from: string, to: string): SessionHeader {
  const known = header['previousSessionFiles'];
  const earlier = Array.isArray(known) ? (known as unknown[]).filter((file) => typeof file === 'string') : [];
  const files = [...new Set([...earlier, from])].filter((file) => file !== to);
  return { ...header, cwd, ...(files.length === 0 ? {} : { previousSessionFiles: files }) };
}

/** Writes the header, and all the rest anew where the file must be replaced anyway. */
async function writeHeader(handle: FileHandle, header: SessionHeader): Promise<void> {
  if (!handle.rewriteRequired) return handle.updateHeader(header);
  const records = await handle.read();
  await handle.replace([{ value: header }, ...records.slice(1)], { revision: handle.revision });
}

/** A rename that was done. */
interface Move {
  from: string;
  to: string;
}

/** Says what was not taken back. */
function unmoved(left: readonly Move[], cause: unknown): SessionStoreError {
  const data = { path: left[0]?.to, errno: diskCode(cause), left };
  return new SessionStoreError('storage_io', 'The session could not be moved, nor could all be taken back.', data, cause);
}

/** Moves a file, the folder of its artifacts, and the copies that were kept of it. */
export class FileMoves implements SessionMoves {
  readonly withLock = false;
  readonly #disk: Disk;
  #done: Move[] = [];
  #session: Move | null = null;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  get moved(): boolean {
    return this.#session !== null && this.#done.includes(this.#session);
  }

  session(from: string, to: string): void {
    if (statOf(this.#disk, to) !== null)
      throw new SessionStoreError('session_exists', 'There is a file of that name already.', { path: to });
    try {
      this.#session = this.#rename(from, to);
      const [artifacts, target] = [artifactsFolder(from), artifactsFolder(to)];
      if (artifacts !== null && target !== null) this.#folder(artifacts, target);
      for (const copy of leftoversOf(this.#disk, from).copies)
        this.#rename(copy, path.join(path.dirname(to), path.basename(copy)));
    } catch (error) {
      this.undo();
      throw error;
    }
  }

  undo(): void {
    const left: Move[] = [];
    const errors: unknown[] = [];
    for (const move of this.#done.reverse()) {
      try {
        this.#disk.mkdirSync(path.dirname(move.from));
        this.#disk.renameSync(move.to, move.from);
      } catch (error) {
        if (diskCode(error) === null) throw error;
        errors.push(error);
        left.unshift(move);
      }
    }
    this.#done = left;
    if (errors.length > 0) throw unmoved(left, errors[0]);
  }

  #rename(from: string, to: string): Move {
    const move = { from, to };
    this.#disk.renameSync(from, to);
    this.#done.push(move);
    return move;
  }

  /** A folder that is there already is filled: names that it has win, and what has them stays where it was. */
  #folder(from: string, to: string): void {
    if (statOf(this.#disk, from)?.kind !== 'directory') return;
    if (statOf(this.#disk, to) === null) {
      this.#rename(from, to);
      return;
    }
    for (const { name } of this.#disk.readdirSync(from)) {
      if (statOf(this.#disk, path.join(to, name)) === null) this.#rename(path.join(from, name), path.join(to, name));
    }
    removeIfEmpty(this.#disk, from);
  }
}

function removeIfEmpty(disk: Disk, folder: string): void {
  try {
    disk.rmdirSync(folder);
  } catch (error) {
    // ENOTEMPTY as a rule: something of the same name stayed.
    if (diskCode(error) === null || isAbsent(error)) throw error;
  }
}
