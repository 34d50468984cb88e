import type { SessionReader } from '@stemma/core';

import { ApiError } from '../http/errors.ts';
import { holdsByte, rowAtByte } from './problem-place.ts';

/** No answer has more bytes of a file. */
const LIMIT = 64 * 1024;
/** A line that begins further before the asked byte is shown from near that byte on. */
const BEFORE = 4 * 1024;
const LF = 10;

export interface StoredLine {
  /** Of the first byte. */
  offset: number;
  bytes: Uint8Array;
  startsLine: boolean;
  endsLine: boolean;
}

/**
 * The stored line that holds a byte, as far as the limit allows; the lines of a record that line feeds have split belong
 * together. What is cut off is cut between characters.
 *
 * @throws ApiError `not_found` when the file ends before that byte
 */
export async function storedLine(reader: SessionReader, at: number): Promise<StoredLine> {
  const base = Math.max(0, at - BEFORE);
  const bytes = await reader.loadBytes(base, LIMIT);
  const here = at - base;
  if (here >= bytes.length) throw new ApiError('not_found', 'The file ends before this byte.');
  const before = here === 0 ? -1 : bytes.lastIndexOf(LF, here - 1);
  const startsLine = before >= 0 || base === 0;
  const start = startsLine ? before + 1 : characterFrom(bytes, 0);

  const row = rowAtByte(reader.outline, at);
  const { outline } = reader;
  const recordEnd = holdsByte(outline, row, at) ? outline.offset(row) + outline.bytes(row) - base : here;
  const after = recordEnd > bytes.length ? -1 : bytes.indexOf(LF, recordEnd);
  const endsLine = after >= 0 || bytes.length < LIMIT;
  const end = after >= 0 ? after : endsLine ? bytes.length : characterTo(bytes);
  return { offset: base + start, bytes: bytes.subarray(start, end), startsLine, endsLine };
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The first place from `at` on where a character may begin; bytes that are no text have none near. */
function characterFrom(bytes: Uint8Array, at: number): number {
  for (let place = at; place < at + 4; place++) if (!isContinuation(bytes[place])) return place;
  return at;
}

/** The end without a last character that is there in part only. */
function characterTo(bytes: Uint8Array): number {
  for (let back = 1; back < 4; back++) {
    const byte = bytes[bytes.length - back]!;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
