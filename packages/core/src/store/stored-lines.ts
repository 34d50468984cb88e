import type { FileEntry, RawRecord, SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { parsedJson } from '../entries/read.ts';
import { isHeader } from '../logs/header.ts';
import type { LogRecord } from './session-store.ts';

const LF = 10;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What is stored of an entry. Large contents go to the blobs first; the entry itself is not changed. */
export type Prepare = (entry: FileEntry) => FileEntry;

/** The bytes that stand for a record, without the line feed. @throws `invalid_argument` for what is no object on one line */
export function lineOf({ value, raw }: LogRecord, prepare: Prepare): Uint8Array {
  const line = raw ?? encoder.encode(JSON.stringify(prepare(value)));
  if (line[0] === OPEN && line.at(-1) === CLOSE && !line.includes(LF)) return line;
  throw new SessionStoreError('invalid_argument', 'A record is an object on one line.');
}

/** Do stored bytes say what a value means? Compared as JSON, so that it does not matter who wrote them. */
export function isStoredAs(value: FileEntry, raw: Uint8Array, prepare: Prepare): boolean {
  const stored = parsedJson(decoder.decode(raw));
  return stored !== undefined && JSON.stringify(prepare(value)) === JSON.stringify(stored);
}

/** The text of a record whose bytes are ours to make; null for any other, and for what is no object. */
export function textOf(record: LogRecord, prepare: Prepare): string | null {
  if (record.raw !== undefined) return null;
  const text = JSON.stringify(prepare(record.value)) as string | undefined;
  return text?.charCodeAt(0) === OPEN ? text : null;
}

/** Lines one after another, each with its line feed. */
export function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(lines.reduce((sum, line) => sum + line.length + 1, 0));
  let at = 0;
  for (const line of lines) {
    bytes.set(line, at);
    at += line.length;
    bytes[at++] = LF;
  }
  return bytes;
}

/** Record 0 of a list, which must be a header with that id. @throws `invalid_argument` */
export function headerOf(records: readonly LogRecord[], id: string): SessionHeader {
  const first = records[0]?.value as RawRecord | undefined;
  if (first === undefined || !isHeader(first)) throw new SessionStoreError('invalid_argument', 'Record 0 must be the header.');
  if (first['id'] !== id) throw new SessionStoreError('invalid_argument', 'A session keeps its id.', { id });
  return first as SessionHeader;
}

/** Entries that may follow a header. @throws `invalid_argument` for a second header */
export function checkEntries(records: readonly LogRecord[], from = 0): void {
  if (records.some(({ value }, i) => i >= from && value.type === 'session'))
    throw new SessionStoreError('invalid_argument', 'A header stands at the beginning only.');
}

/** Fields of a header in the order in which they are written; others follow as they are. */
const HEADER_FIELDS = ['type', 'version', 'id', 'timestamp', 'cwd', 'title', 'titleSource', 'parentSession'];

/** The header's line, with its fields in their fixed order. */
export function headerLine(header: SessionHeader): Uint8Array {
  const ordered: RawRecord = {};
  for (const field of HEADER_FIELDS) if (header[field] !== undefined) ordered[field] = header[field];
  return encoder.encode(JSON.stringify({ ...ordered, ...header }));
}
