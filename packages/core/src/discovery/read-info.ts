import type { Codec } from '../codec/codec.ts';
import { raw } from '../codec/raw.ts';
import { codecFor } from '../codec/registry.ts';
import { ZstdDisk } from '../codec/zstd/zstd-disk.ts';
import { diskCode, type Disk, type DiskFile, type DiskStat } from '../disk/disk.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { RecordDecoder } from '../logs/records.ts';
import { problem } from '../problems.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { SHAPES, shapesFor } from '../shapes/registry.ts';
import { nodeDecodeUtf8 } from '../store/bodies.ts';
import { InfoCache } from './info-cache.ts';
import { InfoFacts } from './info-facts.ts';
import type { ListOptions } from './list-options.ts';
import type { SessionInfo } from './session-info.ts';

/** What is read of a file's two ends. */
const PREFIX_BYTES = 4096;
const TAIL_BYTES = 32_768;
/** The most that is read of the beginning, where the first bytes do not hold the header and a prompt. */
const LONG_PREFIX_BYTES = 64 * 1024;
/** Stored bytes of a compressed file in which beginning and end may meet. */
const SHORT_BYTES = 64 * 1024;

const LF = 10;

/** A session with the time of its file, which is not always its own. */
export interface ListedSession {
  info: SessionInfo;
  /** Epoch ms. */
  mtimeMs: number;
}

export interface ListedFile {
  path: string;
  stat: DiskStat;
}

const caches = new WeakMap<Disk, InfoCache>();

/** The header of a file, read in as few bytes as that takes; null when it is no session. Throws what the disk says. */
export function readHeaderSync(disk: Disk, path: string): SessionHeader | null {
  const file = new ZstdDisk(disk).openSync(path, 'read');
  try {
    for (const length of [PREFIX_BYTES, LONG_PREFIX_BYTES]) {
      const buffer = new Uint8Array(length);
      let used = 0;
      for (let got = -1; got !== 0 && used < length; used += got) got = file.readSync(buffer, used, length - used, used);
      if (used < length) return wholeFile(buffer.subarray(0, used)).header;
      const facts = beginning(buffer);
      if (facts.header !== null || facts.isOther) return facts.header;
    }
    return null;
  } finally {
    file.closeSync();
  }
}

/** Size, time and identity of a file; null, and told, where it has gone or cannot be looked at. Links are not followed. */
export async function statFile(disk: Disk, path: string, options: ListOptions): Promise<ListedFile | null> {
  const stat = await attempt(path, options, () => disk.lstat(path));
  return stat?.kind === 'file' ? { path, stat } : null;
}

/** What a file says of its session, read again only where it has changed; null, and told, where it says nothing. */
export async function readInfo(disk: Disk, { path, stat }: ListedFile, options: ListOptions): Promise<ListedSession | null> {
  const hint = options.dialect === undefined ? guess(path) : shapesFor(options.dialect);
  const key = `${options.full === true ? 'full' : 'ends'} ${hint?.id ?? ''} ${path}`;
  const cache = cacheOf(disk);
  let info = cache.get(key, stampOf(stat));
  if (info === undefined) {
    const read = await attempt(path, options, () => readFresh(disk, path, options, hint));
    if (read === null) return null;
    info = read.info;
    cache.set(key, stampOf(read.stat), info);
  }
  if (info === null) {
    options.onProblem?.(problem('header_missing', 'The file does not begin with a session header.', { path }));
    return null;
  }
  // Callers may change what they are given.
  return { info: { ...info }, mtimeMs: stat.mtimeMs };
}

function cacheOf(disk: Disk): InfoCache {
  let cache = caches.get(disk);
  if (cache === undefined) caches.set(disk, (cache = new InfoCache()));
  return cache;
}

function stampOf({ ino, size, mtimeNs }: DiskStat): string {
  return `${String(ino)}:${String(size)}:${String(mtimeNs)}`;
}

/** By the folders in the path. */
function guess(path: string): Shapes | undefined {
  const parts = path.split(/[/\\]/);
  return SHAPES.find((shapes) => shapes.folders.some((folder) => parts.includes(folder)));
}

/** One bad file never hides another: what the disk says of it is a problem. */
async function attempt<T>(path: string, { onProblem }: ListOptions, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    const code = diskCode(error);
    if (code === null) throw error;
    // What went away between listing and looking was never there.
    if (code !== 'ENOENT') onProblem?.(problem('unreadable', `It cannot be read (${code}).`, { path }));
    return null;
  }
}

async function readFresh(
  disk: Disk,
  path: string,
  { full, signal }: ListOptions,
  hint: Shapes | undefined,
): Promise<{ info: SessionInfo | null; stat: DiskStat }> {
  const file = await disk.openNoFollow(path);
  try {
    const stat = file.statSync();
    const codec = codecFor(path) ?? raw;
    const whole = full === true || (codec === raw && stat.size <= PREFIX_BYTES + TAIL_BYTES);
    const facts = whole ? await readWhole(codec, file, stat.size, signal) : await readEnds(codec, file, stat.size);
    return { info: facts.info({ path, size: stat.size, mtimeMs: stat.mtimeMs }, hint), stat };
  } finally {
    file.closeSync();
  }
}

async function readWhole(codec: Codec, file: DiskFile, size: number, signal: AbortSignal | undefined): Promise<InfoFacts> {
  const facts = new InfoFacts();
  const decoder = decoderInto(facts);
  for await (const chunk of codec.open().chunks(file, size, signal)) {
    decoder.push(chunk);
    if (facts.isOther) return facts;
  }
  decoder.settle();
  return facts;
}

/** @param size stored bytes */
async function readEnds(codec: Codec, file: DiskFile, size: number): Promise<InfoFacts> {
  const [first, { bytes: tail, whole }] = await Promise.all([
    codec.head(file, size, PREFIX_BYTES),
    codec.tail(file, size, TAIL_BYTES),
  ]);
  if (whole) return wholeFile(tail);
  // Of a short file that cannot be read from its end, because that is damaged, one look would see what the other does.
  if (codec !== raw && size <= SHORT_BYTES) return readWhole(codec, file, size, undefined);
  let facts = beginning(first);
  const longest = codec === raw ? Math.min(LONG_PREFIX_BYTES, size - TAIL_BYTES) : LONG_PREFIX_BYTES;
  if (!facts.knowsBeginning) facts = beginning(await codec.head(file, size, longest));
  if (facts.header === null) return facts;
  facts.gap();
  const decoder = decoderInto(facts);
  // The line that the tail begins in is not whole.
  const start = tail.indexOf(LF) + 1;
  if (start > 0) decoder.push(tail.subarray(start));
  decoder.settle();
  return facts;
}

function beginning(bytes: Uint8Array): InfoFacts {
  const facts = new InfoFacts();
  const end = bytes.lastIndexOf(LF) + 1;
  decoderInto(facts).push(bytes.subarray(0, end));
  // A character that is cut reads as U+FFFD; a byte order mark is no part of the record.
  facts.cutRecord(nodeDecodeUtf8(bytes, end, bytes.length).replace(/^\ufeff|\ufffd+$/g, ''));
  return facts;
}

function wholeFile(bytes: Uint8Array): InfoFacts {
  const facts = new InfoFacts();
  const decoder = decoderInto(facts);
  decoder.push(bytes);
  decoder.settle();
  return facts;
}

function decoderInto(facts: InfoFacts): RecordDecoder {
  return new RecordDecoder({ record: ({ value }) => facts.record(value), problem: () => undefined }, { decode: nodeDecodeUtf8 });
}
