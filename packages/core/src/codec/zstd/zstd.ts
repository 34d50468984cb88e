import { answerLater, spanOf, type Asking } from '../../asking.ts';
import type { DiskFile } from '../../disk/disk.ts';
import type { Codec } from '../codec.ts';
import { FrameError, zstdEngine } from './engine.ts';
import { MAX_WINDOW_BYTES, nextMagic, scanFrame, type Frame } from './frames.ts';
import { SMALL_BYTES } from './limits.ts';
import { salvageFrame } from './stream.ts';
import { ZstdBytes } from './zstd-bytes.ts';

/** Stored bytes of an end that are looked at: a few first, more where these do not do. */
const END_BYTES = [64 * 1024, 1024 * 1024] as const;
/** Places that are tried as the beginning of the frames at the end. */
const MOST_STARTS = 64;
const LINE_END = new Uint8Array([10]);

/** Zstandard frames, one after another: the header line in the first, then a batch of whole lines in each. */
export const zstd: Codec = {
  id: 'zstd',
  suffix: '.jsonl.zstd',
  open: (state) => new ZstdBytes(state as ConstructorParameters<typeof ZstdBytes>[0]),

  async head(file, size, length) {
    let bytes = new Uint8Array(0);
    for (const stored of END_BYTES) {
      const pieces: Uint8Array[] = [];
      let got = 0;
      for await (const chunk of new ZstdBytes().chunks(file, Math.min(size, stored))) {
        pieces.push(new Uint8Array(chunk.subarray(0, length - got)));
        got += chunk.length;
        if (got >= length) break;
      }
      bytes = joined(pieces);
      if (bytes.length >= length || stored >= size) break;
    }
    return bytes;
  },

  tail: (file, size, length) => answerLater(zstdTail(file, size, length)),
};

/** See `Codec.tail`. */
export function* zstdTail(file: DiskFile, size: number, length: number): Asking<{ bytes: Uint8Array; whole: boolean }> {
  for (const stored of END_BYTES) {
    const from = Math.max(0, size - stored);
    const end = yield* spanOf(file, from, size - from);
    const frames = framesAtEnd(end, from === 0);
    if (frames !== null) {
      const { pieces, sound } = lastContents(end, frames, length);
      const whole = from === 0 && sound && pieces.length === frames.length;
      // Frames begin with a line; whoever drops what may be half of one drops nothing.
      return { bytes: joined(whole ? pieces : [LINE_END, ...pieces]), whole };
    }
    if (from === 0) break;
  }
  return { bytes: new Uint8Array(0), whole: false };
}

interface Place {
  at: number;
  /** Null for the last one, where it is not finished. */
  frame: Frame | null;
}

/** The frames whose chain reaches the end of the bytes; null where none does. @param whole they begin with the first byte */
function framesAtEnd(bytes: Uint8Array, whole: boolean): Place[] | null {
  let start = whole ? 0 : nextMagic(bytes, 0);
  for (let tries = 0; start >= 0 && tries < MOST_STARTS; tries++) {
    const frames = chainFrom(bytes, start);
    if (frames !== null) return frames;
    start = nextMagic(bytes, start + 1);
  }
  return null;
}

function chainFrom(bytes: Uint8Array, start: number): Place[] | null {
  const frames: Place[] = [];
  for (let at = start; at < bytes.length;) {
    const scan = scanFrame(bytes, at);
    if (scan.kind === 'bad') return null;
    // A chain of one frame that is not finished is any magic in the middle of other data.
    if (scan.kind === 'torn') return frames.length === 0 ? null : [...frames, { at, frame: null }];
    frames.push({ at, frame: scan.frame });
    at += scan.frame.length;
  }
  return frames;
}

/** The contents of the last frames, at least so many bytes of them where there are as many. */
function lastContents(bytes: Uint8Array, frames: readonly Place[], length: number): { pieces: Uint8Array[]; sound: boolean } {
  const pieces: Uint8Array[] = [];
  let [got, sound] = [0, true];
  for (let i = frames.length - 1; i >= 0 && got < length; i--) {
    const content = contentOf(bytes, frames[i]!);
    // Of what is lost, and of what is not finished, nothing is final.
    sound &&= content !== LINE_END && frames[i]!.frame !== null;
    pieces.unshift(content);
    got += content.length;
  }
  return { pieces, sound };
}

/** What cannot be decoded is left out. */
function contentOf(bytes: Uint8Array, { at, frame }: Place): Uint8Array {
  if (frame === null) return salvageFrame(bytes.subarray(at), SMALL_BYTES);
  if (frame.mostBytes > SMALL_BYTES || frame.header.windowBytes > MAX_WINDOW_BYTES) return LINE_END;
  try {
    return zstdEngine().decompress(bytes.subarray(at, at + frame.length), frame.mostBytes);
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
    return LINE_END;
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
