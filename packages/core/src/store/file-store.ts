import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import type { Problem } from '../problems.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { restoreBackup, sweepTemps } from '../storage/leftovers.ts';
import { isAbsent, realTarget } from '../storage/names.ts';
import { OwnerLock } from '../storage/owner-lock.ts';
import { FileHandle, takeLock, type HandleGround } from './file-handle.ts';
import { FileReadHandle } from './file-handle-read.ts';
import { openHandles, type OpenHandles } from './open-handles.ts';
import type {
  AccessMode,
  CreateOptions,
  LogRecord,
  SessionHandle,
  SessionRef,
  SessionStat,
  SessionStore,
  StoreTraits,
} from './session-store.ts';
import { StoredFile, writeError } from './stored-file.ts';
import { headOfPath } from './stored-head.ts';
import { headerOf } from './stored-lines.ts';
import { statOf } from './stored-rewrite.ts';
import { checkVersion, FileState, type FileGround } from './stored-state.ts';

/** What a handle needs that is not alike in all stores of files. */
export type FilePlace = Pick<FileGround, 'forms' | 'blobs' | 'artifactsOf'> & Pick<HandleGround, 'relocated'>;

/** Where the files of a store lie, and what belongs to each. Errors of the disk are its own. */
export interface FileLayout {
  readonly shapes: Shapes;
  /** As the disk has them: for locks. */
  readonly stored: Disk;
  /** As sessions are read and written: decoded. */
  readonly disk: Disk;
  /** Stores with the same one share their open handles. */
  readonly key: string;
  /** The file of a new session. @throws `invalid_argument` for a header that can have none */
  fileFor(header: SessionHeader): string;
  /** The file that a path means. */
  fileAt(named: string): string;
  place(file: string): FilePlace;
  /** Files of an id, found by their names. */
  byName(id: string, onProblem?: (found: Problem) => void): string[];
  /** Files of an id, found by looking into all of them. */
  byHeader(id: string, onProblem?: (found: Problem) => void): string[];
  makeFolder(file: string, header: SessionHeader): void;
  /** Null where the file is no session. */
  statOf(file: string): SessionStat | null;
  list(onProblem: (found: Problem) => void): Promise<SessionStat[]>;
  listSync(cwd?: string): SessionStat[];
  move(handle: FileHandle, cwd: string): Promise<void>;
  delete(file: string): Promise<void>;
}

export interface FileStoreOptions {
  traits: StoreTraits;
  layout: FileLayout;
  /** Epoch ms. */
  now: () => number;
}

/** Nobody writes at one file for so long, ms. */
const TEMP_MS = 24 * 60 * 60 * 1000;

/** Sessions in files: what is alike wherever they lie. */
export class FileSessionStore implements SessionStore {
  readonly traits: StoreTraits;
  readonly shapes: Shapes;
  /** Where the files lie, as they are stored. */
  readonly disk: Disk;
  readonly #layout: FileLayout;
  readonly #now: () => number;
  readonly #handles: OpenHandles;

  constructor({ traits, layout, now }: FileStoreOptions) {
    this.traits = traits;
    this.shapes = layout.shapes;
    this.disk = layout.stored;
    this.#layout = layout;
    this.#now = now;
    this.#handles = openHandles(layout.stored, layout.key);
  }

