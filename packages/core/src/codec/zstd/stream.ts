import { Decompress } from 'fzstd';

import { FrameError, zstdEngine } from './engine.ts';
import { MAX_WINDOW_BYTES, scanHeader, type FrameHeader } from './frames.ts';

const CHECKSUM_BYTES = 4;
/** Stored bytes that are decoded together: as the smallest blocks they are 8 MiB of content. */
const STEP_BYTES = 256;
/** The decoder moves its whole window for each block. Bytes that it may move for one frame: some seconds. */
const MOST_MOVED = 2 ** 37;

/**
 * Decodes one frame from its stored bytes as they come, without holding them: for frames that are too large for one piece, and
 * for those that are not finished. Memory: its window.
 */
export class FrameStream {
  readonly #decoder: Decompress;
  readonly #checksum;
  #pieces: Uint8Array[] = [];
  #moved = 0;
  /** The last bytes that were pushed: the checksum is among them at the end. */
  #last = new Uint8Array(0);

  /** @throws `FrameError` for a frame that asks for too large a window */
  constructor({ hasChecksum, windowBytes }: Pick<FrameHeader, 'hasChecksum' | 'windowBytes'>) {
    if (windowBytes > MAX_WINDOW_BYTES) throw new FrameError('The frame asks for too much memory.');
    this.#checksum = hasChecksum ? zstdEngine().checksum() : null;
    this.#decoder = new Decompress((piece) => {
      this.#moved += windowBytes;
      if (this.#moved > MOST_MOVED) throw new FrameError('The frame takes too much work.');
      // The decoder writes over what it has given.
      if (piece.length > 0) this.#pieces.push(new Uint8Array(piece));
    });
  }

  /** What can be decoded now, piece by piece; all of them must be taken. @throws `FrameError` */
  *push(bytes: Uint8Array): Generator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      // The decoder keeps what it cannot use yet, while the caller reuses its memory.
      const step = bytes.slice(at, at + STEP_BYTES);
      try {
        this.#decoder.push(step);
      } catch (error) {
        // Whatever the decoder has to say: the frame is at fault. What it has decoded before stands.
        yield* this.#take();
        throw new FrameError('The frame cannot be decoded.', error);
      }
      this.#remember(step);
      yield* this.#take();
    }
  }

  *#take(): Generator<Uint8Array> {
    const pieces = this.#pieces;
    this.#pieces = [];
    for (const piece of pieces) {
      this.#checksum?.update(piece);
      yield piece;
    }
  }

  #remember(bytes: Uint8Array): void {
    const tail = new Uint8Array(Math.min(CHECKSUM_BYTES, this.#last.length + bytes.length));
    const fromNew = Math.min(tail.length, bytes.length);
    tail.set(this.#last.subarray(this.#last.length - (tail.length - fromNew)));
    tail.set(bytes.subarray(bytes.length - fromNew), tail.length - fromNew);
    this.#last = tail;
  }

  /** After the last byte of a whole frame: is the content what the frame was made of? */
  isRight(): boolean {
    if (this.#checksum === null) return true;
    const view = new DataView(this.#last.buffer, this.#last.byteOffset, this.#last.length);
    return this.#last.length === CHECKSUM_BYTES && view.getUint32(0, true) === this.#checksum.digest();
  }
}

/**
 * What can be decoded of a frame whose end is missing; empty where that is nothing.
 * @param mostBytes more is not taken
 */
export function salvageFrame(bytes: Uint8Array, mostBytes: number): Uint8Array {
  const header = scanHeader(bytes, 0);
  if ('kind' in header) return new Uint8Array(0);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (const piece of new FrameStream({ ...header, hasChecksum: false }).push(bytes)) {
      pieces.push(piece);
      length += piece.length;
      if (length >= mostBytes) break;
    }
  } catch (error) {
    // What came before stands.
    if (!(error instanceof FrameError)) throw error;
  }
  const content = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    content.set(piece, at);
    at += piece.length;
  }
  return content.subarray(0, Math.min(length, mostBytes));
}
