import { answerNow } from '../../asking.ts';
import { DiskError, diskCode, writeAllSync, type DiskAccess, type DiskFile, type DiskStat } from '../../disk/disk.ts';
import type { Problem } from '../../problems.ts';
import type { DecodedStates } from './decoded-states.ts';
import { compressFrame } from './engine.ts';
import { zstdTail } from './zstd.ts';
import { ZstdBytes } from './zstd-bytes.ts';

const LF = 10;
/** Decoded bytes of a frame, where many lines are written at once. */
const FRAME_BYTES = 1024 * 1024;

/** Stored bytes that are looked at first for the beginning of a log. */
const HEAD_BYTES = 64 * 1024;

/** What all files of decoded bytes have in common. */
abstract class ZstdFile implements DiskFile {
  readonly isEncoded = true;
  protected readonly file: DiskFile;
  protected readonly path: string;

  constructor(file: DiskFile, path: string) {
    this.file = file;
    this.path = path;
  }

  /** What is wrong with how the bytes are stored. */
  get encodingProblems(): readonly Problem[] {
    return [];
  }

  async read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number> {
    return this.readSync(buffer, offset, length, position);
  }

  readSync(_buffer: Uint8Array, _offset: number, _length: number, _position: number): number {
    throw this.refused('read');
  }

  writeSync(_buffer: Uint8Array, _offset: number, _length: number, _position: number | null): number {
    throw this.refused('write');
  }

  truncateSync(_size: number): void {
    throw this.refused('ftruncate');
  }

  abstract statSync(): DiskStat;

  syncSync(): void {
    this.file.syncSync();
  }

  setAccessSync(access: DiskAccess): void {
    this.file.setAccessSync(access);
  }

  setTimeSync(mtimeMs: number): void {
    this.file.setTimeSync(mtimeMs);
  }

  closeSync(): void {
    this.file.closeSync();
  }

  protected refused(operation: string): DiskError {
    return new DiskError('ENOTSUP', operation, this.path);
  }
}

/** Reads, and cuts off whole frames. */
export class ZstdReadFile extends ZstdFile {
  readonly #states: DecodedStates;
  /** Of a file that was not asked for its size yet: its beginning is decoded as far as it is read. */
  #bytes: ZstdBytes | null = null;
  #isWhole = false;

  constructor(file: DiskFile, path: string, states: DecodedStates) {
    super(file, path);
    this.#states = states;
  }

  override get encodingProblems(): readonly Problem[] {
    return this.#whole().problems;
  }

  override readSync(buffer: Uint8Array, offset: number, length: number, position: number): number {
    const bytes = this.#decodedTo(position + length);
    const span = bytes.readSync(this.file, position, length);
    buffer.set(span, offset);
    return span.length;
  }

  statSync(): DiskStat {
    return { ...this.file.statSync(), size: this.#whole().size };
  }

  lastBytes(length: number): Uint8Array {
    return answerNow(zstdTail(this.file, this.file.statSync().size, length)).bytes;
  }

  /** @throws EINVAL where that is in the middle of a frame */
  override truncateSync(size: number): void {
    const stored = this.#whole().storedAt(size);
    if (stored === null) throw new DiskError('EINVAL', 'ftruncate', this.path);
    this.file.truncateSync(stored);
    this.#states.forget(this.file);
    this.#bytes = null;
    this.#isWhole = false;
  }

  /** The bytes, known up to a place at least where there are as many. */
  #decodedTo(end: number): ZstdBytes {
    if (this.#isWhole) return this.#bytes!;
    this.#bytes ??= new ZstdBytes();
    const bytes = this.#bytes;
    if (bytes.size >= end) return bytes;
    // Whoever reads on from the beginning reads all of it.
    if (bytes.size > 0 && end > FRAME_BYTES) return this.#whole();
    const { size } = this.file.statSync();
    for (const to of [Math.min(size, bytes.stored + HEAD_BYTES), size]) {
      for (const _piece of bytes.chunksSync(this.file, to, end - bytes.size)) if (bytes.size >= end) return bytes;
    }
    return bytes;
  }

  #whole(): ZstdBytes {
    if (!this.#isWhole) this.#bytes = this.#states.whole(this.file).bytes;
    this.#isWhole = true;
    return this.#bytes!;
  }
}

/** Adds frames at the end. */
export class ZstdAppendFile extends ZstdFile {
  readonly #states: DecodedStates;

  constructor(file: DiskFile, path: string, states: DecodedStates) {
    super(file, path);
    this.#states = states;
  }

