import { createHash } from 'node:crypto';

import type { Codec, DecodedBytes } from '../codec/codec.ts';
import { diskCode, type Disk, type DiskFile, type DiskStat } from '../disk/disk.ts';
import type { SessionEntry, SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { SessionDecoder } from '../logs/session-decoder.ts';
import type { Outline } from '../outline/outline.ts';
import { problem, type Problem } from '../problems.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { modelForm } from '../shapes/evidence.ts';
import { detectShapes } from '../shapes/registry.ts';
import { loadBodies, nodeDecodeUtf8 } from './bodies.ts';
import type { DecodeThread } from './decode-thread.ts';
import { PrefixSamples } from './prefix-samples.ts';
import type { RefreshResult, SessionReader } from './reader.ts';
import { SharedFile } from './shared-file.ts';
import { storeError } from './store-error.ts';

export interface FileReaderOptions {
  disk: Disk;
  path: string;
  codec: Codec;
  /** What the root is said to hold. */
  hint?: Shapes;
  signal?: AbortSignal;
  /** Decodes larger files apart from the thread that answers people. For files of the real disk. */
  thread?: DecodeThread;
}

/** A file that could not be read to its end is read again after this time at the earliest. */
const RETRY_MS = 5_000;

/** Smaller files are decoded faster than they are handed over. */
const THREAD_BYTES = 256 * 1024;

/** Reads one file. The open file is kept, so that spans stay true to what was decoded while the path gets a new file. */
export class FileReader implements SessionReader {
  readonly ready: Promise<void>;
  readonly #options: FileReaderOptions;
  readonly #abort = new AbortController();
  #file: SharedFile | null = null;
  #stat: DiskStat | null = null;
  #decoder = new SessionDecoder({ decode: nodeDecodeUtf8 });
  #samples = new PrefixSamples();
  #bytes: DecodedBytes;
  /** Stored bytes that the thread says it has decoded. */
  #ahead = 0;
  #complete = false;
  #failure: Problem | null = null;
  #failedAt = 0;
  #generation = 0;
  #shapes: Shapes | null = null;
  #refreshing: Promise<RefreshResult> = Promise.resolve('same');
  #closed = false;

  constructor(options: FileReaderOptions) {
    this.#options = options;
    this.#bytes = options.codec.open();
    const stop = (): void => this.#abort.abort();
    options.signal?.addEventListener('abort', stop, { once: true });
    this.ready = this.#start().finally(() => options.signal?.removeEventListener('abort', stop));
    // Whoever asks for `ready` gets the error; that nobody asks is no fault.
    this.ready.catch(() => undefined);
  }

  get complete(): boolean {
    return this.#complete;
  }

  get progress(): { bytes: number; totalBytes: number } {
    return { bytes: Math.max(this.#bytes.stored, this.#ahead), totalBytes: this.#stat?.size ?? 0 };
  }

  get header(): SessionHeader | null {
    return this.#decoder.header;
  }

  get outline(): Outline {
    return this.#decoder.outline;
  }

  get problems(): Problem[] {
    const found = [...this.#bytes.problems, ...this.#decoder.problems];
    return this.#failure === null ? found : [...found, this.#failure];
  }

  get problemsTotal(): number {
    return this.#decoder.problemsTotal + this.#bytes.problemsTotal + (this.#failure === null ? 0 : 1);
  }

  get shapes(): Shapes {
    this.#shapes ??= detectShapes(
      {
        header: this.#decoder.header,
        titleSlot: this.#decoder.titleSlot,
        splitModelChange: modelForm(this.outline),
        isHarness: this.#decoder.isHarness,
      },
      this.#options.hint,
    );
    return this.#shapes;
  }

  get epoch(): string {
    const { dev, ino } = this.#stat ?? { dev: 0n, ino: 0n };
    return shortHash(
      `${this.#options.path}|${String(dev)}|${String(ino)}|${this.#samples.fingerprint}|${String(this.#generation)}`,
    );
  }

  get revision(): string {
    if (this.#stat === null) return '0';
    return `${this.#stat.size.toString(36)}-${this.#stat.mtimeNs.toString(36)}-${this.#stat.ino.toString(36)}`;
  }

  refresh(): Promise<RefreshResult> {
    this.#refreshing = this.#refreshing.then(
      () => this.#refresh(),
      () => this.#refresh(),
    );
    return this.#refreshing;
  }

  async load(rows: readonly number[]): Promise<SessionEntry[]> {
    return this.#use((file) =>
      loadBodies(rows, {
        outline: this.outline,
        version: this.#decoder.version,
        isHarness: this.#decoder.isHarness,
        read: (at, length) => this.#bytes.read(file, at, length),
      }),
    );
  }

  async loadRaw(row: number): Promise<Uint8Array> {
    return this.#use((file) => this.#bytes.read(file, this.outline.offset(row), this.outline.bytes(row)));
  }

  async loadBytes(offset: number, length: number): Promise<Uint8Array> {
    const known = Math.max(0, Math.min(length, this.#bytes.size - offset));
    return this.#use((file) => this.#bytes.read(file, offset, known));
  }

  close(): void {
    this.#closed = true;
    this.#abort.abort();
    this.#letGo();
  }

  async #start(): Promise<void> {
    await this.#open();
    await this.#decodeAll();
  }

  /** Decodes a file from its beginning, in the thread where that pays. */
  async #decodeAll(): Promise<void> {
    await this.#begin();
    const { thread, path } = this.#options;
    const { size, dev, ino } = this.#stat!;
    const result =
      thread === undefined || size < THREAD_BYTES
        ? null
        : await thread.decode(
            { path, size, dev, ino },
            { signal: this.#abort.signal, onProgress: (bytes) => (this.#ahead = bytes) },
          );
    if (result !== null && !this.#abort.signal.aborted) {
      this.#decoder.restore(result.state);
      this.#bytes = this.#options.codec.open(result.bytes);
      if (result.changed) this.#generation++;
    }
    // What is left to decode: nothing, or everything.
    await this.#decode();
  }

  async #open(): Promise<void> {
    try {
      const file = await this.#options.disk.openNoFollow(this.#options.path);
      this.#file = new SharedFile(file);
      this.#stat = file.statSync();
    } catch (error) {
      throw storeError(error, this.#options.path);
    }
    if (this.#closed) {
      this.#letGo();
      throw new SessionStoreError('cancelled', 'Reading was stopped.');
    }
  }

  /** The epoch must stay the same from the first rows on, so what it is made from is read before them. */
  async #begin(): Promise<void> {
    try {
      await this.#use((file) => this.#samples.begin((at, length) => this.#first(file, at, length)));
    } catch (error) {
      // A bad disk is met again, and named, by the decoding.
      if (diskCode(error) === null) throw error;
    }
  }

  /** Decodes from where it stopped to the size last seen. */
  async #decode(): Promise<{ changed: boolean }> {
    const to = this.#stat!.size;
    await this.#use(async (file) => {
      try {
        for await (const chunk of this.#bytes.chunks(file, to, this.#abort.signal)) this.#decoder.push(chunk);
        await this.#samples.take(this.#bytes.size, (at, length) => this.#bytes.read(file, at, length));
      } catch (error) {
        if (this.#abort.signal.aborted) throw new SessionStoreError('cancelled', 'Reading was stopped.');
        if (diskCode(error) === null) throw error;
        const message = `Reading stopped after ${String(this.#bytes.stored)} bytes: ${diskCode(error)!}.`;
        this.#failedAt = performance.now();
        this.#failure = problem('unreadable', message, { byteOffset: this.#bytes.size });
      }
    });
    const { changed } = this.#decoder.settle();
    this.#shapes = null;
    this.#complete = true;
    if (changed) this.#generation++;
    return { changed };
  }

  async #refresh(): Promise<RefreshResult> {
    await this.ready;
    const before = this.#stat!;
    let now: DiskStat;
    try {
      now = await this.#options.disk.stat(this.#options.path);
    } catch (error) {
      throw storeError(error, this.#options.path);
    }
    const sameFile = now.ino === before.ino && now.dev === before.dev;
    if (sameFile && now.size === before.size && now.mtimeNs === before.mtimeNs && !this.#mayRetry()) return 'same';
    const grown = sameFile && now.size > before.size;
    if (!grown || !(await this.#prefixIsUnchanged(now.size))) return this.#again();
    this.#stat = now;
    const { changed } = await this.#decode();
    return changed ? 'rewritten' : 'appended';
  }

  /** What a bad disk kept back may be there later. */
  #mayRetry(): boolean {
    return this.#failure !== null && performance.now() - this.#failedAt > RETRY_MS;
  }

  /** The bytes decoded so far stand as they were, and a last line taken without its end goes on with nothing but that. */
  async #prefixIsUnchanged(to: number): Promise<boolean> {
    this.#bytes.forget();
    return this.#use(async (file) => {
      const { size } = this.#bytes;
      const read = (at: number, length: number): Promise<Uint8Array> => this.#bytes.read(file, at, length);
      if (this.#failure !== null || !(await this.#samples.match(read)) || !(await this.#bytes.goesOn(file, to))) return false;
      if (this.#decoder.committedOffset !== size || size === 0) return true;
      const last = await read(size - 1, 1);
      if (last[0] === LF) return true;
      const next = await this.#bytes.peek(file, to, 64);
      return /^[ \t\r]*(\n|$)/.test(nodeDecodeUtf8(next, 0, next.length));
    });
  }

  async #again(): Promise<RefreshResult> {
    this.#letGo();
    this.#decoder = new SessionDecoder({ decode: nodeDecodeUtf8 });
    this.#samples = new PrefixSamples();
    this.#bytes = this.#options.codec.open();
    this.#ahead = 0;
    this.#complete = false;
    this.#failure = null;
    this.#generation++;
    await this.#open();
    await this.#decodeAll();
    return 'rewritten';
  }

  /** Of a file of which nothing is decoded yet. */
  async #first(file: DiskFile, at: number, length: number): Promise<Uint8Array> {
    return (await this.#options.codec.head(file, this.#stat!.size, at + length)).subarray(at);
  }

  async #use<T>(work: (file: DiskFile) => Promise<T>): Promise<T> {
    if (this.#file === null) throw new SessionStoreError('storage_closed', 'The session is closed.');
    try {
      return await this.#file.use(work);
    } catch (error) {
      if (diskCode(error) === null) throw error;
      throw storeError(error, this.#options.path);
    }
  }

  #letGo(): void {
    this.#file?.retire();
    this.#file = null;
  }
}

const LF = 10;

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
