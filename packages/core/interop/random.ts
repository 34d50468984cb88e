/** Random choices that are the same from the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 ≤ x < 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!;
  }

  /** One of the values, each with its weight. */
  weighted<T>(table: readonly (readonly [number, T])[]): T {
    let at = this.next() * table.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of table) {
      at -= weight;
      if (at < 0) return value;
    }
    return table.at(-1)![1];
  }

  hex(length: number): string {
    let text = '';
    while (text.length < length) text += this.int(0, 15).toString(16);
    return text;
  }
}
