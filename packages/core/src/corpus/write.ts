import { createWriteStream } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CorpusFile } from './options.ts';

export interface WriteProgress {
  files: number;
  bytes: number;
}

/** Lines are handed to the stream in pieces of about this many characters. */
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
      const pieces = inPieces(file.lines ?? [], (line) => (newest = line));
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

function* inPieces(lines: Iterable<string>, last: (line: string) => void): Generator<Buffer, void, undefined> {
  let piece = '';
  for (const line of lines) {
    piece += line + '\n';
    last(line);
    if (piece.length < PIECE) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}

function* counted(pieces: Iterable<Buffer>, count: (bytes: number) => void): Generator<Buffer, void, undefined> {
  for (const piece of pieces) {
    count(piece.length);
    yield piece;
  }
}

async function stamp(target: string, line: string): Promise<void> {
  const found = /"timestamp":"([^"]+)"/.exec(line);
  if (found === null) return;
  const time = new Date(found[1] as string);
  await utimes(target, time, time);
}
