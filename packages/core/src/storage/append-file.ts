import * as path from 'node:path';

import { diskCode, readSpanSync, writeAllSync, type Disk, type DiskFile } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import { isAbsent, PRIVATE_FILE } from './names.ts';
import { changeSince, sameBytes, seePath, TAIL_BYTES, type FileChange, type Seen } from './seen.ts';

export interface AppendOptions {
  /** Every append also survives a power failure. */
  durable?: boolean;
  /** Makes the file where it is absent; otherwise that is ENOENT. */
  create?: boolean;
}

const LINE_FEED = 10;
/** Texts up to this size are encoded where the ones before them were: making room for each costs a tenth of its writing. */
const SCRATCH_BYTES = 64 * 1024;
/** UTF-8 takes at most so many bytes for a UTF-16 unit. */
const MAX_UNIT_BYTES = 3;

/**
 * A file that bytes are appended to. It is opened by the first append and stays open. An append is there as a whole or
 * not at all: what a failed one left is cut off again, at once or, where the disk does not let us, before anything else.
 * Errors are the platform's, but `session_conflict` and `storage_closed`.
 */
export class AppendFile {
  readonly path: string;
  readonly #disk: Disk;
  readonly #durable: boolean;
  readonly #create: boolean;
  #file: DiskFile | null = null;
  #seen: Seen | null = null;
  /** What a failed append may have left behind the end, until it is cut off. */
  #debt: Uint8Array | null = null;
  #closed = false;
  /** Taken in turns: the one holds the last append while the next is written to the other. */
  #scratch: [Buffer, Buffer] | null = null;
  /** The end of the last append, where `#seen.tail` does not have it yet: it is needed when somebody looks, not at each append. */
  #last: Uint8Array | null = null;

  constructor(disk: Disk, file: string, options: AppendOptions = {}) {
    this.#disk = disk;
    this.path = file;
    this.#durable = options.durable ?? false;
    this.#create = options.create ?? false;
  }

  /** What is known of the file: set by `expect`, by opening and by appending. Null before. */
  get seen(): Seen | null {
    const seen = this.#known();
    return seen === null ? null : { ...seen };
  }

  /** Bytes that are known to be in the file; 0 as long as it was not looked at. */
  get size(): number {
    return this.#seen?.size ?? 0;
  }

  /** The next line would begin on a line of its own. */
  get endsLine(): boolean {
    const tail = this.#last ?? this.#seen?.tail;
    return tail === undefined || tail.length === 0 || tail[tail.length - 1] === LINE_FEED;
  }

