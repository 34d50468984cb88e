import * as path from 'node:path';

import { diskCode } from '../disk/disk.ts';
import type { RecentChoice } from '../discovery/choose-recent.ts';
import type { SessionEntry, SessionHeader } from '../entries/entry.ts';
import type { AccessMode, SessionHandle, SessionRef, SessionStore } from '../store/session-store.ts';
import type { EntryTree } from './entry-tree.ts';
import { sessionFileName } from './headers.ts';
import { freshId, randomEntryId } from './ids.ts';
import { entryAt, type NewEntry } from './new-entries.ts';
import type { SessionManagerOptions } from './options.ts';
import type { SessionWriter } from './session-writer.ts';

/** What a store of files knows besides its sessions. Nothing of it is there for sessions in memory and stores of one's own. */
export interface Surroundings {
  /** A place is always a path; otherwise one that does not look like a path is an id. */
  readonly onlyPaths: boolean;
  /** The id that a new session at a path has to have; undefined where any will do. */
  idAt(at: string): string | undefined;
  /** There is such a folder. */
  hasFolder(at: string): boolean;
  /** There is nothing at the path, or an empty file. */
  isBlank(at: string): boolean;
  /** Which session to go on with in a working directory. */
  recent(cwd: string): RecentChoice;
  /** Notes for this terminal what it has open. */
  note(cwd: string, file: string, fresh: boolean): void;
  /** Copies what belongs to a session beside its log. */
  copyArtifacts(from: SessionHandle, to: SessionHandle): void;
  /** Removes a session file that nobody has open, with all that belongs to it. */
  forget(file: string, id: string): Promise<void>;
}

export function isPathLike(place: string): boolean {
  return /[/\\]|\.jsonl(\.zstd)?$/.test(place);
}

/** Which session of a store to go on with in a working directory: the newest. */
export function newestIn(store: SessionStore, cwd: string): RecentChoice {
  const [newest] = store.listSync(cwd);
  return newest === undefined ? { kind: 'new' } : { kind: 'open', path: newest.path ?? newest.id };
}

/** What the sessions of one manager stand on: their store, clock and ids. */
export class Ground {
  readonly store: SessionStore;
  readonly options: SessionManagerOptions;
  readonly now: () => number;
  readonly #newId: () => string;
  /** Where new files are put, where that is not for the store to choose. */
  readonly #dir: string | null;
  readonly #around: Surroundings | null;
  #lastTime = Number.NaN;
  #lastStamp = '';

  constructor(store: SessionStore, options: SessionManagerOptions, dir: string | null, around: Surroundings | null) {
    this.store = store;
    this.options = options;
    this.now = options.now ?? Date.now;
    this.#newId = options.newId ?? randomEntryId;
    this.#dir = dir;
    this.#around = around;
  }

  /** A pending session. @throws `session_exists` */
  create(header: SessionHeader): SessionHandle {
    return this.store.create(header, this.#dir === null ? {} : { path: path.join(this.#dir, sessionFileName(header)) });
  }

  open(place: string, mode: AccessMode): SessionHandle {
    return this.store.openSync(this.#refOf(place), mode);
  }

  /** Where there is no session: one that will lie there. What is there instead is kept beside it. */
  createAt(place: string, header: SessionHeader): SessionHandle {
    const isFile = this.#around !== null && this.#isPath(place);
    return isFile ? this.store.create(header, { path: place, displace: true }) : this.store.create(header);
  }

  /** The id of a new session at a place, where that decides it. */
  idAt(place: string): string | undefined {
    return this.#isPath(place) ? this.#around?.idAt(place) : undefined;
  }

  freshId(taken: (id: string) => boolean): string {
    return freshId(taken, this.#newId);
  }

  /** A child of the leaf. */
  entry(fresh: NewEntry, tree: EntryTree): SessionEntry {
    const id = this.freshId((candidate) => tree.has(candidate));
    return entryAt(fresh, id, tree.leafId, this.#stamp());
  }

  warn(message: string, error: unknown): void {
    this.options.logger?.warn(message, { reason: error instanceof Error ? error.message : String(error) });
  }

  /** Lets go of a handle that is not needed any more, or of a writer whose session is stored. */
  letGo(done: SessionHandle | SessionWriter): void {
    ('abandon' in done ? done.abandon() : done.close()).catch((error: unknown) =>
      this.warn('The session could not be closed.', error),
    );
  }

  /** @param fresh it may never be stored */
  remember(cwd: string, handle: SessionHandle, fresh: boolean): void {
    if (handle.path !== null) this.#around?.note(cwd, handle.path, fresh);
  }

  hasFolder(at: string): boolean {
    return this.#around?.hasFolder(at) ?? true;
  }

  isBlank(place: string): boolean {
    return this.#around === null || !this.#isPath(place) || this.#around.isBlank(place);
  }

  recent(cwd: string): RecentChoice {
    return this.#around?.recent(cwd) ?? newestIn(this.store, cwd);
  }

  /** Copies what belongs to a session. What the disk refuses is missing then, and said so. */
  copyArtifacts(from: SessionHandle, to: SessionHandle): void {
    try {
      this.#around?.copyArtifacts(from, to);
    } catch (error) {
      if (diskCode(error) === null) throw error;
      this.warn('Artifacts of the session could not all be copied.', error);
    }
  }

  /** Deletes a stored session that nobody has open. */
  async forget({ path: file, header }: SessionHandle): Promise<void> {
    if (this.#around === null || file === null) await this.store.delete(header.id);
    else await this.#around.forget(file, header.id);
  }

  #refOf(place: string): SessionRef {
    return this.#isPath(place) ? { path: place } : place;
  }

  /** Where sessions lie in files a place is a path; a store that was given is asked by id unless it looks like a path. */
  #isPath(place: string): boolean {
    return this.#around?.onlyPaths === true || isPathLike(place);
  }

  /** ISO 8601; many entries are made in one millisecond. */
  #stamp(): string {
    const now = this.now();
    if (now !== this.#lastTime) {
      this.#lastTime = now;
      this.#lastStamp = new Date(now).toISOString();
    }
    return this.#lastStamp;
  }
}
