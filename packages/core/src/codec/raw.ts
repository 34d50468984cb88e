import { readSpan } from '../disk/disk.ts';
import type { Codec } from './codec.ts';

/** Small enough that decoding one chunk does not keep others waiting, large enough to be fast. */
const CHUNK_BYTES = 1024 * 1024;

/** Plain JSON Lines: the file's bytes are the decoded bytes. */
export const raw: Codec = {
  id: 'raw',
  suffix: '.jsonl',
  async *chunks(file, from, to, signal) {
    const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(to - from, 1)));
    let at = from;
    while (at < to) {
      signal?.throwIfAborted();
      const got = await file.read(buffer, 0, Math.min(buffer.length, to - at), at);
      if (got === 0) return;
      at += got;
      yield buffer.subarray(0, got);
    }
  },
  read: readSpan,
};
