import type { DiskFile } from '../disk/disk.ts';
import type { Problem } from '../problems.ts';

/** How session files are encoded. Everything above it knows decoded bytes only: their offsets are what spans and problems name. */
export interface Codec {
  readonly id: string;
  /** How the names of its files end. */
  readonly suffix: string;
  /** Begins to decode a file, or goes on where another thread has stopped. */
  open(state?: unknown): DecodedBytes;
  /** The first decoded bytes of a file, at most `length`, without reading more than that takes. */
  head(file: DiskFile, size: number, length: number): Promise<Uint8Array>;
  /**
   * Decoded bytes at the end of a file, at least `length` where that is possible without reading it all.
   * @param size stored bytes
   * @returns what was found; `whole` where it is all that there is in the file
   */
  tail(file: DiskFile, size: number, length: number): Promise<{ bytes: Uint8Array; whole: boolean }>;
}

/** The decoded bytes of one open file, as far as they are known. It grows with the file. */
export interface DecodedBytes {
  /** Stored bytes that are decoded for good. */
  readonly stored: number;
  /** Decoded bytes that were handed out. */
  readonly size: number;
  /** What is wrong with the encoding; byte offsets are decoded ones. */
  readonly problems: readonly Problem[];
  /** How many there are; of very many only the first are kept. */
  readonly problemsTotal: number;
  /**
   * The decoded bytes that follow, up to where the stored ones end at `to`, in chunks that are valid until the next one is asked for.
   * What can be decoded of an unfinished end is handed out, too, and not again when it is finished.
   */
  chunks(file: DiskFile, to: number, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** As `chunks`, without waiting. */
  chunksSync(file: DiskFile, to: number): Iterable<Uint8Array>;
  /** Does what was handed out of an unfinished end still stand, now that the stored bytes end at `to`? */
  goesOn(file: DiskFile, to: number): Promise<boolean>;
  /** Some decoded bytes that come next, at most `length`; for a look ahead. */
  peek(file: DiskFile, to: number, length: number): Promise<Uint8Array>;
  /** Decoded bytes of one span; fewer where the file is not what it was. */
  read(file: DiskFile, offset: number, length: number): Promise<Uint8Array>;
  /** Drops the content that is kept in memory: what is read next is what the file holds then. */
  forget(): void;
  /** All of it as data, for another thread; `buffers` may be moved. */
  state(): { data: unknown; buffers: ArrayBuffer[] };
}
