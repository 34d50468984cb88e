import { diskCode, type Disk, type DiskFile } from '../disk/disk.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { foldTitle, isHeader, titleSlot, type TitleSlot } from '../logs/header.ts';
import { RecordDecoder, type LogRecord } from '../logs/records.ts';
import { answerNow, ask, type Asking } from '../asking.ts';
import { nodeDecodeUtf8 } from './bodies.ts';
import { storeError } from './store-error.ts';

/** Bytes of a file. */
export interface Span {
  offset: number;
  length: number;
}

/** The beginning of a session file. */
export interface StoredHead {
  /** As stored, with the title line folded in. */
  header: SessionHeader;
  span: Span;
  /** The title line before it, which takes its 256 bytes. */
  slot: { value: TitleSlot; span: Span } | null;
}

/** `empty`: there is not a byte. `invalid`: the first record is no header. */
export type HeadResult = { kind: 'valid'; head: StoredHead } | { kind: 'empty' } | { kind: 'invalid' };

const FIRST_BYTES = 4 * 1024;
const NEXT_BYTES = 256 * 1024;

/** Reads as much of a file as it takes to know its header. */
export function readHead(file: DiskFile): HeadResult {
  return answerNow(headSteps(file));
}

/** See `readHead`. */
export function* headSteps(file: DiskFile): Asking<HeadResult> {
  const search = new HeadSearch();
  let buffer = new Uint8Array(FIRST_BYTES);
  for (let at = 0; ;) {
    const [into, from] = [buffer, at];
    const got = yield* ask({
      now: () => file.readSync(into, 0, into.length, from),
      later: () => file.read(into, 0, into.length, from),
    });
    if (got === 0) return at === 0 && !isDamaged(file) ? { kind: 'empty' } : search.end();
    at += got;
    const found = search.push(buffer.subarray(0, got));
    if (found !== null) return found;
    if (buffer.length < NEXT_BYTES) buffer = new Uint8Array(NEXT_BYTES);
  }
}

/** There are bytes, and none of them can be decoded. */
function isDamaged({ encodingProblems = [] }: DiskFile): boolean {
  return encodingProblems.length > 0;
}

/**
 * Opens a session file for a moment and reads its header.
 * @throws `session_not_found` where there is none, or an empty one; `session_invalid` without a header; `storage_io`
 */
export function headOfPath(disk: Disk, path: string): StoredHead {
  const result = headResult(disk, path);
  if (result.kind === 'valid') return result.head;
  if (result.kind === 'empty') throw new SessionStoreError('session_not_found', 'The session file is empty.', { path });
  throw new SessionStoreError('session_invalid', 'The file does not begin with a session header.', { path });
}

/** @throws `session_not_found` where there is no file; `storage_io` */
export function headResult(disk: Disk, path: string): HeadResult {
  try {
    const file = disk.openSync(path, 'read');
    try {
      return readHead(file);
    } finally {
      file.closeSync();
    }
  } catch (error) {
    throw diskCode(error) === null ? error : storeError(error, path);
  }
}

class HeadSearch {
  readonly #decoder = new RecordDecoder(
    { record: (record) => this.#record(record), problem: () => undefined },
    { decode: nodeDecodeUtf8 },
  );
  #slot: StoredHead['slot'] = null;
  #result: HeadResult | null = null;

  push(bytes: Uint8Array): HeadResult | null {
    this.#decoder.push(bytes);
    return this.#result;
  }

  /** There is no more of it. */
  end(): HeadResult {
    this.#decoder.settle();
    return this.#result ?? { kind: 'invalid' };
  }

  #record({ value, byteOffset, byteLength }: LogRecord): void {
    if (this.#result !== null) return;
    const span = { offset: byteOffset, length: byteLength };
    const slot = this.#slot === null ? titleSlot(value) : null;
    if (slot !== null) this.#slot = { value: slot, span };
    else if (isHeader(value)) {
      const header = foldTitle(value as SessionHeader, this.#slot?.value ?? null);
      this.#result = { kind: 'valid', head: { header, span, slot: this.#slot } };
    } else this.#result = { kind: 'invalid' };
  }
}