  /** Takes over what the caller has read of the file. Where it is another file than the open one, that is closed. */
  expect(seen: Seen): void {
    if (this.#file !== null && (this.#seen?.dev !== seen.dev || this.#seen.ino !== seen.ino)) this.#letGo();
    this.#seen = { ...seen };
    this.#last = null;
  }

  /**
   * Opens the file unless it is open. @throws `session_conflict` when it is not as `expect` said: look again then;
   * ENOENT
   */
  open(): void {
    this.#opened();
  }

  /** Adds bytes at the end; on disk, as far as a crash of the process goes, when it returns. @throws as `open`, and what the disk says */
  append(bytes: Uint8Array): void {
    this.#write(bytes);
    this.#endsWith(bytes);
  }

  /** As `append`, for a text; the fastest way to write a line. */
  appendText(text: string): void {
    if (text.length > SCRATCH_BYTES / MAX_UNIT_BYTES) {
      this.append(Buffer.from(text));
      return;
    }
    this.#scratch ??= [Buffer.allocUnsafeSlow(SCRATCH_BYTES), Buffer.allocUnsafeSlow(SCRATCH_BYTES)];
    const [next, other] = this.#scratch;
    const bytes = next.subarray(0, next.write(text));
    this.#write(bytes);
    if (bytes.length < TAIL_BYTES) this.#endsWith(bytes);
    else {
      this.#last = bytes;
      this.#scratch = [other, next];
    }
  }

  /** Whether somebody else has changed the file since it was last looked at; one stat. What follows is up to the caller. */
  changed(): FileChange {
    if (this.#debt !== null) this.#settle();
    const seen = this.#known();
    if (seen === null) throw new Error('Nothing is known of the file yet.');
    const { change, stat } = changeSince(this.#disk, this.path, seen);
    if (stat !== null && (change === 'none' || change === 'touched')) seen.mtimeNs = stat.mtimeNs;
    return change;
  }

  /** Makes what was appended survive a power failure, too. */
  sync(): void {
    this.#file?.syncSync();
  }

  /** Cuts what a failed append left where it is still there. May be called again. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      if (this.#debt !== null) this.#settle();
    } finally {
      this.#letGo();
    }
  }

  #known(): Seen | null {
    if (this.#last !== null) {
      this.#seen!.tail = tailOf(this.#seen!.tail, this.#last);
      this.#last = null;
    }
    return this.#seen;
  }

  #endsWith(bytes: Uint8Array): void {
    const seen = this.#known()!;
    seen.tail = tailOf(seen.tail, bytes);
  }

  #write(bytes: Uint8Array): void {
    const file = this.#opened();
    if (this.#debt !== null) this.#settle();
    try {
      writeAllSync(file, bytes, null, this.path);
      if (this.#durable) file.syncSync();
    } catch (error) {
      this.#debt = copy(bytes);
      this.#settleIfPossible();
      throw error;
    }
    this.#seen!.size += bytes.length;
    this.#seen!.mtimeNs = null;
  }

  #opened(): DiskFile {
    if (this.#file !== null) return this.#file;
    if (this.#closed) throw new SessionStoreError('storage_closed', 'The file has been closed.', { path: this.path });
    const file = this.#disk.openSync(this.path, this.#create ? 'append' : 'append-existing', PRIVATE_FILE);
    try {
      const stat = file.statSync();
      this.#seen ??= seePath(this.#disk, this.path);
      if (this.#durable && this.#create) this.#disk.syncDirectorySync(path.dirname(this.path));
      const { dev, ino, size } = this.#seen;
      if (stat.dev !== dev || stat.ino !== ino || stat.size !== size) {
        throw new SessionStoreError('session_conflict', 'The file is not the one that was read.', { path: this.path });
      }
    } catch (error) {
      file.closeSync();
      throw error;
    }
    this.#file = file;
    return file;
  }

  #letGo(): void {
    const file = this.#file;
    this.#file = null;
    this.#debt = null;
    file?.closeSync();
  }

  #settleIfPossible(): void {
    try {
      this.#settle();
    } catch (error) {
      // The disk is still out of order: the debt stays, and the append's own error says enough.
      if (diskCode(error) === null) throw error;
    }
  }

  /**
   * Cuts off what the failed append left. Opens the file anew, because Windows truncates no file that is open for
   * appending. Bytes of somebody else, who appended at that moment, are never cut.
   */
  #settle(): void {
    const bytes = this.#debt!;
    const { dev, ino, size } = this.#seen!;
    let file: DiskFile;
    try {
      file = this.#disk.openSync(this.path, 'readwrite');
    } catch (error) {
      if (!isAbsent(error)) throw error;
      this.#debt = null;
      return;
    }
    try {
      const stat = file.statSync();
      const extra = stat.size - size;
      if (stat.dev === dev && stat.ino === ino) {
        const isOurs = extra > 0 && extra <= bytes.length;
        if (isOurs && sameBytes(readSpanSync(file, size, extra), bytes.subarray(0, extra))) file.truncateSync(size);
        // Opening may have cut it already.
        this.#seen!.mtimeNs = null;
      }
    } finally {
      file.closeSync();
    }
    this.#debt = null;
  }
}

/** The last bytes of `before` and `added` together. */
function tailOf(before: Uint8Array, added: Uint8Array): Uint8Array {
  if (added.length >= TAIL_BYTES) return copy(added.subarray(added.length - TAIL_BYTES));
  const kept = before.subarray(Math.max(0, before.length + added.length - TAIL_BYTES));
  const tail = new Uint8Array(kept.length + added.length);
  tail.set(kept);
  tail.set(added, kept.length);
  return tail;
}

/** A Buffer's own slice would be a view. */
function copy(bytes: Uint8Array): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes);
}
