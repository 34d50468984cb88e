/** What can be saved from a line that is not one JSON value. Works on bytes, so that places are exact whatever they hold. */
import { isRecord, parsedJson } from '../entries/read.ts';
import type { DecodeUtf8 } from './utf8.ts';

export interface Piece {
  value: unknown;
  /** Span in `bytes`. */
  start: number;
  end: number;
}

export interface Recovered {
  pieces: Piece[];
  /** The line had runs of NUL. */
  nul: boolean;
}

const RECORD_START = new TextEncoder().encode('{"type":"');
/** How many places in one line are tried in vain; a hostile line must not cost more than a few passes. */
const MAX_MISSES = 64;
/** And how much of it is read in vain, as a multiple of its length; small lines may cost more. */
const MAX_WASTE = 8;
const FREE_WASTE = 4 * 1024 * 1024;

const QUOTE = 34;
const BACKSLASH = 92;
const BRACE = 123;

/** The JSON objects in a line that does not parse as a whole: records stuck together, records after damage, NUL around. */
export function recoverLine(bytes: Uint8Array, from: number, to: number, decode: DecodeUtf8): Recovered {
  const pieces: Piece[] = [];
  let at = from;
  let misses = 0;
  let waste = Math.max(FREE_WASTE, MAX_WASTE * (to - from));
  /** Nothing but blanks lies between the last piece, or the beginning, and `at`. */
  let clean = true;
  while (at < to && misses < MAX_MISSES && waste > 0) {
    const first = skipBlanks(bytes, at, to);
    const start = bytes[first] === BRACE && first < to ? first : recordStart(bytes, first, to);
    if (start < 0) break;
    if (start > first) clean = false;
    const end = objectEnd(bytes, start, to);
    const value = end < 0 ? undefined : parsedJson(decode(bytes, start, end));
    if (value !== undefined && (clean || isEntryLike(value))) {
      pieces.push({ value, start, end });
      at = end;
      clean = true;
    } else {
      at = start + 1;
      clean = false;
      misses++;
      waste -= (end < 0 ? to : end) - start;
    }
  }
  return { pieces, nul: bytes.subarray(from, to).includes(0) };
}

/** Inside of damage stand content blocks too, which are no records: entries have a parent or a time. */
function isEntryLike(value: unknown): boolean {
  return isRecord(value) && ('parentId' in value || typeof value['timestamp'] === 'string');
}

/** Blanks, NUL and byte order marks. */
function skipBlanks(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  for (;;) {
    if (at < to && bytes[at]! <= 32) at++;
    else if (at + 2 < to && bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) at += 3;
    else return at;
  }
}

/** Where a record's `type` stands first, or -1. */
function recordStart(bytes: Uint8Array, from: number, to: number): number {
  // Only in the line: the search would go on to the end of all bytes, for every line anew.
  const part = bytes.subarray(from, to);
  for (let at = part.indexOf(BRACE); at >= 0; at = part.indexOf(BRACE, at + 1)) {
    if (at + RECORD_START.length <= part.length && RECORD_START.every((byte, i) => part[at + i] === byte)) return from + at;
  }
  return -1;
}

/** Index after the object that begins at `start`, or -1 when it does not close. Linear; knows strings and escapes. */
function objectEnd(bytes: Uint8Array, start: number, to: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < to; at++) {
    const byte = bytes[at]!;
    if (inString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === BRACE || byte === 91) depth++;
    else if (byte === 125 || byte === 93) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
