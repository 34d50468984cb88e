import type { BlobStore } from '../blobs/blob-store.ts';
import { diskCode } from '../disk/disk.ts';
import type { FileEntry, SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import type { Problem } from '../problems.ts';
import type { OwnerLock } from '../storage/owner-lock.ts';
import { NewFile } from './file-handle-create.ts';
import { PublishQueue } from './publish-queue.ts';
import type { AccessMode, ForeignChange, Guard, LogRecord, SessionHandle } from './session-store.ts';
import { runAsync, runSync, type Steps } from './steps.ts';
import { writeError, type StoredFile } from './stored-file.ts';
import { storedLines } from './stored-export.ts';
import { checkEntries, headerLine, headerOf, joinLines, lineOf } from './stored-lines.ts';
import { checkVersion, type FileGround } from './stored-state.ts';

/** A lock that the disk refused is tried again after so long, ms. */
const LOCK_RETRY_MS = 1000;

/** What a handle for writing needs of its store. */
export interface HandleGround extends FileGround {
  /** @throws `session_exists` where the store has the session */
  checkNew(id: string): void;
  /** The ownership of a session file, which is not taken yet. */
  lockOf(path: string): OwnerLock;
  /** Makes the folder of a session that is stored for the first time. */
  makeFolder(path: string, header: SessionHeader): void;
  /** The session lies elsewhere, or will. */
  relocated(path: string): void;
  /** The handle was closed. */
  released(handle: FileHandle): void;
}

/** A session in a file, open for writing. */
export class FileHandle implements SessionHandle {
  readonly mode: AccessMode = 'write';
  onPublished: ((records: readonly LogRecord[]) => void) | null = null;
  readonly #ground: HandleGround;
  readonly #queue = new PublishQueue((records) => {
    this.#append(records);
    this.onPublished?.(records);
  });
  /** Null before the first write of a created session. */
  #lock: OwnerLock | null;
  #lockTried = Number.NEGATIVE_INFINITY;
  #path: string;
  /** Null before the first write of a created session. */
  #file: StoredFile | null;
  #new: NewFile | null = null;
  #displace = false;
  #header: SessionHeader;
  #onForeign: ((change: ForeignChange) => void) | null = null;
  #closed = false;

  private constructor(
    ground: HandleGround,
    path: string,
    header: SessionHeader,
    file: StoredFile | null,
    lock: OwnerLock | null,
  ) {
    this.#ground = ground;
    this.#path = path;
    this.#header = header;
    this.#file = file;
    this.#lock = lock;
  }

  /** A session that is not stored yet. Does no I/O. */
  static pending(ground: HandleGround, path: string, header: SessionHeader, displace: boolean): FileHandle {
    const handle = new FileHandle(ground, path, header, null, null);
    handle.#displace = displace;
    handle.#new = new NewFile(ground, path, displace);
    return handle;
  }

  /** A session that is stored, and whose ownership was asked for. */
  static open(ground: HandleGround, path: string, file: StoredFile, lock: OwnerLock): FileHandle {
    return new FileHandle(ground, path, file.header, file, lock);
  }

  get header(): SessionHeader {
    return this.#file?.header ?? this.#header;
  }

  get path(): string {
    return this.#path;
  }

  get stored(): boolean {
    return this.#file !== null;
  }

  get revision(): string {
    return this.#file?.revision ?? '';
  }

  get rewriteRequired(): boolean {
    return this.#file?.mustReplace ?? false;
  }

  get problems(): readonly Problem[] {
    return this.#file?.problems ?? [];
  }

  get blobs(): BlobStore {
    return this.#ground.blobs;
  }

  get artifactsDir(): string | null {
    return this.#ground.artifactsOf(this.#path);
  }

  get onForeign(): ((change: ForeignChange) => void) | null {
    return this.#onForeign;
  }

  set onForeign(told: ((change: ForeignChange) => void) | null) {
    this.#onForeign = told;
    if (this.#file !== null) this.#file.onForeign = told;
  }

  read(offset?: number, limit?: number): Promise<LogRecord[]> {
    return runAsync(this.#read(offset, limit));
  }

  readSync(offset?: number, limit?: number): LogRecord[] {
    return runSync(this.#read(offset, limit));
  }

  async append(records: readonly LogRecord[]): Promise<void> {
    this.appendSync(records);
  }

  appendSync(records: readonly LogRecord[]): void {
    this.#checkOpen();
    checkEntries(records);
    if (this.#file !== null) this.#queue.drain();
    this.#append(records);
  }

  async replace(records: readonly LogRecord[], guard: Guard): Promise<void> {
    await runAsync(this.#replace(records, guard));
  }

  replaceSync(records: readonly LogRecord[], guard: Guard): void {
    runSync(this.#replace(records, guard));
  }

  async noticeEdits(entries: readonly FileEntry[]): Promise<void> {
    this.#checkOpen();
    if (this.#file !== null) await runAsync(this.#file.noticeEdits(entries));
  }

  async updateHeader(header: SessionHeader): Promise<void> {
    this.#checkOpen();
    if (this.#file === null) {
      this.#header = headerOf([{ value: header }], this.#header.id);
      return;
    }
    this.#own();
    await runAsync(this.#file.updateHeader(header));
  }

  checkSync(): void {
    this.#checkOpen();
    this.#file?.look();
  }

  async flush(): Promise<void> {
    this.flushSync();
  }

  flushSync(): void {
    this.#checkOpen();
    if (this.#file === null) return;
    this.#file.look();
    this.#queue.drain();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    try {
      // What others did, and what is waiting, is settled while the session is still ours.
      this.flushSync();
    } finally {
      this.#closed = true;
      this.#queue.clear();
      try {
        this.#file?.close();
      } finally {
        this.#lock?.release();
        this.#ground.released(this);
      }
    }
  }

  async *log(): AsyncGenerator<Uint8Array> {
    this.#checkOpen();
    if (this.#file === null) yield joinLines([headerLine(this.#header)]);
    else yield* storedLines(this.#ground.disk, this.#file.path);
  }

  /** Takes records that are written soon. */
  publish(records: readonly LogRecord[]): void {
    this.#checkOpen();
    checkEntries(records);
    this.#queue.push(records.map((record) => ({ value: record.value, raw: lineOf(record, this.#ground.forms.prepare) })));
  }

  /**
   * The file gets another name, and the handle goes on with it there. A session that is not stored yet will lie there.
   * @param rename gives it the name; where it throws, nothing has happened  @param withLock it moves the lock, too
   */
  relocate(path: string, rename: () => void, withLock = false): void {
    this.#checkOpen();
    if (this.#file === null) {
      this.#new = new NewFile(this.#ground, path, this.#displace);
    } else {
      const lock = withLock ? this.#lock : this.#ground.lockOf(path);
      this.#rename(rename, withLock ? null : lock);
      if (withLock) lock?.follow(path);
      else this.#lock?.release();
      this.#lock = lock;
      this.#file.relocate(path);
    }
    this.#path = path;
    this.#ground.relocated(path);
  }

  /** @param lock to be taken before */
  #rename(rename: () => void, lock: OwnerLock | null): void {
    try {
      if (lock !== null) takeLock(lock);
      rename();
    } catch (error) {
      lock?.release();
      throw writeError(error, this.#path);
    }
  }

  *#read(offset = 0, limit = Number.POSITIVE_INFINITY): Steps<LogRecord[]> {
    this.#checkOpen();
    if (this.#file === null) return [{ value: this.#header }].slice(offset, offset + limit);
    return yield* this.#file.read(offset, limit);
  }

  *#replace(records: readonly LogRecord[], guard: Guard): Steps<void> {
    this.#checkOpen();
    if (this.#file !== null) {
      this.#own();
      yield* this.#file.replace(records, guard);
      return;
    }
    if (guard.revision !== this.revision) throw new SessionStoreError('session_conflict', 'The session has changed since.');
    const header = headerOf(records, this.#header.id);
    checkEntries(records, 1);
    this.#create(header, records.slice(1));
  }

  #append(records: readonly LogRecord[]): void {
    if (this.#file === null) this.#create(this.#header, records);
    else {
      this.#own();
      this.#file.append(records);
    }
  }

  #create(header: SessionHeader, entries: readonly LogRecord[]): void {
    checkVersion(header, this.#path);
    try {
      if (this.#new?.isInPlace() !== true) this.#ground.checkNew(header.id);
      this.#ground.makeFolder(this.#path, header);
      this.#own();
      this.#file = this.#new!.write(header, entries);
    } catch (error) {
      throw writeError(error, this.#path);
    }
    this.#file.onForeign = this.#onForeign;
    this.#new = null;
  }

  /** Takes the ownership where it could not be had before. */
  #own(): void {
    this.#lock ??= this.#ground.lockOf(this.#path);
    const now = performance.now();
    if (this.#lock.held || now - this.#lockTried < LOCK_RETRY_MS) return;
    this.#lockTried = now;
    takeLock(this.#lock);
  }

  #checkOpen(): void {
    if (this.#closed) throw new SessionStoreError('storage_closed', 'The session is closed.', { path: this.#path });
  }
}

/**
 * Takes the ownership of a session file. Where the disk lets no lock be made the session is ours within this process only:
 * better than that it is not stored. @throws `session_owned`
 */
export function takeLock(lock: OwnerLock): void {
  try {
    lock.acquire();
  } catch (error) {
    if (error instanceof SessionStoreError || diskCode(error) === null) throw error;
  }
}
