const ALPHABET = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const PADDING = 61;

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
