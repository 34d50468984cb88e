/**
 * A small, fast, seeded random source (sfc32). The same seed gives the same numbers on every machine, which is what
 * lets a test name a corpus by its seed. Not for secrets.
 */
export class Random {
  private a = 0;
  private b = 0;
  private c = 0;
  private d = 1;

  /** `seed`: any finite number (its fraction is dropped); `stream` separates sources that share a seed. */
  constructor(seed: number, stream = 0) {
    this.reseed(seed, stream);
  }

  /** Starts over, as a new source with these arguments would. */
  reseed(seed: number, stream = 0): void {
    this.d = 1;
    this.a = mix32(Math.trunc(seed) >>> 0);
    this.b = mix32(Math.trunc(seed / 4294967296) ^ this.a);
    this.c = mix32(stream ^ this.b);
    for (let i = 0; i < 12; i++) this.uint();
  }

  /** Uniform in 0 … 2^32-1. */
  uint(): number {
    const t = (((this.a + this.b) | 0) + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + t) | 0;
    return t >>> 0;
  }

  /** Uniform in [0, 1). */
  unit(): number {
    return this.uint() / 4294967296;
  }

  /** Uniform integer in 0 … n-1; 0 for n below 1. */
  below(n: number): number {
    return Math.floor(this.unit() * n);
  }

  /** Uniform integer, both ends included. */
  range(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** One element of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Log-normal with the given median; `sigma` is the spread of the logarithm. Cut at four sigmas. */
  logNormal(median: number, sigma: number): number {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += this.unit();
    return median * Math.exp(Math.max(-4, Math.min(4, sum)) * sigma);
  }

  /** `digits` lower-case hex digits. */
  hex(digits: number): string {
    let out = '';
    while (out.length < digits) out += hex32(this.uint());
    return out.slice(0, digits);
  }
}

/** A bijection of 32-bit numbers that looks random: distinct inputs give distinct outputs. */
export function mix32(n: number): number {
  let x = (n + 0x9e3779b9) | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/** Eight lower-case hex digits. */
export function hex32(n: number): string {
  return n.toString(16).padStart(8, '0');
}

/** A UUID of version 7 for a time (epoch ms), as the agents name sessions. */
export function uuidV7(random: Random, time: number): string {
  const clock = Math.max(0, Math.trunc(time)).toString(16).padStart(12, '0');
  const variant = '89ab'[random.below(4)] as string;
  return `${clock.slice(0, 8)}-${clock.slice(8, 12)}-7${random.hex(3)}-${variant}${random.hex(3)}-${random.hex(12)}`;
}
