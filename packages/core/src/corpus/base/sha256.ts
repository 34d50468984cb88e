/** SHA-256 in plain TypeScript: the corpus names blobs by content, and nothing here may import `node:crypto`. */

const K = roundConstants();

/** Lower-case hex of the SHA-256 of `bytes`. */
export function sha256Hex(bytes: Uint8Array): string {
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const state = Uint32Array.of(0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);
  const w = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) block(state, w, view, at);
  return Array.from(state, (n) => n.toString(16).padStart(8, '0')).join('');
}

function block(state: Uint32Array, w: Uint32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number;
    const y = w[i - 2] as number;
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w[i] = (w[i - 16] as number) + s0 + (w[i - 7] as number) + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const t1 =
      (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + (K[i] as number) + (w[i] as number)) | 0;
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  const next = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = (state[i] as number) + (next[i] as number);
}

function rotate(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by));
}

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
function roundConstants(): Uint32Array {
  const out = new Uint32Array(64);
  for (let n = 2, found = 0; found < 64; n++) {
    let prime = true;
    for (let i = 2; i * i <= n && prime; i++) prime = n % i !== 0;
    if (prime) out[found++] = (Math.cbrt(n) % 1) * 4294967296;
  }
  return out;
}
