import { readSpanSync, type DiskFile } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import type { AtomicReplace } from '../storage/atomic-replace.ts';
import { TAIL_BYTES } from '../storage/seen.ts';
import type { LogRecord } from './session-store.ts';
import type { Steps } from './steps.ts';
import { lineOf, type Prepare } from './stored-lines.ts';
import { StoredSpans } from './stored-spans.ts';

/** Neighbours in the old file are copied together, up to so many bytes. */
const RUN_BYTES = 8 * 1024 * 1024;
const BUFFER_BYTES = 1024 * 1024;
const LF = 10;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Where known records can be copied from. */
export interface BodySource {
  file: DiskFile;
  spans: StoredSpans;
  /** The number of a record whose bytes are what it means; undefined for all others. */
  numberOf(record: LogRecord): number | undefined;
}

/** Writes the lines of a session file that takes another's place, and notes where each record comes to lie. */
export class StoredBody {
  readonly spans = new StoredSpans();
  readonly #to: AtomicReplace;
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #used = 0;
  #tail = new Uint8Array(0);

  constructor(to: AtomicReplace) {
    this.#to = to;
  }

  /** Bytes so far. */
  get size(): number {
    return this.#to.size + this.#used;
  }

  /** The last bytes that were flushed. */
  get tail(): Uint8Array {
    return this.#tail;
  }

  /** Adds a record by its bytes, which lack the line feed. @param faithful see `StoredSpans` */
  line(bytes: Uint8Array, faithful = true): void {
    this.spans.add(this.size, bytes.length, faithful);
    this.bytes(bytes);
    this.bytes(LINE_END);
  }

  /** Adds bytes that are no record. */
  bytes(bytes: Uint8Array): void {
    if (this.#used + bytes.length > BUFFER_BYTES) this.flush();
    if (bytes.length > BUFFER_BYTES) this.#write(bytes);
    else {
      this.#buffer.set(bytes, this.#used);
      this.#used += bytes.length;
    }
  }

  flush(): void {
    if (this.#used > 0) this.#write(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  /** Adds all records from one on: known ones are copied, the others are prepared. */
  *records(records: readonly LogRecord[], from: number, source: BodySource | null, prepare: Prepare): Steps<void> {
    let paused = this.size;
    for (let at = from; at < records.length;) {
      const numberAt = (i: number): number | undefined =>
        source === null || i >= records.length ? undefined : source.numberOf(records[i]!);
      const number = numberAt(at);
      if (source === null || number === undefined) this.line(lineOf(records[at++]!, prepare));
      else {
        const run = runOf(source, number, (i) => numberAt(at + i));
        this.#copy(source, run);
        at += run.length;
      }
      if (this.size - paused > BUFFER_BYTES) {
        paused = this.size;
        yield;
      }
    }
  }

  /** Adds records of the source by their numbers. */
  numbered(source: BodySource, from: number, to: number): void {
    for (let at = from; at < to;) {
      if (!source.spans.isFaithful(at)) throw movedBytes();
      const run = runOf(source, at, (i) => (at + i < to && source.spans.isFaithful(at + i) ? at + i : undefined));
      this.#copy(source, run);
      at += run.length;
    }
  }

  /** @param run numbers of records that follow each other directly in the source */
  #copy({ file, spans }: BodySource, run: readonly number[]): void {
    const start = spans.offset(run[0]!);
    const last = run.at(-1)!;
    const bytes = readSpanSync(file, start, spans.offset(last) + spans.length(last) - start);
    const at = this.size;
    for (const number of run) {
      const from = spans.offset(number) - start;
      const to = from + spans.length(number);
      const separated = number === last ? to === bytes.length : bytes[to] === LF;
      // The file was overwritten in place: its records lie elsewhere now.
      if (bytes[from] !== OPEN || bytes[to - 1] !== CLOSE || !separated) throw movedBytes();
      this.spans.add(at + from, to - from, true);
    }
    this.bytes(bytes);
    this.bytes(LINE_END);
  }

  #write(bytes: Uint8Array): void {
    this.#to.write(bytes);
    const joined = new Uint8Array(Math.min(TAIL_BYTES, this.#tail.length + bytes.length));
    const kept = Math.max(0, joined.length - bytes.length);
    joined.set(this.#tail.subarray(this.#tail.length - kept));
    joined.set(bytes.subarray(Math.max(0, bytes.length - joined.length)), kept);
    this.#tail = joined;
  }
}

const LINE_END = new Uint8Array([LF]);

function runOf({ spans }: BodySource, first: number, numberAt: (i: number) => number | undefined): number[] {
  const run = [first];
  const start = spans.offset(first);
  for (let end = start + spans.length(first); ;) {
    const next = numberAt(run.length);
    if (next === undefined || spans.offset(next) !== end + 1) return run;
    end = spans.offset(next) + spans.length(next);
    if (end - start > RUN_BYTES) return run;
    run.push(next);
  }
}

/** Records do not lie where they were: the file must be read again. */
export function movedBytes(): SessionStoreError {
  return new SessionStoreError('session_conflict', 'The session file was changed by somebody else.', { moved: true });
}
