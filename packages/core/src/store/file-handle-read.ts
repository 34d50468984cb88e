import type { BlobStore } from '../blobs/blob-store.ts';
import type { FileEntry, SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import type { Problem } from '../problems.ts';
import { recordsOf } from './foreign-look.ts';
import { RecordNumbers } from './known-values.ts';
import { ReadOnlyHandle } from './read-only-handle.ts';
import type { LogRecord } from './session-store.ts';
import { runAsync, runSync, type Steps } from './steps.ts';
import { storedLines } from './stored-export.ts';
import { loadLog, scanLog, type StoredLog } from './stored-log.ts';
import { recordBytes, type RawSource } from './stored-record.ts';
import type { FileState } from './stored-state.ts';

/** A session in a file, open for reading: each reading answers what is stored then. */
export class FileReadHandle extends ReadOnlyHandle {
  readonly #state: FileState;

  /** @param state of a file whose beginning was read  @param path its name for people */
  constructor(state: FileState, path: string) {
    super(path);
    this.#state = state;
  }

  get header(): SessionHeader {
    return this.#state.header;
  }

  get revision(): string {
    this.#scan();
    return this.#state.revision;
  }

  get rewriteRequired(): boolean {
    return this.#scan().differs;
  }

  get problems(): readonly Problem[] {
    return this.#state.problems;
  }

  get blobs(): BlobStore {
    return this.#state.ground.blobs;
  }

  get artifactsDir(): string | null {
    return this.#state.ground.artifactsOf(this.path);
  }

  read(offset?: number, limit?: number): Promise<LogRecord[]> {
    return runAsync(this.#read(offset, limit));
  }

  readSync(offset?: number, limit?: number): LogRecord[] {
    return runSync(this.#read(offset, limit));
  }

  async *log(): AsyncGenerator<Uint8Array> {
    this.checkOpen();
    yield* storedLines(this.#state.ground.disk, this.#state.path);
  }

  *#read(offset = 0, limit = Number.POSITIVE_INFINITY): Steps<LogRecord[]> {
    this.checkOpen();
    const { ground, path } = this.#state;
    const { log, entries } = yield* loadLog(ground.disk, path, ground.forms);
    this.#state.adopt(log);
    const source = new ReadSource(this.#state, log, entries);
    const all = recordsOf(log.header, entries, source);
    return offset === 0 && limit >= all.length ? all : all.slice(offset, offset + limit);
  }

  #scan(): StoredLog {
    const { ground, path, log } = this.#state;
    if (log !== null) return log;
    const scanned = runSync(scanLog(ground.disk, path));
    this.#state.adopt(scanned);
    return scanned;
  }

  protected refusal(): SessionStoreError {
    return new SessionStoreError('invalid_argument', 'The session is open for reading only.');
  }
}

/** The bytes of what one reading answered. */
class ReadSource implements RawSource {
  readonly #state: FileState;
  readonly #log: StoredLog;
  readonly #numbers: RecordNumbers;

  constructor(state: FileState, log: StoredLog, entries: FileEntry[]) {
    this.#state = state;
    this.#log = log;
    this.#numbers = new RecordNumbers(entries);
  }

  rawOf(value: FileEntry): Uint8Array | undefined {
    const number = value === this.#log.header ? 0 : this.#numbers.of(value);
    const { spans } = this.#log;
    if (number === undefined || !spans.isFaithful(number)) return undefined;
    return recordBytes(this.#state.ground.disk, this.#state.path, spans.offset(number), spans.length(number));
  }
}
