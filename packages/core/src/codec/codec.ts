import type { DiskFile } from '../disk/disk.ts';

/**
 * How a session's bytes lie in its file. Offsets are those of the decoded bytes, so that everything above knows
 * one kind of span.
 */
export interface Codec {
  readonly id: string;
  /** How the names of its files end. */
  readonly suffix: string;
  /** The decoded bytes from `from` to `to`, in chunks that are valid until the next one is asked for. */
  chunks(file: DiskFile, from: number, to: number, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Decoded bytes of one span. */
  read(file: DiskFile, offset: number, length: number): Promise<Uint8Array>;
}
