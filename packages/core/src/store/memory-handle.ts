import type { BlobStore } from '../blobs/blob-store.ts';
import type { FileEntry, RawRecord, SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import type { Problem } from '../problems.ts';
import { PublishQueue, type Published } from './publish-queue.ts';
import type { AccessMode, ForeignChange, Guard, LogRecord, SessionHandle } from './session-store.ts';
import { checkEntries, headerLine, headerOf, joinLines, isStoredAs, lineOf } from './stored-lines.ts';
import type { EntryForms } from './stored-forms.ts';

/** A session as a memory store keeps it: lines as they would be in a file. */
export interface MemorySession {
  header: SessionHeader;
  /** Of the entries, without line feeds. */
  lines: Uint8Array[];
  revision: number;
  modified: number;
  /** Who has it open for writing. */
  owner: MemoryHandle | null;
}

/** What a handle needs of its store. */
export interface MemoryGround {
  readonly forms: EntryForms;
  readonly blobs: BlobStore;
  now(): number;
  session(id: string): MemorySession | undefined;
  /** A created session is written first. @throws `session_exists` */
  add(session: MemorySession): void;
  /** The handle was closed. */
  release(handle: MemoryHandle): void;
}

const decoder = new TextDecoder();

export class MemoryHandle implements SessionHandle {
  readonly mode: AccessMode;
  readonly path = null;
  readonly artifactsDir = null;
  readonly rewriteRequired = false;
  readonly problems: readonly Problem[] = [];
  /** Nobody else can change it. */
  onForeign: ((change: ForeignChange) => void) | null = null;
  onPublished: ((records: readonly LogRecord[]) => void) | null = null;
  readonly #ground: MemoryGround;
  readonly #queue = new PublishQueue((records) => {
    this.#append(records);
    this.onPublished?.(records);
  });
  /** Stored bytes of the records that went through this handle: they are written as they are again. */
  readonly #known = new WeakMap<FileEntry, Uint8Array>();
  #session: MemorySession;
  #closed = false;

  constructor(ground: MemoryGround, session: MemorySession, mode: AccessMode) {
    this.#ground = ground;
    this.#session = session;
    this.mode = mode;
  }

  get header(): SessionHeader {
    return this.#session.header;
  }

  get stored(): boolean {
    return this.#ground.session(this.header.id) === this.#session;
  }

  get revision(): string {
    return String(this.#session.revision);
  }

  get blobs(): BlobStore {
    return this.#ground.blobs;
  }

  async read(offset = 0, limit = Number.POSITIVE_INFINITY): Promise<LogRecord[]> {
    return this.readSync(offset, limit);
  }

  readSync(offset = 0, limit = Number.POSITIVE_INFINITY): LogRecord[] {
    this.#checkOpen();
    if (this.mode === 'read' && !this.stored) throw new SessionStoreError('session_not_found', 'The session is gone.');
    const all = [headerLine(this.header), ...this.#session.lines];
    return all
      .slice(offset, offset + limit)
      .map((raw, i) => (offset + i === 0 ? { value: this.header, raw } : this.#record(raw)));
  }

  async append(records: readonly LogRecord[]): Promise<void> {
    this.appendSync(records);
  }

  appendSync(records: readonly LogRecord[]): void {
    this.#checkWriting();
    if (this.stored) this.#queue.drain();
    this.#append(records);
  }

  async replace(records: readonly LogRecord[], guard: Guard): Promise<void> {
    this.replaceSync(records, guard);
  }

  replaceSync(records: readonly LogRecord[], guard: Guard): void {
    this.#checkWriting();
    if (guard.revision !== this.revision) throw new SessionStoreError('session_conflict', 'The session has changed since.');
    const header = headerOf(records, this.header.id);
    const entries = records.slice(1);
    checkEntries(entries);
    const lines = this.#linesOf(entries);
    this.#store();
    this.#session.header = header;
    this.#session.lines = lines;
    this.#changed();
  }

  async noticeEdits(entries: readonly FileEntry[]): Promise<void> {
    this.#checkWriting();
    for (const entry of entries) {
      const line = this.#known.get(entry);
      if (line !== undefined && !isStoredAs(entry, line, this.#ground.forms.prepare)) this.#known.delete(entry);
    }
  }

  async updateHeader(header: SessionHeader): Promise<void> {
    this.#checkWriting();
    this.#session.header = headerOf([{ value: header }], this.header.id);
    if (this.stored) this.#changed();
  }

  checkSync(): void {
    this.#checkOpen();
  }

  async flush(): Promise<void> {
    this.flushSync();
  }

  flushSync(): void {
    this.#checkOpen();
    if (this.stored) this.#queue.drain();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    if (this.stored) this.#queue.drain();
    this.#closed = true;
    if (this.#session.owner === this) this.#session.owner = null;
    this.#ground.release(this);
  }

  async *log(): AsyncGenerator<Uint8Array> {
    this.#checkOpen();
    yield joinLines([headerLine(this.header)]);
    for (const line of [...this.#session.lines]) yield joinLines([line]);
  }

  /** Takes records that are written soon. */
  publish(records: readonly LogRecord[]): void {
    this.#checkWriting();
    checkEntries(records);
    this.#queue.push(records.map((record) => ({ value: record.value, raw: lineOf(record, this.#ground.forms.prepare) })));
  }

  #append(records: readonly LogRecord[] | readonly Published[]): void {
    checkEntries(records);
    const lines = this.#linesOf(records);
    this.#store();
    for (const line of lines) this.#session.lines.push(line);
    this.#changed();
  }

  #linesOf(records: readonly LogRecord[]): Uint8Array[] {
    return records.map((record) => {
      const known = record.raw === undefined ? this.#known.get(record.value) : undefined;
      const line = known ?? lineOf(record, this.#ground.forms.prepare);
      this.#known.set(record.value, line);
      return line;
    });
  }

  /** A created session goes into the store. */
  #store(): void {
    if (!this.stored) this.#ground.add(this.#session);
  }

  #changed(): void {
    this.#session.revision++;
    this.#session.modified = this.#ground.now();
  }

  #record(raw: Uint8Array): LogRecord {
    const value = this.#ground.forms.restore(JSON.parse(decoder.decode(raw)) as RawRecord).value as unknown as FileEntry;
    this.#known.set(value, raw);
    return { value, raw };
  }

  #checkOpen(): void {
    if (this.#closed) throw new SessionStoreError('storage_closed', 'The session is closed.');
  }

  #checkWriting(): void {
    this.#checkOpen();
    if (this.mode === 'read') throw new SessionStoreError('invalid_argument', 'The session is open for reading only.');
  }
}
