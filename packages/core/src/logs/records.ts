import { isRecord } from '../entries/read.ts';
import type { RawRecord } from '../entries/entry.ts';
import { problem, type Problem } from '../problems.ts';
import { LineSplitter, MAX_LINE_BYTES, type Line } from './lines.ts';
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
}

export interface RecordSink {
  record(record: LogRecord): void;
  problem(found: Problem): void;
}

export interface RecordOptions {
  decode?: DecodeUtf8;
  start?: { offset: number; line: number };
  maxLineBytes?: number;
}

/** The push decoder for JSON Lines: never throws on content; what is not a record is a problem. */
export class RecordDecoder {
  #sink: RecordSink;
  #decode: DecodeUtf8;
  #splitter: LineSplitter;

  constructor(sink: RecordSink, options: RecordOptions = {}) {
    this.#sink = sink;
    this.#decode = options.decode ?? decodeUtf8;
    this.#splitter = new LineSplitter(
      { line: (line) => this.#line(line), tooLong: (offset, line, bytes) => this.#tooLong(offset, line, bytes) },
      options.start,
      options.maxLineBytes ?? MAX_LINE_BYTES,
    );
  }

  get committed(): { offset: number; line: number } {
    return this.#splitter.committed;
  }

  push(chunk: Uint8Array): void {
    this.#splitter.push(chunk);
  }

  /**
   * Decodes the last line, which no LF has ended yet: a complete record is taken; anything else is answered as a
   * problem and waits for the rest. More may be pushed afterwards.
   */
  settle(): Problem | null {
    const tail = this.#splitter.tail();
    if (tail === null || (tail.bytes.length > 0 && isBlank(tail.bytes, 0, tail.bytes.length))) return null;
    const place = { line: tail.number, byteOffset: tail.offset };
    if (tail.bytes.length === 0) return tooLong(tail.byteLength, place);
    const text = this.#decode(tail.bytes, 0, tail.bytes.length);
    if (isComplete(text)) {
      this.#splitter.takeTail();
      return null;
    }
    if (isAllNul(text)) return problem('nul_bytes', 'The file ends in NUL bytes.', place);
    return problem('torn_tail', 'The last line is not complete.', place);
  }

  #tooLong(offset: number, line: number, bytes: number): void {
    this.#sink.problem(tooLong(bytes, { line, byteOffset: offset }));
  }

  #line(line: Line): void {
    let { start } = line;
    if (line.offset === 0 && hasByteOrderMark(line.bytes, start, line.end)) {
      start += 3;
      this.#sink.problem(problem('byte_order_mark', 'The file begins with a byte order mark.', { line: 1, byteOffset: 0 }));
    }
    if (isBlank(line.bytes, start, line.end)) return;
    const text = this.#decode(line.bytes, start, line.end);
    const byteOffset = line.offset + (start - line.start);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      // Anything else than bad JSON is a fault of ours.
      if (!(error instanceof SyntaxError)) throw error;
      this.#recover(text, line, start, byteOffset);
      return;
    }
    if (hasInvalidUtf8(text, line.bytes, start, line.end)) {
      this.#sink.problem(problem('invalid_utf8', 'The line has bytes that are not UTF-8.', { line: line.number, byteOffset }));
    }
    const byteLength = contentEnd(line.bytes, start, line.end) - start;
    this.#emit(value, line, byteOffset, byteLength);
  }

  #emit(value: unknown, line: Line, byteOffset: number, byteLength: number): void {
    const place = { line: line.number, byteOffset };
    if (!isRecord(value)) {
      this.#sink.problem(problem('not_an_object', 'The line is JSON, but not an object.', place));
    } else {
      this.#sink.record({ value, ...place, byteLength, terminated: line.terminated });
    }
  }

  #recover(text: string, line: Line, start: number, byteOffset: number): void {
    const place = { line: line.number, byteOffset };
    const { pieces, nul } = recoverLine(text);
    if (nul) this.#sink.problem(problem('nul_bytes', 'The line has NUL bytes.', place));
    if (pieces.length > 0) {
      this.#sink.problem(problem('glued_records', `The line is not one record; ${String(pieces.length)} could be read.`, place));
      const offsetOf = byteOffsets(text, line.bytes, start, line.end);
      for (const piece of pieces) {
        const from = offsetOf(piece.start);
        this.#emit(piece.value, line, byteOffset + from, offsetOf(piece.end) - from);
      }
    } else if (!nul) {
      this.#sink.problem(problem('bad_json', 'The line is not JSON.', place));
    }
  }
}

function tooLong(bytes: number, place: { line: number; byteOffset: number }): Problem {
  return problem('line_too_long', `The line is ${String(bytes)} bytes long and was passed over.`, place);
}

function isAllNul(text: string): boolean {
  return /^\u0000+$/.test(text);
}

/** Is there at least one whole record in the text? */
function isComplete(text: string): boolean {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    return isRecord(JSON.parse(body) as unknown);
  } catch (error) {
    // Anything else than bad JSON is a fault of ours.
    if (!(error instanceof SyntaxError)) throw error;
    return recoverLine(body).pieces.length > 0;
  }
}

/** UTF-16 index → byte index within the line. Exact for valid UTF-8; replaced bytes are walked one by one. */
function byteOffsets(text: string, bytes: Uint8Array, start: number, end: number): (index: number) => number {
  let unit = 0;
  let at = start;
  return (index) => {
    if (index < unit) {
      unit = 0;
      at = start;
    }
    while (unit < index && at < end) {
      const lead = bytes[at]!;
      const replaced = text.charCodeAt(unit) === 0xfffd && lead !== 0xef;
      const length = replaced || lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      at += length;
      unit += length === 4 ? 2 : 1;
    }
    return at - start;
  };
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
