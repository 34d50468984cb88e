import type { BlobStore } from '../blobs/blob-store.ts';
import { diskCode, type Disk } from '../disk/disk.ts';
import { CURRENT_SESSION_VERSION, type FileEntry, type SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { isHarnessHeader } from '../logs/dsh/header.ts';
import { headerVersion } from '../logs/header.ts';
import type { Problem } from '../problems.ts';
import { AppendFile } from '../storage/append-file.ts';
import { sameBytes, type Seen } from '../storage/seen.ts';
import type { ForeignChange, LogRecord } from './session-store.ts';
import type { EntryForms } from './stored-forms.ts';
import type { StoredHead } from './stored-head.ts';
import type { StoredLog } from './stored-log.ts';
import { StoredRecord } from './stored-record.ts';
import { RecordNumbers, type EntryList } from './known-values.ts';

/** What files of sessions need of their store. */
export interface FileGround {
  /** Sessions as they are read and written. */
  readonly disk: Disk;
  /** The same with the bytes as they are stored, of which copies are kept. */
  readonly stored: Disk;
  readonly forms: EntryForms;
  readonly blobs: BlobStore;
  /** The folder for what belongs to a session file; null where it has none. */
  artifactsOf(path: string): string | null;
  /** Every write survives a power failure, too. */
  readonly durable: boolean;
  /** Epoch ms. */
  now(): number;
}

/** What a handle for writing knows of its file. The modules beside this one work on it. */
export class FileState {
  readonly ground: FileGround;
  /** Real path. */
  path: string;
  head: StoredHead;
  /** Null until it is needed. */
  log: StoredLog | null = null;
  file: AppendFile;
  onForeign: ((change: ForeignChange) => void) | null = null;
  /** There is no session of ours at the path: it was removed, or something else took its place. */
  lost = false;
  /** All bytes of the file are ours: no copy of it is needed before it is replaced. */
  trusted = false;
  /** The incomplete last line is somebody else's, who may be at it. */
  tornByOthers = false;
  /** Counts what changes the file. */
  changes = 0;
  /** Counts what gives the records other numbers. */
  epoch = 0;
  /** When the file was last looked at, ms of a clock that only goes on. */
  lookedAt = Number.NEGATIVE_INFINITY;
  closed = false;
  /** Where values are noted that are appended while the file is being replaced. */
  readonly journals = new Set<FileEntry[]>();
  /** Null: `#grownTo` tells. */
  #revision: string | null = '';
  /** Bytes of the file after our last append. */
  #grownTo = 0;
  #entries: EntryList = [];
  #numbers = new RecordNumbers(this.#entries);

  constructor(ground: FileGround, path: string, head: StoredHead) {
    this.ground = ground;
    this.path = path;
    this.head = head;
    this.file = this.#appendFile();
  }

  get header(): SessionHeader {
    const { header } = this.head;
    return this.log?.header ?? (isOld(header) ? { ...header, version: CURRENT_SESSION_VERSION } : header);
  }

  get problems(): readonly Problem[] {
    return this.log?.problems ?? [];
  }

  /** What is stored is not what was read, or is not there. */
  get mustReplace(): boolean {
    return this.lost || this.log?.differs === true;
  }

  /** Takes over what was read or written. @param entries where records have other numbers than before; without it they keep them */
  adopt(log: StoredLog, entries?: EntryList): void {
    this.log = log;
    this.head = log.head;
    if (entries !== undefined) {
      this.#entries = entries;
      this.#numbers = new RecordNumbers(entries);
      this.epoch++;
    }
    this.lost = false;
    this.tornByOthers = false;
    this.expect(log.seen);
  }

  /** The file is known to be like this now. */
  expect(seen: Seen): void {
    // Another file than the open one: where that cannot be closed it is let go of all the same.
    if (!asFarAsPossible(() => this.file.expect(seen))) this.file.expect(seen);
    this.changed();
  }

  /** Is it the file that is known, as far as its length and its end tell? So is any where none is known yet. */
  isSeen({ dev, ino, size, tail }: Seen): boolean {
    const { seen } = this.file;
    if (this.log === null || seen === null) return true;
    return seen.dev === dev && seen.ino === ino && seen.size === size && sameBytes(seen.tail, tail);
  }

  /** See `SessionHandle.revision`. */
  get revision(): string {
    return (this.#revision ??= `${String(this.file.seen?.ino)}:${String(this.#grownTo)}:+${String(this.changes)}`);
  }

  /** We have appended. The revision is made when somebody asks for it, which is rarely. */
  grew(): void {
    this.changes++;
    this.#grownTo = this.file.size;
    this.#revision = null;
  }

  /** The file has changed, by us or by somebody else. */
  changed(): void {
    this.changes++;
    const { seen } = this.file;
    const time = seen?.mtimeNs ?? null;
    this.#revision = `${String(seen?.ino)}:${String(seen?.size)}:${time === null ? `+${String(this.changes)}` : String(time)}`;
  }

  /** There is no session of ours any more. */
  lose(): void {
    this.lost = true;
    this.changes++;
    this.#revision = `lost:${String(this.changes)}`;
  }

  /** A new record at the end. */
  added(value: FileEntry, place: { offset: number; length: number; faithful: boolean }): void {
    this.#entries[this.log!.spans.add(place.offset, place.length, place.faithful) - 1] = value;
    for (const journal of this.journals) journal.push(value);
  }

  /** All entries; null where one has not been read yet. */
  entries(): readonly FileEntry[] | null {
    const count = (this.log?.spans.count ?? 0) - 1;
    for (let at = 0; at < count; at++) if (this.#entries[at] === undefined) return null;
    return count < 0 ? null : (this.#entries as FileEntry[]);
  }

  /** Puts entries that were read or written before in the place of those that were read again. */
  keepKnown(read: FileEntry[]): void {
    for (let at = 0; at < read.length; at++) read[at] = this.#entries[at] ?? read[at]!;
  }

  /** Answers one record after another the number of a record whose bytes in the file are what it means. */
  numbers(): (record: LogRecord) => number | undefined {
    const numbers = new RecordNumbers(this.#entries);
    return (record) => {
      // Bytes that the caller gives himself count more.
      if (!(record instanceof StoredRecord) && record.raw !== undefined) return undefined;
      return this.#faithful(numbers.of(record.value));
    };
  }

  /** As `numbers`, for one value. */
  numberOf(value: FileEntry): number | undefined {
    return this.#faithful(value === this.header ? 0 : this.#numbers.of(value));
  }

  #faithful(number: number | undefined): number | undefined {
    return number !== undefined && this.log?.spans.isFaithful(number) === true ? number : undefined;
  }

  /** The same file under another name. */
  relocate(path: string): void {
    const { seen } = this.file;
    // Half a line that could not be cut off is found again as somebody else's.
    asFarAsPossible(() => this.file.close());
    this.path = path;
    this.file = this.#appendFile();
    if (seen !== null) this.file.expect(seen);
  }

  /** @throws `session_newer`, `storage_closed` */
  checkWritable(): void {
    if (this.closed) throw new SessionStoreError('storage_closed', 'The session is closed.', { path: this.path });
    checkVersion(this.header, this.path);
  }

  #appendFile(): AppendFile {
    return new AppendFile(this.ground.disk, this.path, { durable: this.ground.durable });
  }
}

/** False: the disk refused it. */
function asFarAsPossible(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return false;
  }
}

/** @throws `session_newer` for a header whose version we do not know; `unsupported` for logs that are never written */
export function checkVersion(header: SessionHeader, path: string): void {
  if (isHarnessHeader(header)) throw new SessionStoreError('unsupported', 'Logs of DeepSeek Harness are only read.', { path });
  const version = headerVersion(header);
  if (version > CURRENT_SESSION_VERSION)
    throw new SessionStoreError('session_newer', `The session has version ${String(version)}.`, { path, version });
}

export function conflict(path: string): SessionStoreError {
  return new SessionStoreError('session_conflict', 'The session file was changed by somebody else.', { path });
}

function isOld(header: SessionHeader): boolean {
  return headerVersion(header) < CURRENT_SESSION_VERSION;
}
