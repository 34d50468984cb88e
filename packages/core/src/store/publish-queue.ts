import { SessionStoreError } from '../errors.ts';
import type { LogRecord } from './session-store.ts';

/** Records wait this long for others, ms. */
const WINDOW_MS = 200;
/** So many bytes are written at once. */
const MOST_BYTES = 64 * 1024;

/** A record as it will be stored. */
export interface Published {
  value: LogRecord['value'];
  raw: Uint8Array;
}

/** Collects records and hands them on in batches. What could not be written waits for the next time. */
export class PublishQueue {
  readonly #write: (records: readonly Published[]) => void;
  #waiting: Published[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;

  /** @param write writes all records or throws */
  constructor(write: (records: readonly Published[]) => void) {
    this.#write = write;
  }

  /** Never throws on what the disk says: the next `drain` does. */
  push(records: readonly Published[]): void {
    for (const record of records) {
      this.#waiting.push(record);
      this.#bytes += record.raw.length;
    }
    if (this.#bytes >= MOST_BYTES) this.#try();
    else this.#timer ??= setTimeout(() => this.#try(), WINDOW_MS);
  }

  /** Writes what waits. Throws what the writing throws; then it still waits. */
  drain(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.length === 0) return;
    this.#write(this.#waiting);
    this.#waiting = [];
    this.#bytes = 0;
  }

  /** Forgets what waits. */
  clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting = [];
    this.#bytes = 0;
  }

  #try(): void {
    try {
      this.drain();
    } catch (error) {
      // Nobody waits here. It is tried again with what comes next, by flush and by close, and these say what is wrong.
      if (!(error instanceof SessionStoreError)) throw error;
    }
  }
}