  create(header: SessionHeader, options: CreateOptions = {}): SessionHandle {
    const { id } = headerOf([{ value: header }], header.id);
    if (this.#handles.get(id) !== undefined) throw exists(id);
    const file = path.resolve(options.path ?? this.#layout.fileFor(header));
    const handle = FileHandle.pending(this.#groundOf(file), file, header, options.displace ?? false);
    this.#handles.add(handle);
    return handle;
  }

  async open(ref: SessionRef, mode: AccessMode): Promise<SessionHandle> {
    return this.openSync(ref, mode);
  }

  openSync(ref: SessionRef, mode: AccessMode): SessionHandle {
    const { disk } = this.#layout;
    const given = typeof ref === 'string' ? this.#find(ref) : path.resolve(ref.path);
    const named = this.#asStored(given, () => this.#layout.fileAt(given));
    const real = this.#asStored(named, () => realTarget(disk, named));
    if (mode === 'write') return this.#openForWriting(named, real);
    return new FileReadHandle(new FileState(this.#groundOf(real), real, headOfPath(disk, real)), named);
  }

  async stat(id: string): Promise<SessionStat | undefined> {
    const file = this.locate(id);
    return file === undefined ? undefined : (this.#layout.statOf(file) ?? undefined);
  }

  async list(): Promise<{ sessions: SessionStat[]; problems: Problem[] }> {
    const problems: Problem[] = [];
    const sessions = await this.#layout.list((found) => problems.push(found));
    return { sessions, problems };
  }

  listSync(cwd?: string): SessionStat[] {
    return this.#layout.listSync(cwd);
  }

  locate(id: string): string | undefined {
    const open = this.#handles.get(id);
    if (open?.stored === true) return open.path;
    return this.#layout.byName(id)[0] ?? this.#layout.byHeader(id)[0];
  }

  async delete(id: string): Promise<void> {
    await this.deleteFile(this.#find(id), id);
  }

  /** As `delete`, by where it lies: an id may occur twice. */
  async deleteFile(file: string, id: string): Promise<void> {
    const lock = this.#lockOf(file);
    takeLock(lock);
    try {
      await this.#layout.delete(file);
    } catch (error) {
      throw isAbsent(error) ? notFound(id) : writeError(error, file);
    } finally {
      lock.release();
    }
  }

  async move(id: string, cwd: string): Promise<void> {
    const open = this.#handles.get(id);
    const handle = open ?? this.#openForWriting(this.#find(id), this.#find(id));
    try {
      await this.#layout.move(handle, cwd);
    } catch (error) {
      throw writeError(error, handle.path);
    } finally {
      if (open === undefined) await handle.close();
    }
  }

  publish(id: string, records: readonly LogRecord[]): void {
    const handle = this.#handles.get(id);
    if (handle === undefined)
      throw new SessionStoreError('session_not_found', 'Nobody has the session open for writing.', { id });
    handle.publish(records);
  }

  #openForWriting(named: string, real: string): FileHandle {
    const { disk } = this.#layout;
    this.#asStored(named, () => statOf(disk, real) ?? restoreBackup(disk, real));
    const head = headOfPath(disk, real);
    checkVersion(head.header, named);
    const lock = this.#lockOf(real);
    takeLock(lock);
    if (lock.held) this.#sweep(real);
    const ground = this.#groundOf(real);
    const handle = FileHandle.open(ground, named, StoredFile.open(ground, real, head), lock);
    this.#handles.add(handle);
    return handle;
  }

  /** What killed programs left half written goes; who cannot remove it can still go on with the session. */
  #sweep(real: string): void {
    try {
      sweepTemps(this.#layout.stored, real, this.#now() - TEMP_MS);
    } catch (error) {
      if (diskCode(error) === null) throw error;
    }
  }

  /** @throws `session_not_found`, `session_ambiguous` */
  #find(id: string): string {
    const open = this.#handles.get(id);
    if (open?.stored === true) return open.path;
    const unread: Problem[] = [];
    const note = (found: Problem): void => void (found.code === 'unreadable' && unread.push(found));
    const named = this.#layout.byName(id, note);
    const found = named.length > 0 ? named : this.#layout.byHeader(id, note);
    if (found.length > 1) throw new SessionStoreError('session_ambiguous', 'Several files have the id.', { id, paths: found });
    if (found[0] !== undefined) return found[0];
    // What could not be read may be it.
    const [first] = unread;
    if (first !== undefined) throw new SessionStoreError('storage_io', first.message, { id, path: first.path });
    throw notFound(id);
  }

  #groundOf(file: string): HandleGround {
    const layout = this.#layout;
    return {
      ...layout.place(file),
      disk: layout.disk,
      stored: layout.stored,
      durable: this.traits.durable,
      now: this.#now,
      checkNew(id) {
        if (layout.byName(id).length > 0) throw exists(id);
      },
      lockOf: (at) => this.#lockOf(at),
      makeFolder: (at, header) => layout.makeFolder(at, header),
      released: (handle) => this.#handles.remove(handle),
    };
  }

  #lockOf(file: string): OwnerLock {
    return this.#asStored(file, () => new OwnerLock(this.#layout.stored, file, undefined, this.#now));
  }

  #asStored<T>(file: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw writeError(error, file);
    }
  }
}

function exists(id: string): SessionStoreError {
  return new SessionStoreError('session_exists', 'There is a session with this id.', { id });
}

function notFound(id: string): SessionStoreError {
  return new SessionStoreError('session_not_found', 'There is no such session.', { id });
}