  /** One frame, whole or not at all. */
  override writeSync(buffer: Uint8Array, offset: number, length: number, _position: number | null): number {
    const content = buffer.subarray(offset, offset + length);
    const frame = compressFrame(content);
    if (this.#states.debtOf(this.file) !== undefined) this.#cut();
    const stat = this.file.statSync();
    const before = stat.size;
    const state = this.#states.current(stat) ?? this.#stateAt(before);
    try {
      writeAllSync(this.file, frame, null, this.path);
    } catch (error) {
      this.#states.owe(this.file, { size: before, frame });
      this.#cutIfPossible();
      throw error;
    }
    const after = this.file.statSync();
    const isAlone = after.size === before + frame.length;
    if (isAlone && state?.bytes.isTorn === false) this.#states.grew(state, frame, content, after);
    return length;
  }

  statSync(): DiskStat {
    const stat = this.file.statSync();
    const size = this.#states.current(stat)?.bytes.size ?? this.#reading((file) => this.#states.whole(file).bytes.size);
    return { ...stat, size: size ?? 0 };
  }

  /** The frames, where they are known to the end; null otherwise. */
  #stateAt(size: number): ReturnType<DecodedStates['of']> | null {
    return this.#reading((file) => {
      const state = this.#states.of(file);
      return state.decodedTo === size ? state : null;
    });
  }

  /** What the disk does not let be cut now is cut before the next write. */
  #cutIfPossible(): void {
    try {
      this.#cut();
    } catch (error) {
      // The disk is still out of order, and the write's own error says enough.
      if (diskCode(error) === null) throw error;
    }
  }

  /** Half a frame is in the way of the next one. */
  #cut(): void {
    const file = this.#states.disk.openSync(this.path, 'readwrite');
    try {
      this.#states.settle(file);
    } finally {
      file.closeSync();
    }
  }

  /** Files that are open for appending may not be read: a second look at the same one. Null where that is not possible. */
  #reading<T>(work: (file: DiskFile) => T): T | null {
    try {
      const file = this.#states.disk.openSync(this.path, 'read');
      try {
        const [a, b] = [file.statSync(), this.file.statSync()];
        return a.dev === b.dev && a.ino === b.ino ? work(file) : null;
      } finally {
        file.closeSync();
      }
    } catch (error) {
      if (diskCode(error) === null) throw error;
      return null;
    }
  }
}

/** A new file, written from its beginning to its end. */
export class ZstdNewFile extends ZstdFile {
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Decoded bytes so far. */
  #size = 0;
  #stored = 0;
  #hasHeader = false;

  override writeSync(buffer: Uint8Array, offset: number, length: number, position: number | null): number {
    if (position !== null && position !== this.#size) throw this.refused('write');
    const bytes = new Uint8Array(buffer.subarray(offset, offset + length));
    if (!this.#hasHeader) this.#header(bytes);
    else this.#take(bytes);
    this.#size += length;
    return length;
  }

  statSync(): DiskStat {
    return { ...this.file.statSync(), size: this.#size };
  }

  override syncSync(): void {
    this.#flush();
    super.syncSync();
  }

  override closeSync(): void {
    try {
      this.#flush();
    } finally {
      super.closeSync();
    }
  }

  /** The first line is a frame of its own. */
  #header(bytes: Uint8Array): void {
    const end = bytes.indexOf(LF) + 1;
    this.#take(end === 0 ? bytes : bytes.subarray(0, end));
    if (end === 0) return;
    this.#flush();
    this.#hasHeader = true;
    if (end < bytes.length) this.#take(bytes.subarray(end));
  }

  #take(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (!this.#hasHeader || this.#waitingBytes < FRAME_BYTES) return;
    const all = Buffer.concat(this.#waiting);
    let from = 0;
    for (let end = lineEnd(all, 0); end > from; end = all.length - from < FRAME_BYTES ? 0 : lineEnd(all, from)) {
      this.#frame(all.subarray(from, end));
      from = end;
    }
    this.#waiting = from < all.length ? [all.subarray(from)] : [];
    this.#waitingBytes = all.length - from;
  }

  #flush(): void {
    if (this.#waitingBytes === 0) return;
    this.#frame(Buffer.concat(this.#waiting));
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #frame(content: Uint8Array): void {
    const frame = compressFrame(content);
    writeAllSync(this.file, frame, this.#stored, this.path);
    this.#stored += frame.length;
  }
}

/** Where the lines end that make a frame: as many as fit, or one that is longer. 0 where the line goes on. */
function lineEnd(bytes: Buffer, from: number): number {
  const last = bytes.lastIndexOf(LF, from + FRAME_BYTES - 1);
  return (last >= from ? last : bytes.indexOf(LF, from)) + 1;
}
