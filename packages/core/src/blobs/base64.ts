const ALPHABET = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const PADDING = 61;

/** Value of each digit, by its character; 255 for what is none. */
const VALUES = new Uint8Array(256).fill(255);
for (const [value, character] of ALPHABET.entries()) VALUES[character] = value;

const ascii = new TextDecoder('latin1');

/** Canonical base64 (RFC 4648) with padding. */
export function toBase64(bytes: Uint8Array): string {
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let at = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const rest = bytes.length - i;
    const three = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    out[at++] = ALPHABET[three >>> 18]!;
    out[at++] = ALPHABET[(three >>> 12) & 63]!;
    out[at++] = rest > 1 ? ALPHABET[(three >>> 6) & 63]! : PADDING;
    out[at++] = rest > 2 ? ALPHABET[three & 63]! : PADDING;
  }
  return ascii.decode(out);
}

/**
 * The bytes of a base64 text; null for every text that `toBase64` would not give for these bytes (other alphabets, line
 * ends, missing padding, stray bits): what is decoded can be put back to the letter.
 */
export function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null;
  if (text === '') return new Uint8Array(0);
  const digits = new TextEncoder().encode(text);
  if (digits.length !== text.length) return null;
  const padding = digits[digits.length - 2] === PADDING ? 2 : digits[digits.length - 1] === PADDING ? 1 : 0;
  if (padding === 2 && digits[digits.length - 1] !== PADDING) return null;
  const out = new Uint8Array((digits.length / 4) * 3 - padding);
  const whole = padding === 0 ? digits.length : digits.length - 4;
  // Values have 6 bits: any digit that is none shows in the bits above.
  let seen = 0;
  let at = 0;
  for (let i = 0; i < whole; i += 4) {
    const a = VALUES[digits[i]!]!;
    const b = VALUES[digits[i + 1]!]!;
    const c = VALUES[digits[i + 2]!]!;
    const d = VALUES[digits[i + 3]!]!;
    seen |= a | b | c | d;
    const three = (a << 18) | (b << 12) | (c << 6) | d;
    out[at++] = three >>> 16;
    out[at++] = three >>> 8;
    out[at++] = three;
  }
  if (padding > 0) {
    const a = VALUES[digits[whole]!]!;
    const b = VALUES[digits[whole + 1]!]!;
    const c = padding === 1 ? VALUES[digits[whole + 2]!]! : 0;
    seen |= a | b | c;
    const three = (a << 18) | (b << 12) | (c << 6);
    if ((three & (padding === 1 ? 0xff : 0xffff)) !== 0) return null;
    out[at++] = three >>> 16;
    if (padding === 1) out[at++] = three >>> 8;
  }
  return seen > 63 ? null : out;
}
