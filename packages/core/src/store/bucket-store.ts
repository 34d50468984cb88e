import * as path from 'node:path';

import type { BlobStore } from '../blobs/blob-store.ts';
import { FileBlobStore } from '../blobs/file-blob-store.ts';
import type { Disk } from '../disk/disk.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { lookBucket, lookBuckets, writeBucket, type BucketOptions } from '../paths/buckets.ts';
import { canonicalPath, machineFacts } from '../paths/canonical.ts';
import type { Problem } from '../problems.ts';
import type { PathFacts } from '../shapes/buckets.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { DEFAULT_SHAPES } from '../shapes/registry.ts';
import { restoreBackup } from '../storage/leftovers.ts';
import { isAbsent, PRIVATE_FOLDER, realTarget } from '../storage/names.ts';
import { OwnerLock } from '../storage/owner-lock.ts';
import type { SessionStorage } from '../storage/storage.ts';
import { FileSessionStorage } from '../storage/storages.ts';
import { FileHandle, takeLock, type HandleGround } from './file-handle.ts';
import { moveSession } from './file-handle-move.ts';
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
} from './session-store.ts';
import { runAsync, runSync, type Steps } from './steps.ts';
import { StoredFile, writeError } from './stored-file.ts';
import { entryForms } from './stored-forms.ts';
import { headOfPath } from './stored-head.ts';
import { headerOf } from './stored-lines.ts';
import { statOf } from './stored-rewrite.ts';
import {
  filesIn,
  findByHeader,
  findByName,
  newestFirst,
  sessionFiles,
  statOfFile,
  type OnProblem,
  type SessionPlaces,
} from './stored-sessions.ts';
import { checkVersion, FileState } from './stored-state.ts';

export interface BucketStoreOptions {
  /** The agent's folder: with sessions in `sessions`, a folder for each working directory, and blobs in `blobs`. */
  agentDir: string;
  /** All sessions lie in this folder instead, whatever their working directory. */
  folder?: string;
  /** Whose files are written. */
  shapes?: Shapes;
  storage?: SessionStorage;
  /** Instead of the agent folder's. */
  blobs?: BlobStore;
  facts?: PathFacts;
  /** Every write also survives a power failure. */
  durable?: boolean;
  /** Epoch ms. */
  now?: () => number;
}

/** So many files are looked at before others get their turn. */
const AT_ONCE = 32;

/** Sessions as files of the MusePi and Pi families. */
export class BucketSessionStore implements SessionStore {
  readonly traits: SessionStore['traits'];
  readonly shapes: Shapes;
  readonly #storage: SessionStorage;
  readonly #disk: Disk;
  readonly #places: SessionPlaces;
  readonly #facts: PathFacts;
  readonly #ground: HandleGround;
  readonly #handles: OpenHandles;

