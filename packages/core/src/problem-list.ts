import type { Problem } from './problems.ts';

/** How many problems are kept one by one; a hostile file has millions. */
const KEPT = 2000;

/** Problems in the order found: the first ones kept, all counted. */
export class ProblemList {
  readonly items: Problem[];
  #total: number;

  constructor(items: Problem[] = [], total = items.length) {
    this.items = items;
    this.#total = total;
  }

  get total(): number {
    return this.#total;
  }

  /** `make` is called only while there is room. */
  add(make: () => Problem): void {
    this.#total++;
    if (this.items.length < KEPT) this.items.push(make());
  }
}
