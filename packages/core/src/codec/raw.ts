import { readSpan, type DiskFile } from '../disk/disk.ts';
import type { Problem } from '../problems.ts';
import type { Codec, DecodedBytes } from './codec.ts';

/** Small enough that decoding one chunk does not keep others waiting, large enough to be fast. */
const CHUNK_BYTES = 1024 * 1024;

/** Plain JSON Lines: the file's bytes are the decoded bytes. */
export const raw: Codec = {
  id: 'raw',
  suffix: '.jsonl',
  open: (state) => new RawBytes(typeof state === 'number' ? state : 0),
  head: (file, size, length) => readSpan(file, 0, Math.min(size, length)),
  async tail(file, size, length) {
    const from = Math.max(0, size - length);
    return { bytes: await readSpan(file, from, size - from), whole: from === 0 };
  },
};

class RawBytes implements DecodedBytes {
  readonly problems: readonly Problem[] = [];
  readonly problemsTotal = 0;
  stored: number;

  constructor(stored: number) {
    this.stored = stored;
  }

  get size(): number {
    return this.stored;
  }

  async *chunks(file: DiskFile, to: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const size = Math.min(CHUNK_BYTES, Math.max(to - this.stored, 1));
    // Buffers, because they are searched faster than other arrays.
    const buffers = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)];
    const fetch = (at: number, turn: number): Promise<number> => file.read(buffers[turn]!, 0, Math.min(size, to - at), at);
    let at = this.stored;
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
        this.stored = at;
        yield chunk;
      }
    } finally {
      // Whoever stops early must not close the file under a read.
      await next?.catch(() => undefined);
    }
  }

  *chunksSync(file: DiskFile, to: number): Generator<Uint8Array> {
    const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, Math.max(to - this.stored, 1)));
    while (this.stored < to) {
      const got = file.readSync(buffer, 0, Math.min(buffer.length, to - this.stored), this.stored);
      if (got === 0) return;
      this.stored += got;
      yield buffer.subarray(0, got);
    }
  }

  goesOn(): Promise<boolean> {
    return Promise.resolve(true);
  }

  peek(file: DiskFile, to: number, length: number): Promise<Uint8Array> {
    return readSpan(file, this.stored, Math.min(length, to - this.stored));
  }

  read(file: DiskFile, offset: number, length: number): Promise<Uint8Array> {
    return readSpan(file, offset, length);
  }

  forget(): void {
    // Nothing is kept.
  }

  state(): { data: unknown; buffers: ArrayBuffer[] } {
    return { data: this.stored, buffers: [] };
  }
}
