import { createWriteStream } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { compressFrame } from '../codec/zstd/engine.ts';
import type { CorpusFile } from './options.ts';

export interface WriteProgress {
  files: number;
  bytes: number;
}

/** Lines are handed to the stream in pieces of about this many bytes. */
const PIECE = 1 << 18;

/**
 * Writes files under `dir`, one at a time and no faster than the disk takes them; a session file gets the time of its
 * newest entry as mtime. Answers how much was written (blobs included).
 * Throws when `dir` exists and is not empty, and on file system errors.
 */
export async function writeCorpus(
  dir: string,
  files: Iterable<CorpusFile>,
  onProgress: (progress: WriteProgress) => void = () => undefined,
): Promise<WriteProgress> {
  await mkdir(dir, { recursive: true });
  if ((await readdir(dir)).length > 0) throw new Error(`${dir} is not empty`);
  const progress = { files: 0, bytes: 0 };
  for (const file of files) {
    const target = join(dir, ...file.path.split('/'));
    await mkdir(dirname(target), { recursive: true });
    if (file.bytes !== undefined) {
      await writeFile(target, file.bytes);
      progress.bytes += file.bytes.length;
    } else {
      let newest = '';
      const pieces = inPieces(stored(file, (line) => (newest = line)));
      const count = (bytes: number): void => {
        progress.bytes += bytes;
        onProgress({ ...progress });
      };
      await pipeline(
        Readable.from(counted(pieces, count), { objectMode: false, highWaterMark: PIECE }),
        createWriteStream(target),
      );
      await stamp(target, newest);
    }
    progress.files++;
    onProgress({ ...progress });
  }
  return progress;
}

/** What is written for a session, in order: text, or a frame for each batch. */
function* stored(file: CorpusFile, last: (line: string) => void): Generator<Uint8Array, void, undefined> {
  for (const batch of file.batches ?? asBatches(file.lines ?? [])) {
    last(batch.at(-1) ?? '');
    const text = Buffer.from(batch.map((line) => `${line}\n`).join(''));
    yield file.encoding === 'zstd' ? compressFrame(text) : text;
  }
}

function* asBatches(lines: Iterable<string>): Generator<readonly string[], void, undefined> {
  for (const line of lines) yield [line];
}

function* inPieces(parts: Iterable<Uint8Array>): Generator<Buffer, void, undefined> {
  let piece: Uint8Array[] = [];
  let length = 0;
  for (const part of parts) {
    piece.push(part);
    length += part.length;
    if (length < PIECE) continue;
    yield Buffer.concat(piece);
    piece = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(piece);
}

function* counted(pieces: Iterable<Buffer>, count: (bytes: number) => void): Generator<Buffer, void, undefined> {
  for (const piece of pieces) {
    count(piece.length);
    yield piece;
  }
}

async function stamp(target: string, line: string): Promise<void> {
  const found = /"timestamp":"([^"]+)"|"time0?":(\d+)/.exec(line);
  if (found === null) return;
  const time = new Date(found[1] ?? Number(found[2]));
  await utimes(target, time, time);
}
