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
  /** Moves a session file and what belongs to it; where that throws, nothing has happened. @throws `session_exists` */
  session(from: string, to: string): void;
  /** Takes back what was done. */
  undo(): void;
}

/**
 * Moves an open session, and gives it another working directory. When something fails all is as it was.
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
  const { withLock } = moves;
  handle.relocate(to, () => moves.session(from, to), withLock);
  try {
    await writeHeader(handle, header);
  } catch (error) {
    handle.relocate(from, () => moves.undo(), withLock);
    throw error;
  }
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

/** Moves a file, the folder of its artifacts, and the copies that were kept of it. */
export class FileMoves implements SessionMoves {
  readonly withLock = false;
  readonly #disk: Disk;
  readonly #done: { from: string; to: string }[] = [];

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  session(from: string, to: string): void {
    if (statOf(this.#disk, to) !== null)
      throw new SessionStoreError('session_exists', 'There is a file of that name already.', { path: to });
    try {
      this.#rename(from, to);
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
    for (let move = this.#done.pop(); move !== undefined; move = this.#done.pop()) {
      this.#disk.mkdirSync(path.dirname(move.from));
      this.#disk.renameSync(move.to, move.from);
    }
  }

  #rename(from: string, to: string): void {
    this.#disk.renameSync(from, to);
    this.#done.push({ from, to });
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
