import { readSpanSync, type Disk } from '../disk/disk.ts';
import type { FileEntry } from '../entries/entry.ts';
import { isAbsent } from '../storage/names.ts';
import { letGo } from './let-go.ts';
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

const OPEN = 0x7b;
const CLOSE = 0x7d;

/** The bytes of a record; undefined where it does not lie there any more. */
export function recordBytes(disk: Disk, path: string, offset: number, length: number): Uint8Array | undefined {
  try {
    const file = disk.openSync(path, 'read');
    try {
      const bytes = readSpanSync(file, offset, length);
      return bytes.length === length && bytes[0] === OPEN && bytes.at(-1) === CLOSE ? bytes : undefined;
    } finally {
      letGo(file);
    }
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return undefined;
  }
}
