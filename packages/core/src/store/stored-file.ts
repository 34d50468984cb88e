import { diskCode } from '../disk/disk.ts';
import type { FileEntry, SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import type { Problem } from '../problems.ts';
import { isAbsent } from '../storage/names.ts';
import { look, recordsOf } from './foreign-look.ts';
import type { ForeignChange, Guard, LogRecord } from './session-store.ts';
import { runSync, type Steps } from './steps.ts';
import { appendRecords } from './stored-append.ts';
import type { StoredHead } from './stored-head.ts';
import { loadLog, scanLog, type StoredLog } from './stored-log.ts';
import { recordBytes, type RawSource } from './stored-record.ts';
import { outdateEdited } from './stored-edits.ts';
import { replaceHeader, replaceRecords } from './stored-replace.ts';
import { FileState, type FileGround } from './stored-state.ts';

/** A rewriting of the file waits for this many others at most. */
const READINGS = 2;

/** A session file that is open for writing. Errors: those of the handle. */
export class StoredFile implements RawSource {
  readonly #state: FileState;

  private constructor(state: FileState) {
    this.#state = state;
  }

  /** A file whose beginning has been read. */
  static open(ground: FileGround, path: string, head: StoredHead): StoredFile {
    return new StoredFile(new FileState(ground, path, head));
  }

  /** A file that was written just now. */
  static written(ground: FileGround, path: string, log: StoredLog, entries: FileEntry[]): StoredFile {
    const state = new FileState(ground, path, log.head);
    state.adopt(log, entries);
    state.trusted = true;
    return new StoredFile(state);
  }

  get path(): string {
    return this.#state.path;
  }

  get header(): SessionHeader {
    return this.#state.header;
  }

  get problems(): readonly Problem[] {
    return this.#state.problems;
  }

  get revision(): string {
    this.#load();
    return this.#state.revision;
  }

  get mustReplace(): boolean {
    this.#load();
    return this.#state.mustReplace;
  }

  set onForeign(told: ((change: ForeignChange) => void) | null) {
    this.#state.onForeign = told;
  }

  /** Records, of which the first is the header. Values that were read or written before are the same objects again. */
  *read(offset: number, limit: number): Steps<LogRecord[]> {
    return yield* this.#guarded(this.#read(offset, limit));
  }

  append(records: readonly LogRecord[]): void {
    this.#load();
    this.#writing(() => appendRecords(this.#state, this, records));
  }

  *replace(records: readonly LogRecord[], guard: Guard): Steps<void> {
    this.#load();
    yield* this.#guarded(replaceRecords(this.#state, this, records, guard));
  }

  *updateHeader(header: SessionHeader): Steps<void> {
    this.#load();
    yield* this.#guarded(replaceHeader(this.#state, this, header));
  }

  /** See `SessionHandle.noticeEdits`. */
  *noticeEdits(entries: readonly FileEntry[]): Steps<void> {
    this.#load();
    yield* this.#guarded(outdateEdited(this.#state, this, entries));
  }

  /** Looks whether somebody else has changed the file. */
  look(): void {
    this.#writing(() => look(this.#state, this, true));
  }

  rawOf(value: FileEntry): Uint8Array | undefined {
    const { log, ground, path, lost } = this.#state;
    const number = this.#state.numberOf(value);
    if (number === undefined || log === null || lost) return undefined;
    return recordBytes(ground.disk, path, log.spans.offset(number), log.spans.length(number));
  }

  /** The file has got another name. */
  relocate(path: string): void {
    this.#state.relocate(path);
  }

  /** Lets go of the file. */
  close(): void {
    this.#state.closed = true;
    try {
      this.#state.file.close();
    } catch (error) {
      throw writeError(error, this.#state.path);
    }
  }

  *#read(offset: number, limit: number): Steps<LogRecord[]> {
    const state = this.#state;
    look(state, this, true);
    for (let reading = 1; ; reading++) {
      const known = state.lost ? null : state.entries();
      if (known !== null) return recordsOf(state.header, known, this, offset, limit);
      const { changes } = state;
      const steps = loadLog(state.ground.disk, state.path, state.ground.forms);
      const { log, entries } = reading < READINGS ? yield* steps : runSync(steps);
      if (changes !== state.changes) continue;
      if (!state.isSeen(log.seen)) {
        // Somebody was faster than we could read: that is told first.
        look(state, this, true);
        continue;
      }
      state.keepKnown(entries);
      state.adopt(log, entries);
      return recordsOf(log.header, entries, this, offset, limit);
    }
  }

  #load(): void {
    const state = this.#state;
    if (state.log === null) state.adopt(runSync(scanLog(state.ground.disk, state.path)), []);
  }

  *#guarded<T>(steps: Steps<T>): Steps<T> {
    try {
      return yield* steps;
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #writing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** What is not there any more was removed by somebody: then the session is to be replaced. */
  #failure(error: unknown): unknown {
    const state = this.#state;
    if (isAbsent(error)) {
      look(state, this, true);
      if (state.lost) return new SessionStoreError('session_conflict', 'The session file is gone.', { path: state.path }, error);
    }
    return writeError(error, state.path);
  }
}

/** What a platform error means for a session that is open for writing. Others stay what they are. */
export function writeError(error: unknown, path: string): unknown {
  const errno = diskCode(error);
  if (errno === null || error instanceof SessionStoreError) return error;
  return new SessionStoreError('storage_io', `The disk refused the session file (${errno}).`, { path, errno }, error);
}
