/**
 * For each cell of a line, the greatest value raised there so far. A segment tree: raising a span and asking for the
 * maximum of a span take O(log cells), without recursion.
 */
export class Skyline {
  readonly #size: number;
  /** Maximum below a node, its own raise included. */
  readonly #top: Float64Array;
  /** What the whole node was raised to. */
  readonly #raised: Float64Array;

  constructor(cells: number) {
    let size = 1;
    while (size < cells) size *= 2;
    this.#size = size;
    this.#top = new Float64Array(2 * size).fill(-Infinity);
    this.#raised = new Float64Array(2 * size).fill(-Infinity);
  }

  /** Raises cells `from … to - 1` to at least `value`. */
  raise(from: number, to: number, value: number): void {
    const top = this.#top;
    const raised = this.#raised;
    const first = from + this.#size;
    const last = to - 1 + this.#size;
    for (let left = first, right = last + 1; left < right; left >>= 1, right >>= 1) {
      if (left & 1) this.#raiseNode(left++, value);
      if (right & 1) this.#raiseNode(--right, value);
    }
    for (const leaf of [first, last]) {
      for (let node = leaf >> 1; node >= 1; node >>= 1) {
        top[node] = Math.max(top[2 * node]!, top[2 * node + 1]!, raised[node]!);
      }
    }
  }

  /** The greatest value in cells `from … to - 1`; -Infinity where nothing was raised. */
  max(from: number, to: number): number {
    const first = from + this.#size;
    const last = to - 1 + this.#size;
    let best = -Infinity;
    for (let left = first, right = last + 1; left < right; left >>= 1, right >>= 1) {
      if (left & 1) best = Math.max(best, this.#top[left++]!);
      if (right & 1) best = Math.max(best, this.#top[--right]!);
    }
    // What was raised further up holds for every cell below.
    for (const leaf of [first, last]) {
      for (let node = leaf >> 1; node >= 1; node >>= 1) best = Math.max(best, this.#raised[node]!);
    }
    return best;
  }

  #raiseNode(node: number, value: number): void {
    this.#top[node] = Math.max(this.#top[node]!, value);
    this.#raised[node] = Math.max(this.#raised[node]!, value);
  }
}
