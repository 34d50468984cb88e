import { isRecord, parsedJson } from '../entries/read.ts';
import type { RawRecord } from '../entries/entry.ts';
import { mentionsBlob } from '../blobs/refs.ts';
import { problem, type Problem } from '../problems.ts';
import { HeldLines, notJson, type HeldState } from './held-lines.ts';
import { LineSplitter, MAX_LINE_BYTES, type Line, type LinesState } from './lines.ts';
import { recoverLine } from './recover.ts';
import { decodeUtf8, hasInvalidUtf8, type DecodeUtf8 } from './utf8.ts';

/** One JSON object of the file and where it stands. */
export interface LogRecord {
  value: RawRecord;
  /** 1-based physical line. */
  line: number;
  byteOffset: number;
  /** Without the line's end. */
  byteLength: number;
  /** false while no LF ends it: a writer may still be at it. */
  terminated: boolean;
  /** The text of a blob reference may occur in it. */
  mentionsBlob: boolean;
}

export interface RecordSink {
  record(record: LogRecord): void;
  problem(found: Problem): void;
}

export interface RecordOptions {
  decode?: DecodeUtf8;
  start?: { offset: number; line: number };
  maxLineBytes?: number;
  /** false: texts are not searched for blob references, and any record may hold some. */
  findsBlobs?: boolean;
}

export interface RecordsState {
  lines: LinesState;
  held: HeldState;
}

/** The push decoder for JSON Lines: never throws on content; what is not a record is a problem. */
export class RecordDecoder {
  #sink: RecordSink;
  #decode: DecodeUtf8;
  #splitter: LineSplitter;
  readonly #findsBlobs: boolean;
  #held = new HeldLines();

  constructor(sink: RecordSink, options: RecordOptions = {}) {
    this.#sink = sink;
    this.#decode = options.decode ?? decodeUtf8;
    this.#findsBlobs = options.findsBlobs ?? true;
    this.#splitter = new LineSplitter(
      { line: (line) => this.#line(line), tooLong: (offset, line, bytes) => this.#tooLong(offset, line, bytes) },
      options.start,
      options.maxLineBytes ?? MAX_LINE_BYTES,
    );
  }

  get committed(): { offset: number; line: number } {
    return this.#splitter.committed;
  }

