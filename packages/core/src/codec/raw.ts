import { readSpan } from '../disk/disk.ts';
import type { Codec } from './codec.ts';

/** Small enough that decoding one chunk does not keep others waiting, large enough to be fast. */
const CHUNK_BYTES = 1024 * 1024;

/** Plain JSON Lines: the file's bytes are the decoded bytes. */
export const raw: Codec = {
  id: 'raw',
  suffix: '.jsonl',
  async *chunks(file, from, to, signal) {
    const size = Math.min(CHUNK_BYTES, Math.max(to - from, 1));
    // Buffers, because they are searched faster than other arrays.
    const buffers = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)];
    const fetch = (at: number, turn: number): Promise<number> => file.read(buffers[turn]!, 0, Math.min(size, to - at), at);
    let at = from;
    let turn = 0;
    let next = at < to ? fetch(at, turn) : null;
    try {
      while (next !== null) {
        const got = await next;
        if (got === 0) return;
        const chunk = buffers[turn]!.subarray(0, got);
        at += got;
        turn = 1 - turn;
        signal?.throwIfAborted();
        // The next chunk is read while this one is decoded; its error is met when it is awaited.
        next = at < to ? fetch(at, turn) : null;
        next?.catch(() => undefined);
        yield chunk;
      }
    } finally {
      // Whoever stops early must not close the file under a read.
      await next?.catch(() => undefined);
    }
  },
  read: readSpan,
};
