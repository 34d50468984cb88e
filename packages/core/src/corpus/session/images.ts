import { base64 } from '../base/base64.ts';
import { png } from '../base/png.ts';
import { mix32 } from '../base/random.ts';
import { sha256Hex } from '../base/sha256.ts';
import type { CorpusShape } from '../options.ts';

export interface ImageBlock {
  type: 'image';
  data: string;
  mimeType: 'image/png';
}

/** MusePi keeps base64 of at least this many characters outside the session file. */
const BLOB_FROM = 1024;

export type BlobSink = (hash: string, bytes: Uint8Array) => void;

/** PNG bytes as the block that a session of these shapes holds. */
export function imageBlock(bytes: Uint8Array, shapes: CorpusShape, onBlob: BlobSink | undefined): ImageBlock {
  const { data, hash } = encoded(bytes);
  if (shapes !== 'musepi' || data.length < BLOB_FROM) return { type: 'image', data, mimeType: 'image/png' };
  onBlob?.(hash, bytes);
  return { type: 'image', data: `blob:sha256:${hash}`, mimeType: 'image/png' };
}

const encodings = new WeakMap<Uint8Array, { data: string; hash: string }>();

/** Encoding costs more than all the text around it, and the same few pictures come again and again. */
function encoded(bytes: Uint8Array): { data: string; hash: string } {
  let found = encodings.get(bytes);
  if (found === undefined) encodings.set(bytes, (found = { data: base64(bytes), hash: sha256Hex(bytes) }));
  return found;
}

const drawn = new Map<number, Uint8Array>();

/** One of a small set of made-up screenshots; every third is tiny. The same `n` gives the same picture. */
export function screenshot(n: number): Uint8Array {
  let bytes = drawn.get(n);
  if (bytes === undefined) drawn.set(n, (bytes = draw(n)));
  return bytes;
}

function draw(n: number): Uint8Array {
  const tiny = n % 3 === 0;
  const width = tiny ? 9 : 60 + (mix32(n) % 130);
  const height = tiny ? 8 : 40 + (mix32(n + 1) % 90);
  const bar = tiny ? 2 : 12;
  return png({
    width,
    height,
    pixel: (x, y) => {
      if (y < bar) return 0x2b3a55;
      const tall = mix32(n ^ Math.floor(x / 12)) % (height - bar);
      return x % 12 < 8 && height - y <= tall ? 0x4f8fd0 + ((n * 977) & 0x3f) : 0xf4f1ea;
    },
  });
}