  state(): RecordsState {
    return { lines: this.#splitter.state(), held: this.#held.state() };
  }

  restore({ lines, held }: RecordsState): void {
    this.#splitter.restore(lines);
    this.#held.restore(held);
  }

  push(chunk: Uint8Array): void {
    this.#splitter.push(chunk);
  }

  /**
   * Decodes the last line, which no LF has ended yet: a complete record is taken; anything else is answered as
   * problems and waits for the rest. More may be pushed afterwards.
   */
  settle(): Problem[] {
    const tail = this.#splitter.tail();
    if (tail === null || (tail.bytes.length > 0 && isBlank(tail.bytes, 0, tail.bytes.length))) return this.#held.problems();
    const place = { line: tail.number, byteOffset: tail.offset };
    if (tail.bytes.length === 0) return [...this.#held.problems(), tooLong(tail.byteLength, place)];
    if (isComplete(tail.bytes, this.#decode) || this.#held.completedBy(this.#decode(tail.bytes, 0, tail.bytes.length)) !== null) {
      this.#splitter.takeTail();
      return this.#held.problems();
    }
    const isNul = tail.bytes.every((byte) => byte === 0);
    const found = isNul
      ? problem('nul_bytes', 'The file ends in NUL bytes.', place)
      : problem('torn_tail', 'The last line is not complete.', place);
    return [...this.#held.problems(), found];
  }

  #tooLong(offset: number, line: number, bytes: number): void {
    this.#giveUpHeld();
    this.#sink.problem(tooLong(bytes, { line, byteOffset: offset }));
  }

  #line(line: Line): void {
    let { start } = line;
    if (line.offset === 0 && hasByteOrderMark(line.bytes, start, line.end)) {
      start += 3;
      this.#sink.problem(problem('byte_order_mark', 'The file begins with a byte order mark.', { line: 1, byteOffset: 0 }));
    }
    const byteOffset = line.offset + (start - line.start);
    if (isBlank(line.bytes, start, line.end)) {
      if (!this.#held.isEmpty) this.#hold('', line, byteOffset);
      return;
    }
    const text = this.#decode(line.bytes, start, line.end);
    const value = mayBeJson(line.bytes, start, line.end) ? parsedJson(text) : undefined;
    if (value === undefined) {
      if (!this.#completeHeld(text, line, start, byteOffset)) this.#recover(text, line, start, byteOffset);
      return;
    }
    this.#giveUpHeld();
    if (hasInvalidUtf8(text, line.bytes, start, line.end)) {
      this.#sink.problem(problem('invalid_utf8', 'The line has bytes that are not UTF-8.', { line: line.number, byteOffset }));
    }
    const byteLength = contentEnd(line.bytes, start, line.end) - start;
    this.#emit(value, line, byteOffset, byteLength, this.#mentionsBlob(text));
  }

  #mentionsBlob(text: string): boolean {
    return !this.#findsBlobs || mentionsBlob(text);
  }

  #emit(value: unknown, line: Line, byteOffset: number, byteLength: number, mentionsBlob: boolean): void {
    if (!isRecord(value)) {
      this.#sink.problem(problem('not_an_object', 'The line is JSON, but not an object.', { line: line.number, byteOffset }));
    } else {
      this.#sink.record({ value, line: line.number, byteOffset, byteLength, terminated: line.terminated, mentionsBlob });
    }
  }

  #recover(text: string, line: Line, start: number, byteOffset: number): void {
    const place = { line: line.number, byteOffset };
    const { pieces, nul } = recoverLine(line.bytes, start, line.end, this.#decode);
    if (pieces.length === 0 && !nul) {
      this.#hold(text, line, byteOffset);
      return;
    }
    this.#giveUpHeld();
    if (nul) this.#sink.problem(problem('nul_bytes', 'The line has NUL bytes.', place));
    if (pieces.length === 0) return;
    this.#sink.problem(problem('glued_records', `The line is not one record; ${String(pieces.length)} could be read.`, place));
    for (const { value, start: from, end } of pieces) {
      this.#emit(value, line, byteOffset + from - start, end - from, this.#mentionsBlob(text));
    }
  }

  #hold(text: string, line: Line, byteOffset: number): void {
    if (!this.#held.hasRoom(text)) this.#giveUpHeld();
    if (this.#held.isEmpty && !text.trimStart().startsWith('{')) {
      // No record begins so: there is nothing to wait for.
      if (text !== '') this.#sink.problem(notJson({ line: line.number, byteOffset }));
      return;
    }
    this.#held.hold(text, line.number, byteOffset);
  }

  /** Takes the held lines and this one as the record that they are together. */
  #completeHeld(text: string, line: Line, start: number, byteOffset: number): boolean {
    const value = this.#held.completedBy(text);
    if (value === null) return false;
    const place = this.#held.first;
    const end = byteOffset + contentEnd(line.bytes, start, line.end) - start;
    this.#held.clear();
    this.#sink.problem(problem('split_record', 'Raw line feeds break the record; it is read as if they were escaped.', place));
    this.#sink.record({ value, ...place, byteLength: end - place.byteOffset, terminated: line.terminated, mentionsBlob: true });
    return true;
  }

  #giveUpHeld(): void {
    if (this.#held.isEmpty) return;
    for (const found of this.#held.problems()) this.#sink.problem(found);
    this.#held.clear();
  }
}

function tooLong(bytes: number, place: { line: number; byteOffset: number }): Problem {
  return problem('line_too_long', `The line is ${String(bytes)} bytes long and was passed over.`, place);
}

/** Is there at least one whole record in the bytes? */
function isComplete(bytes: Uint8Array, decode: DecodeUtf8): boolean {
  const start = hasByteOrderMark(bytes, 0, bytes.length) ? 3 : 0;
  const value = parsedJson(decode(bytes, start, bytes.length));
  return value === undefined ? recoverLine(bytes, start, bytes.length, decode).pieces.length > 0 : isRecord(value);
}

/** Closing bytes of JSON values by their opening ones. */
const CLOSING: Readonly<Record<number, number>> = { 0x7b: 0x7d, 0x5b: 0x5d, 0x22: 0x22 };

function isFigureStart(byte: number): boolean {
  return byte === 45 || (byte >= 48 && byte <= 57);
}

/** Of true, false and null. */
function isWordStart(byte: number): boolean {
  return byte === 116 || byte === 102 || byte === 110;
}

/** Can the line be JSON, by its ends? Spares the errors that JSON.parse makes: files of garbage have millions of lines. */
function mayBeJson(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] === 0x7b && bytes[end - 1] === 0x7d) return true;
  let first = start;
  while (first < end && isSpace(bytes[first]!)) first++;
  const last = contentEnd(bytes, start, end) - 1;
  const closing = CLOSING[bytes[first]!];
  // Words and figures have no ends to compare; JSON.parse tells.
  if (closing === undefined) return isFigureStart(bytes[first]!) || (isWordStart(bytes[first]!) && last - first < 'false'.length);
  return last > first && bytes[last] === closing;
}

function hasByteOrderMark(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
}

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === 13;
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isSpace(bytes[at]!)) return false;
  return true;
}

function contentEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(bytes[at - 1]!)) at--;
  return at;
}
