/** Bytes in, whole lines with their places out. Chunks may end anywhere. */

/** Longer lines are refused: no agent writes them, and one line must not fill the memory. */
export const MAX_LINE_BYTES = 128 * 1024 * 1024;

const LF = 10;

export interface Line {
  /** Bytes that hold the line; only `start … end` (LF excluded) are its own. Valid during the call only. */
  bytes: Uint8Array;
  start: number;
  end: number;
  /** Where the line begins in the file. */
  offset: number;
  /** 1-based. */
  number: number;
  /** false for the last line when no LF ends it. */
  terminated: boolean;
}

export interface LineSink {
  line(line: Line): void;
  tooLong(offset: number, number: number, byteLength: number): void;
}

/** Where a splitter is, for another thread. */
export interface LinesState {
  offset: number;
  line: number;
  tail: Uint8Array | null;
  tailBytes: number;
  skipping: boolean;
}

/** Splits pushed chunks at LF. Memory: the unfinished line only. */
export class LineSplitter {
  #sink: LineSink;
  #maxBytes: number;
  /** Pieces of the unfinished line, copied out of earlier chunks. */
  #pieces: Uint8Array[] = [];
  #pieceBytes = 0;
  #skipping = false;
  #lineOffset: number;
  #lineNumber: number;

  constructor(sink: LineSink, start: { offset: number; line: number } = { offset: 0, line: 1 }, maxBytes = MAX_LINE_BYTES) {
    this.#sink = sink;
    this.#lineOffset = start.offset;
    this.#lineNumber = start.line;
    this.#maxBytes = maxBytes;
  }

  /** Where the unfinished line begins: everything before it is decoded for good. */
  get committed(): { offset: number; line: number } {
    return { offset: this.#lineOffset, line: this.#lineNumber };
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (;;) {
      const lf = chunk.indexOf(LF, start);
      if (lf < 0) break;
      this.#finish(chunk, start, lf, true);
      start = lf + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  state(): LinesState {
    const { offset, line } = this.committed;
    return { offset, line, tail: this.tail()?.bytes ?? null, tailBytes: this.#pieceBytes, skipping: this.#skipping };
  }

  restore({ offset, line, tail, tailBytes, skipping }: LinesState): void {
    this.#lineOffset = offset;
    this.#lineNumber = line;
    this.#pieces = tail === null || skipping ? [] : [tail];
    this.#pieceBytes = tailBytes;
    this.#skipping = skipping;
  }

  /** The unfinished line, copied together; null when there is none. Empty when it is too long to be kept. */
  tail(): { bytes: Uint8Array; offset: number; number: number; byteLength: number } | null {
    if (this.#pieceBytes === 0) return null;
    const bytes = this.#skipping ? new Uint8Array(0) : joined(this.#pieces, new Uint8Array(0), this.#pieceBytes);
    if (!this.#skipping) this.#pieces = [bytes];
    return { bytes, offset: this.#lineOffset, number: this.#lineNumber, byteLength: this.#pieceBytes };
  }

  /** Takes the unfinished line as a whole one; what is pushed next goes on behind it. */
  takeTail(): void {
    if (this.#pieceBytes > 0) this.#finish(new Uint8Array(0), 0, 0, false);
  }

  #keep(rest: Uint8Array): void {
    this.#pieceBytes += rest.length;
    if (this.#pieceBytes > this.#maxBytes) {
      this.#skipping = true;
      this.#pieces = [];
    }
    // Not `slice`: that of a Buffer is no copy.
    if (!this.#skipping) this.#pieces.push(new Uint8Array(rest));
  }

  #finish(chunk: Uint8Array, start: number, end: number, terminated: boolean): void {
    const offset = this.#lineOffset;
    const number = this.#lineNumber;
    const byteLength = this.#pieceBytes + (end - start);
    if (this.#skipping || byteLength > this.#maxBytes) this.#sink.tooLong(offset, number, byteLength);
    else if (this.#pieces.length === 0) this.#sink.line({ bytes: chunk, start, end, offset, number, terminated });
    else {
      const bytes = joined(this.#pieces, chunk.subarray(start, end), byteLength);
      this.#sink.line({ bytes, start: 0, end: byteLength, offset, number, terminated });
    }
    this.#pieces = [];
    this.#pieceBytes = 0;
    this.#skipping = false;
    this.#lineOffset = offset + byteLength + (terminated ? 1 : 0);
    this.#lineNumber = number + (terminated ? 1 : 0);
  }
}

function joined(pieces: readonly Uint8Array[], last: Uint8Array, byteLength: number): Uint8Array {
  const bytes = new Uint8Array(byteLength);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  bytes.set(last, at);
  return bytes;
}
