import { blobProblem } from '../blobs/check.ts';
import { resolveBlobs, type BlobGet } from '../blobs/resolve.ts';
import { codecFor } from '../codec/registry.ts';
import { raw } from '../codec/raw.ts';
import { diskCode } from '../disk/disk.ts';
import { NodeDisk } from '../disk/node-disk.ts';
import type { FileEntry, RawRecord } from '../entries/entry.ts';
import { fileEntries, SessionContentDecoder, type SessionContent } from '../logs/read-entries.ts';
import { RecordDecoder } from '../logs/records.ts';
import type { Outline } from '../outline/outline.ts';
import { ProblemList } from '../problem-list.ts';
import { nodeDecodeUtf8 } from './bodies.ts';
import { storeError } from './store-error.ts';

/**
 * Records of a session file on disk, see `parseSessionEntries`. Empty when it is missing, empty or without a valid
 * header. Compressed ones are decoded. Reads in chunks; never writes. Other errors of the disk pass through.
 */
export function loadEntriesFromFile(path: string): FileEntry[] {
  const records: RawRecord[] = [];
  const decoder = new RecordDecoder(
    { record: (record) => records.push(record.value), problem: () => undefined },
    { decode: nodeDecodeUtf8 },
  );
  try {
    const file = new NodeDisk().openSync(path, 'read');
    try {
      const bytes = (codecFor(path) ?? raw).open();
      for (const chunk of bytes.chunksSync(file, file.statSync().size)) decoder.push(chunk);
    } finally {
      file.closeSync();
    }
  } catch (error) {
    if (diskCode(error) === 'ENOENT') return [];
    throw error;
  }
  decoder.settle();
  return fileEntries(records);
}

export interface ReadOptions {
  /** Where blobs come from: their contents are put back where entries refer to them. Without it references stay. */
  blobs?: BlobGet;
}

/**
 * Reads a whole session with its bodies. Never writes. Blobs that are not to be had stay references, and are
 * problems. Throws `session_not_found` and `storage_io`.
 */
export async function readSession(path: string, options: ReadOptions = {}): Promise<SessionContent> {
  const decoder = new SessionContentDecoder(nodeDecodeUtf8);
  const bytes = (codecFor(path) ?? raw).open();
  try {
    const file = await new NodeDisk().openNoFollow(path);
    try {
      for await (const chunk of bytes.chunks(file, file.statSync().size)) decoder.push(chunk);
    } finally {
      file.closeSync();
    }
  } catch (error) {
    throw storeError(error, path);
  }
  const read = decoder.finish();
  const content = { ...read, problems: [...bytes.problems, ...read.problems] };
  return options.blobs === undefined ? content : withBlobs(content, decoder.outline, options.blobs);
}

async function withBlobs(content: SessionContent, outline: Outline, get: BlobGet): Promise<SessionContent> {
  const entries = [...content.entries];
  const problems = new ProblemList();
  for (const row of outline.blobRows()) {
    const { value, missing, corrupt } = await resolveBlobs(entries[row]!, get);
    entries[row] = value;
    const place = { line: outline.line(row), byteOffset: outline.offset(row), entryId: outline.id(row) };
    for (const hash of missing) problems.add(() => blobProblem('missing', hash, place));
    for (const hash of corrupt) problems.add(() => blobProblem('corrupt', hash, place));
  }
  return { ...content, entries, problems: [...content.problems, ...problems.items] };
}
