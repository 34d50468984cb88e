import { blobProblem } from '../blobs/check.ts';
import { diskCode, type Disk, type DiskFile } from '../disk/disk.ts';
import { CURRENT_SESSION_VERSION, type FileEntry, type RawRecord, type SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { SessionContentDecoder } from '../logs/read-entries.ts';
import { SessionDecoder } from '../logs/session-decoder.ts';
import type { Outline } from '../outline/outline.ts';
import { ProblemList } from '../problem-list.ts';
import type { Problem, ProblemCode } from '../problems.ts';
import { see, type Seen } from '../storage/seen.ts';
import { nodeDecodeUtf8 } from './bodies.ts';
import type { Steps } from './steps.ts';
import { storeError } from './store-error.ts';
import { BlobMentions } from './stored-mentions.ts';
import { readHead, type StoredHead } from './stored-head.ts';
import { StoredSpans } from './stored-spans.ts';
import type { EntryForms } from './stored-forms.ts';

/** What is known of a session file. */
export interface StoredLog {
  head: StoredHead;
  /** In the current version's form. */
  header: SessionHeader;
  spans: StoredSpans;
  problems: Problem[];
  /** What the file says and what is read differ: an old version, damage, repeated or missing ids. */
  differs: boolean;
  /** Where an incomplete last line begins, which is to be kept elsewhere and cut off; null for none. */
  tornAt: number | null;
  /** The file as it was when reading began. */
  seen: Seen;
}

export interface LoadedLog {
  log: StoredLog;
  /** In the current version's form, contents of blobs in place. The first one is record 1. */
  entries: FileEntry[];
}

const CHUNK_BYTES = 1024 * 1024;

/** Damage that cost a record, or changed one. */
const DAMAGE: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'bad_json',
  'not_an_object',
  'nul_bytes',
  'split_record',
  'glued_records',
]);

export function isDamage({ code }: Problem): boolean {
  return DAMAGE.has(code);
}

/** Bytes `from … to` of a file in pieces; each is good until the next one. */
export function* pieces(file: DiskFile, from: number, to: number, take: (bytes: Uint8Array) => void): Steps<void> {
  const buffer = new Uint8Array(Math.max(1, Math.min(CHUNK_BYTES, to - from)));
  for (let at = from; at < to;) {
    const got = file.readSync(buffer, 0, Math.min(buffer.length, to - at), at);
    if (got === 0) return;
    take(buffer.subarray(0, got));
    at += got;
    yield;
  }
}

/**
 * Reads a session file with its entries. @throws `session_not_found`, also for an empty one, `session_invalid` without a
 * header, `storage_io`
 */
export function* loadLog(disk: Disk, path: string, forms: EntryForms): Steps<LoadedLog> {
  return yield* withFile(disk, path, function* (file) {
    const head = validHead(file, path);
    const seen = see(file);
    const content = new SessionContentDecoder(nodeDecodeUtf8);
    const mentions = new BlobMentions();
    yield* pieces(file, 0, seen.size, (bytes) => {
      content.push(bytes);
      mentions.push(bytes);
    });
    const entries: FileEntry[] = content.finish().entries;
    const log = logOf(content.decoder, file, head, seen, (row) => content.isChanged(row));
    const found = new ProblemList();
    // Asking the outline for them would have it read all that it knows of entries.
    for (const row of mentions.rows(content.outline)) {
      entries[row] = restored(entries[row]!, forms, found, content.outline, row);
      yield;
    }
    log.problems = [...log.problems, ...found.items];
    return { log, entries };
  });
}

/** As `loadLog`, but for the places of the records only; keeps no entries. */
export function* scanLog(disk: Disk, path: string): Steps<StoredLog> {
  return yield* withFile(disk, path, (file) => scanFile(file, path));
}

/** As `scanLog`, of a file that is open. Errors of the disk are its own. */
export function* scanFile(file: DiskFile, path: string): Steps<StoredLog> {
  const head = validHead(file, path);
  const seen = see(file);
  const decoder = new SessionDecoder({ decode: nodeDecodeUtf8 });
  yield* pieces(file, 0, seen.size, (bytes) => decoder.push(bytes));
  decoder.settle();
  return logOf(decoder, file, head, seen, () => false);
}

function* withFile<T>(disk: Disk, path: string, work: (file: DiskFile) => Steps<T>): Steps<T> {
  try {
    const file = disk.openSync(path, 'read');
    try {
      return yield* work(file);
    } finally {
      file.closeSync();
    }
  } catch (error) {
    throw diskCode(error) === null ? error : storeError(error, path);
  }
}

function validHead(file: DiskFile, path: string): StoredHead {
  const result = readHead(file);
  if (result.kind === 'valid') return result.head;
  if (result.kind === 'empty') throw new SessionStoreError('session_not_found', 'The session file is empty.', { path });
  throw new SessionStoreError('session_invalid', 'The file does not begin with a session header.', { path });
}

function logOf(
  decoder: SessionDecoder,
  { isEncoded = false, encodingProblems = [] }: DiskFile,
  head: StoredHead,
  seen: Seen,
  isChanged: (row: number) => boolean,
): StoredLog {
  const { outline, problems, version, committedOffset } = decoder;
  const tail = problems.filter(({ byteOffset }) => byteOffset !== undefined && byteOffset >= committedOffset);
  const isTorn = tail.some(({ code }) => code === 'torn_tail' || code === 'nul_bytes' || code === 'line_too_long');
  const damage = problems.filter((found) => isDamage(found) && !tail.includes(found));
  const damagedLines = new Set(damage.map(({ line }) => line));
  // Of a file with more problems than are kept no line is trusted.
  const allKnown = decoder.problemsTotal === problems.length;
  const spans = new StoredSpans(outline.rowCount + 16);
  spans.add(head.span.offset, head.span.length, head.slot === null && version >= CURRENT_SESSION_VERSION);
  let ownIds = true;
  for (let row = 0; row < outline.rowCount; row++) {
    if (outline.isRenamed(row) || outline.isRepeated(row)) ownIds = false;
    const faithful = allKnown && !isChanged(row) && !damagedLines.has(outline.line(row));
    spans.add(outline.offset(row), outline.bytes(row), faithful);
  }
  return {
    head,
    header: version < CURRENT_SESSION_VERSION ? { ...head.header, version: CURRENT_SESSION_VERSION } : head.header,
    spans,
    problems: [...encodingProblems, ...problems],
    // What is stored in another form is not mended in place: nothing may stand between the old file and the new one.
    differs:
      version < CURRENT_SESSION_VERSION || damage.length > 0 || !ownIds || encodingProblems.length > 0 || (isEncoded && isTorn),
    tornAt: isTorn && !isEncoded ? committedOffset : null,
    seen,
  };
}

function restored(entry: FileEntry, forms: EntryForms, found: ProblemList, outline: Outline, row: number): FileEntry {
  const { value, missing, corrupt, unreadable } = forms.restore(entry as unknown as RawRecord);
  const place = { line: outline.line(row), byteOffset: outline.offset(row), entryId: outline.id(row) };
  for (const hash of missing) found.add(() => blobProblem('missing', hash, place));
  for (const hash of corrupt) found.add(() => blobProblem('corrupt', hash, place));
  for (const hash of unreadable) found.add(() => blobProblem('unreadable', hash, place));
  return value as unknown as FileEntry;
}
