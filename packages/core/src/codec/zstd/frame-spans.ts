import { readInto, spanOf, type Asking } from '../../asking.ts';
import type { DiskFile } from '../../disk/disk.ts';
import { FrameError, zstdEngine } from './engine.ts';
import type { FrameIndex, FramePlace } from './frame-index.ts';
import { MAX_HEADER_BYTES, MAX_WINDOW_BYTES, scanFrame, scanHeader } from './frames.ts';
import { CHUNK_BYTES, SMALL_BYTES } from './limits.ts';
import { FrameStream } from './stream.ts';

/** Decoded frames that are kept for who reads near them, bytes. */
const KEPT_BYTES = 8 * 1024 * 1024;
const LINE_END = new Uint8Array([10]);

/** Reads decoded bytes by their place: only the frames that hold them are decoded. */
export class FrameSpans {
  readonly #index: FrameIndex;
  /** By the stored offset of their frames, least recently used first. */
  readonly #kept = new Map<number, Uint8Array>();
  #keptBytes = 0;

  constructor(index: FrameIndex) {
    this.#index = index;
  }

  /** Fewer bytes where the file is not what it was. @param length no further than the index goes */
  *read(file: DiskFile, offset: number, length: number): Asking<Uint8Array> {
    const bytes = new Uint8Array(Math.max(0, length));
    let done = 0;
    while (done < bytes.length) {
      const number = this.#index.find(offset + done);
      if (number < 0) break;
      const place = this.#index.at(number);
      const from = offset + done - place.decoded;
      const part = yield* this.#part(file, place, from, Math.min(place.content - from, bytes.length - done));
      if (part.length === 0) break;
      bytes.set(part, done);
      done += part.length;
    }
    return done === bytes.length ? bytes : bytes.subarray(0, done);
  }

  /** Drops the contents that are kept. */
  forget(): void {
    this.#kept.clear();
    this.#keptBytes = 0;
  }

  *#part(file: DiskFile, place: FramePlace, from: number, length: number): Asking<Uint8Array> {
    if (place.content > SMALL_BYTES) return yield* partOfLarge(file, place, from, length);
    const kept = this.#kept.get(place.stored);
    const content = kept ?? contentOf(yield* spanOf(file, place.stored, place.length), place);
    this.#keep(place.stored, content);
    return content.subarray(from, from + length);
  }

  #keep(stored: number, content: Uint8Array): void {
    if (!this.#kept.delete(stored)) this.#keptBytes += content.length;
    this.#kept.set(stored, content);
    for (const [oldest, bytes] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES || oldest === stored) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= bytes.length;
    }
  }
}

/** Of a frame that was lost, and counts as a line feed, that. */
function contentOf(bytes: Uint8Array, { content, length }: FramePlace): Uint8Array {
  const scan = scanFrame(bytes, 0);
  try {
    if (scan.kind === 'frame' && scan.frame.length === length && scan.frame.header.windowBytes <= MAX_WINDOW_BYTES) {
      const decoded = zstdEngine().decompress(bytes, scan.frame.mostBytes);
      if (decoded.length === content) return decoded;
    }
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
  }
  return content === 1 ? LINE_END : LINE_END.subarray(1);
}

function* partOfLarge(file: DiskFile, place: FramePlace, from: number, length: number): Asking<Uint8Array> {
  const header = scanHeader(yield* spanOf(file, place.stored, Math.min(place.length, MAX_HEADER_BYTES)), 0);
  if ('kind' in header) return LINE_END.subarray(1);
  const buffer = new Uint8Array(Math.min(place.length, CHUNK_BYTES));
  const part = new Uint8Array(length);
  let [seen, done] = [0, 0];
  try {
    const stream = new FrameStream({ ...header, hasChecksum: false });
    for (let at = 0; at < place.length && done < length;) {
      const got = yield* readInto(file, buffer, 0, Math.min(buffer.length, place.length - at), place.stored + at);
      if (got === 0) break;
      at += got;
      for (const piece of stream.push(buffer.subarray(0, got))) {
        const start = Math.max(0, from + done - seen);
        const wanted = piece.subarray(Math.min(start, piece.length), Math.min(piece.length, start + length - done));
        part.set(wanted, done);
        done += wanted.length;
        seen += piece.length;
        if (done >= length) break;
      }
    }
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
  }
  // A large frame that is damaged ends with a line feed that is not in it.
  if (done < length && from + done === place.content - 1) part[done++] = LINE_END[0]!;
  return part.subarray(0, done);
}
