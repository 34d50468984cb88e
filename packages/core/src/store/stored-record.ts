import type { FileEntry } from '../entries/entry.ts';
import type { LogRecord } from './session-store.ts';

/** Answers the stored bytes of a value that was read from it; undefined where they are not what the value means. */
export interface RawSource {
  rawOf(value: FileEntry): Uint8Array | undefined;
}

/** A record that was read. Its bytes are fetched when they are asked for. */
export class StoredRecord implements LogRecord {
  readonly value: FileEntry;
  readonly #source: RawSource;

  constructor(value: FileEntry, source: RawSource) {
    this.value = value;
    this.#source = source;
  }

  get raw(): Uint8Array | undefined {
    return this.#source.rawOf(this.value);
  }
}
