/** Bytes `start … end` as text; bytes that are not UTF-8 become U+FFFD. */
export type DecodeUtf8 = (bytes: Uint8Array, start: number, end: number) => string;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** Works everywhere; a platform's faster decoder may be given in its place. */
export const decodeUtf8: DecodeUtf8 = (bytes, start, end) => decoder.decode(bytes.subarray(start, end));

/** Were there bytes that are not UTF-8? `text` is what they were decoded to. */
export function hasInvalidUtf8(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (!text.includes('\ufffd')) return false;
  try {
    strict.decode(bytes.subarray(start, end));
    return false;
  } catch (error) {
    // The only thing that a fatal decoder throws for given bytes.
    if (error instanceof TypeError) return true;
    throw error;
  }
}
