import { Decompress } from 'fzstd';

import { FrameError, zstdEngine } from './engine.ts';
import type { FrameHeader } from './frames.ts';

const CHECKSUM_BYTES = 4;

/**
 * Decodes one frame from its stored bytes as they come, without holding them: for frames that are too large for one piece, and
 * for those that are not finished. Memory: its window.
 */
export class FrameStream {
  readonly #decoder: Decompress;
  readonly #checksum;
  #pieces: Uint8Array[] = [];
  /** The last bytes that were pushed: the checksum is among them at the end. */
  #last = new Uint8Array(0);

  constructor({ hasChecksum }: Pick<FrameHeader, 'hasChecksum'>) {
    this.#checksum = hasChecksum ? zstdEngine().checksum() : null;
    this.#decoder = new Decompress((piece) => {
      // The decoder writes over what it has given.
      if (piece.length > 0) this.#pieces.push(new Uint8Array(piece));
    });
  }

  /** What can be decoded now. @throws `FrameError` */
  push(bytes: Uint8Array): Uint8Array[] {
    try {
      this.#decoder.push(bytes);
    } catch (error) {
      // Whatever the decoder has to say: the frame is at fault.
      throw new FrameError('The frame cannot be decoded.', error);
    }
    const tail = new Uint8Array(Math.min(CHECKSUM_BYTES, this.#last.length + bytes.length));
    const fromNew = Math.min(tail.length, bytes.length);
    tail.set(this.#last.subarray(this.#last.length - (tail.length - fromNew)));
    tail.set(bytes.subarray(bytes.length - fromNew), tail.length - fromNew);
    this.#last = tail;
    const pieces = this.#pieces;
    this.#pieces = [];
    if (this.#checksum !== null) for (const piece of pieces) this.#checksum.update(piece);
    return pieces;
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
  const pieces: Uint8Array[] = [];
  let length = 0;
  const stream = new FrameStream({ hasChecksum: false });
  const step = 16 * 1024;
  try {
    for (let at = 0; at < bytes.length && length < mostBytes; at += step) {
      for (const piece of stream.push(bytes.subarray(at, at + step))) {
        pieces.push(piece);
        length += piece.length;
      }
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
