/**
 * The type of an image by its own first bytes, or null. Only formats that cannot carry script (SVG is text and is
 * never shown). What a file *says* it is does not count.
 */
export function sniffImage(bytes: Uint8Array): string | null {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (ascii(bytes, 0, 6) === 'GIF87a' || ascii(bytes, 0, 6) === 'GIF89a') return 'image/gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp';
  if (ascii(bytes, 4, 12) === 'ftypavif' || ascii(bytes, 4, 12) === 'ftypavis') return 'image/avif';
  if (isBmp(bytes)) return 'image/bmp';
  return null;
}

/** `BM` alone begins many a text: the reserved fields must be zero and the second header of a known size. */
function isBmp(bytes: Uint8Array): boolean {
  if (ascii(bytes, 0, 2) !== 'BM' || bytes.length < 18) return false;
  if (bytes[6] !== 0 || bytes[7] !== 0 || bytes[8] !== 0 || bytes[9] !== 0) return false;
  return [12, 40, 52, 56, 108, 124].includes(bytes[14]!) && bytes[15] === 0 && bytes[16] === 0 && bytes[17] === 0;
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((value, i) => bytes[i] === value);
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
