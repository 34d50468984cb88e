const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Standard base64 with padding. */
export function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const rest = bytes.length - i;
    const n = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    parts.push(
      ALPHABET[n >>> 18] as string,
      ALPHABET[(n >>> 12) & 63] as string,
      rest > 1 ? (ALPHABET[(n >>> 6) & 63] as string) : '=',
      rest > 2 ? (ALPHABET[n & 63] as string) : '=',
    );
  }
  return parts.join('');
}

/** `length` base64 characters that stand for nothing, as provider signatures look to us. */
export function noise64(next: () => number, length: number): string {
  let out = '';
  while (out.length < length) {
    const n = next();
    out += (ALPHABET[n & 63] as string) + (ALPHABET[(n >>> 6) & 63] as string) + (ALPHABET[(n >>> 12) & 63] as string);
    out += (ALPHABET[(n >>> 18) & 63] as string) + (ALPHABET[(n >>> 24) & 63] as string);
  }
  return out.slice(0, length);
}
