/** Frames that may decode to more than this are decoded in pieces, bytes. */
export const SMALL_BYTES = 8 * 1024 * 1024;
/** Stored bytes that are looked at together; a frame that is longer is decoded in pieces. */
export const WINDOW_BYTES = 1024 * 1024;
export const MOST_WINDOW_BYTES = 16 * 1024 * 1024;
/** Decoded bytes that are handed out together. */
export const CHUNK_BYTES = 1024 * 1024;
/** Of an unfinished frame no more is decoded. */
export const SALVAGED_BYTES = 64 * 1024 * 1024;
/** Attempts to find frames in damage. After these the rest of the file is lost. */
export const RESYNC_ATTEMPTS = 2_000;

/**
 * A log decodes to no more than so many times its stored bytes, and a grant for small ones: text compresses far less than this,
 * frames made to fill memory or time far more.
 */
export function mostDecoded(storedBytes: number): number {
  return 256 * 1024 * 1024 + 200 * storedBytes;
}
