import type { BlobStore } from '../blobs/blob-store.ts';
import { codecFor } from '../codec/registry.ts';
import type { Disk } from '../disk/disk.ts';
import type { SessionEntry, SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import type { Problem } from '../problems.ts';
import type { SessionReader } from './reader.ts';
import { ReadOnlyHandle } from './read-only-handle.ts';
import type { LogRecord } from './session-store.ts';
import { storeError } from './store-error.ts';

const LF = 10;
/** So many entries are read at once. */
const ROWS = 2_000;

/** What belongs to a log besides its reader. */
export interface DshPlace {
  disk: Disk;
  path: string;
  folder: string | null;
  blobs: BlobStore;
  /** What is wrong with where it lies. */
  problems: readonly Problem[];
}

/** A log of DeepSeek Harness, open for reading: its events as entries, as they were when it was opened. */
export class DshHandle extends ReadOnlyHandle {
  readonly rewriteRequired = false;
  readonly header: SessionHeader;
  readonly blobs: BlobStore;
  readonly artifactsDir: string | null;
  readonly #reader: SessionReader;
  readonly #place: DshPlace;

  /** @param reader of a log that is decoded */
  constructor(reader: SessionReader, header: SessionHeader, place: DshPlace) {
    super(place.path);
    this.#reader = reader;
    this.#place = place;
    this.header = header;
    this.blobs = place.blobs;
    this.artifactsDir = place.folder;
  }

  get revision(): string {
    return this.#reader.revision;
  }

  get problems(): readonly Problem[] {
    return [...this.#place.problems, ...this.#reader.problems];
  }

  async read(offset = 0, limit = Number.POSITIVE_INFINITY): Promise<LogRecord[]> {
    this.checkOpen();
    const { rowCount } = this.#reader.outline;
    const records: LogRecord[] = offset === 0 && limit > 0 ? [{ value: this.header }] : [];
    const first = Math.max(0, offset - 1);
    const end = Math.min(rowCount, first + limit - records.length);
    for (let from = first; from < end; from += ROWS) {
      const rows = Array.from({ length: Math.min(ROWS, end - from) }, (_, i) => from + i);
      for (const value of await this.#reader.load(rows)) records.push({ value: value as SessionEntry });
    }
    return records;
  }

  readSync(): never {
    throw new SessionStoreError('unsupported', 'Logs of DeepSeek Harness are not read at once.');
  }

  override async close(): Promise<void> {
    await super.close();
    this.#reader.close();
  }

  /** The stored lines as they are, packed rows included; an unfinished last line is left out. */
  async *log(): AsyncGenerator<Uint8Array> {
    this.checkOpen();
    const { disk, path } = this.#place;
    try {
      const file = await disk.openNoFollow(path);
      try {
        const lines = new WholeLines();
        for await (const chunk of codecFor(path)!.open().chunks(file, file.statSync().size)) yield* lines.push(chunk);
      } finally {
        file.closeSync();
      }
    } catch (error) {
      throw storeError(error, path);
    }
  }

  protected refusal(): SessionStoreError {
    return new SessionStoreError('unsupported', 'Logs of DeepSeek Harness are not written.');
  }
}

/** Cuts chunks where lines end. What is no line, because what was in it is damaged, is left out. */
class WholeLines {
  #held: Uint8Array[] = [];

  *push(chunk: Uint8Array): Generator<Uint8Array> {
    const end = chunk.lastIndexOf(LF) + 1;
    if (end > 0) {
      const lines = withoutEmpty(Buffer.concat([...this.#held, chunk.subarray(0, end)]));
      this.#held = [];
      if (lines.length > 0) yield lines;
    }
    // The chunk's bytes are another's with the next one.
    if (end < chunk.length) this.#held.push(chunk.slice(end));
  }
}

/** Bytes that end with a line feed, without the line feeds that end nothing. Works in place. */
function withoutEmpty(lines: Buffer): Buffer {
  let to = 0;
  let isStart = true;
  for (let from = 0; from < lines.length;) {
    const end = lines.indexOf(LF, from) + 1;
    isStart = end === from + 1;
    if (!isStart) {
      if (to !== from) lines.copyWithin(to, from, end);
      to += end - from;
    }
    from = end;
  }
  return lines.subarray(0, to);
}