  constructor(options: BucketStoreOptions) {
    const { agentDir, folder, shapes = DEFAULT_SHAPES, facts = machineFacts(), durable = false, now = Date.now } = options;
    this.#storage = options.storage ?? new FileSessionStorage({ durable });
    const { disk } = this.#storage;
    const blobs = options.blobs ?? new FileBlobStore(disk, path.join(agentDir, 'blobs'), { durable });
    this.traits = { sync: true, durable, blobs: shapes.writes.compact };
    this.shapes = shapes;
    this.#disk = disk;
    this.#facts = facts;
    this.#places = { disk, folder: path.resolve(folder ?? path.join(agentDir, 'sessions')), flat: folder !== undefined };
    this.#handles = openHandles(disk, path.resolve(agentDir));
    this.#ground = {
      disk,
      forms: entryForms(shapes, blobs),
      blobs,
      durable,
      now,
      checkNew: (id) => this.#checkNew(id),
      lockOf: (file) => this.#asStored(file, () => new OwnerLock(disk, file, undefined, now)),
      makeFolder: (file, header) => this.#makeFolder(file, header),
      released: (handle) => this.#handles.remove(handle),
    };
  }

  create(header: SessionHeader, options: CreateOptions = {}): SessionHandle {
    const { id } = headerOf([{ value: header }], header.id);
    if (this.#handles.get(id) !== undefined) throw exists(id);
    const file = path.resolve(options.path ?? path.join(this.#bucketOf(header), fileName(header, this.#ground.now())));
    const handle = FileHandle.pending(this.#ground, file, header, options.displace ?? false);
    this.#handles.add(handle);
    return handle;
  }

  async open(ref: SessionRef, mode: AccessMode): Promise<SessionHandle> {
    return this.openSync(ref, mode);
  }

  openSync(ref: SessionRef, mode: AccessMode): SessionHandle {
    const named = typeof ref === 'string' ? this.#find(ref) : path.resolve(ref.path);
    const real = this.#asStored(named, () => realTarget(this.#disk, named));
    if (mode === 'write') return this.#openForWriting(named, real);
    return new FileReadHandle(new FileState(this.#ground, real, headOfPath(this.#disk, real)), named);
  }

  async stat(id: string): Promise<SessionStat | undefined> {
    const file = this.locate(id);
    return file === undefined ? undefined : (statOfFile(this.#disk, file, this.shapes) ?? undefined);
  }

  async list(): Promise<{ sessions: SessionStat[]; problems: Problem[] }> {
    const problems: Problem[] = [];
    const onProblem: OnProblem = (found) => problems.push(found);
    const sessions = await runAsync(this.#stats(sessionFiles(this.#places, onProblem), onProblem));
    return { sessions, problems };
  }

  listSync(cwd?: string): SessionStat[] {
    if (cwd === undefined) return runSync(this.#stats(sessionFiles(this.#places)));
    const real = canonicalPath(cwd, this.#disk);
    const stats = runSync(this.#stats(this.#filesOf(cwd)));
    return stats.filter(({ header }) => header.cwd === undefined || canonicalPath(header.cwd, this.#disk) === real);
  }

  locate(id: string): string | undefined {
    const open = this.#handles.get(id);
    if (open?.stored === true) return open.path;
    return findByName(this.#places, id)[0] ?? findByHeader(this.#places, id)[0];
  }

  async delete(id: string): Promise<void> {
    const file = this.#find(id);
    const lock = this.#ground.lockOf(file);
    takeLock(lock);
    try {
      await this.#storage.deleteSessionWithArtifacts(file);
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
      const name = path.basename(handle.path);
      const folder = this.#places.flat ? path.dirname(handle.path) : this.#writeBucket(cwd, !handle.stored);
      await moveSession(this.#disk, handle, cwd, path.join(folder, name));
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
    this.#asStored(named, () => statOf(this.#disk, real) ?? restoreBackup(this.#disk, real));
    const head = headOfPath(this.#disk, real);
    checkVersion(head.header, named);
    const lock = this.#ground.lockOf(real);
    takeLock(lock);
    const handle = FileHandle.open(this.#ground, named, StoredFile.open(this.#ground, real, head), lock);
    this.#handles.add(handle);
    return handle;
  }

  /** @throws `session_not_found`, `session_ambiguous` */
  #find(id: string): string {
    const open = this.#handles.get(id);
    if (open?.stored === true) return open.path;
    const named = findByName(this.#places, id);
    const found = named.length > 0 ? named : findByHeader(this.#places, id);
    if (found.length > 1) throw new SessionStoreError('session_ambiguous', 'Several files have the id.', { id, paths: found });
    if (found[0] === undefined) throw notFound(id);
    return found[0];
  }

  #checkNew(id: string): void {
    if (findByName(this.#places, id).length > 0) throw exists(id);
  }

  #bucketOf({ cwd }: SessionHeader): string {
    const { folder, flat } = this.#places;
    return flat ? folder : lookBucket(folder, cwd ?? '', this.#bucketOptions);
  }

  #filesOf(cwd: string): Generator<string> {
    const { disk, folder, flat } = this.#places;
    if (flat) return sessionFiles(this.#places);
    return inAll(lookBuckets(folder, cwd, this.#bucketOptions), (bucket) => filesIn(disk, bucket));
  }

  /** The folder of a new file. Where it is the one for its working directory, older ones are merged into it. */
  #makeFolder(file: string, header: SessionHeader): void {
    const folder = path.dirname(file);
    if (!this.#places.flat && folder === this.#bucketOf(header)) this.#writeBucket(header.cwd ?? '', false);
    this.#disk.mkdirSync(folder, PRIVATE_FOLDER);
  }

  #writeBucket(cwd: string, lookOnly: boolean): string {
    return (lookOnly ? lookBucket : writeBucket)(this.#places.folder, cwd, this.#bucketOptions);
  }

  get #bucketOptions(): BucketOptions {
    return { disk: this.#disk, shapes: this.shapes, facts: this.#facts };
  }

  *#stats(files: Iterable<string>, onProblem?: OnProblem): Steps<SessionStat[]> {
    const stats: SessionStat[] = [];
    let looked = 0;
    for (const file of files) {
      const stat = statOfFile(this.#disk, file, this.shapes, onProblem);
      if (stat !== null) stats.push(stat);
      if (++looked % AT_ONCE === 0) yield;
    }
    return newestFirst(stats);
  }

  #asStored<T>(file: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw writeError(error, file);
    }
  }
}

function* inAll(folders: readonly string[], files: (folder: string) => Iterable<string>): Generator<string> {
  for (const folder of folders) yield* files(folder);
}

/** A name that all file systems take, in the order of time. @throws `invalid_argument` for an id that could not be part of it */
function fileName({ timestamp, id }: SessionHeader, nowMs: number): string {
  if (!/^[^\s/\\:*?"<>|.\u0000-\u001f]([^/\\:*?"<>|\u0000-\u001f]{0,199})$/.test(id))
    throw new SessionStoreError('invalid_argument', 'The id cannot be part of a file name.', { id });
  const time = Date.parse(timestamp ?? '');
  return `${new Date(Number.isNaN(time) ? nowMs : time).toISOString().replace(/[:.]/g, '-')}_${id}.jsonl`;
}

function exists(id: string): SessionStoreError {
  return new SessionStoreError('session_exists', 'There is a session with this id.', { id });
}

function notFound(id: string): SessionStoreError {
  return new SessionStoreError('session_not_found', 'There is no such session.', { id });
}
