import type { Outline } from '@stemma/api/schemas';

/** The outline of a session: one value a row and column, rows in file order. Replaced as a whole, never changed in place. */
export interface OutlineColumns {
  readonly count: number;
  readonly id: readonly string[];
  /** Row of the parent, or -1. */
  readonly parent: Int32Array;
  readonly type: readonly string[];
  /** Role of a message, else empty. */
  readonly role: readonly string[];
  readonly title: readonly string[];
  /** Epoch ms; null when unknown. */
  readonly time: readonly (number | null)[];
  /** Bytes of the stored line. */
  readonly bytes: readonly number[];
  readonly tokens: readonly (number | null)[];
  /** Bitmask of `FLAG`. */
  readonly flags: readonly number[];
}

export type OutlinePage = Outline;

const NAMES = ['id', 'parent', 'type', 'role', 'title', 'time', 'bytes', 'tokens', 'flags'] as const;

/** Gathers the pages of one epoch. Pages are kept as they came and joined once, so that a long outline is not copied for each. */
export class OutlineBuilder {
  readonly epoch: string;
  rows = 0;
  readonly #rowOf = new Map<string, number>();
  #pages: OutlinePage['columns'][] = [];

  constructor(epoch: string) {
    this.epoch = epoch;
  }

  /** Takes a page that begins where the last one ended. */
  add(page: OutlinePage): void {
    if (page.columns.id.length === 0) return;
    this.#pages.push(page.columns);
    for (const id of page.columns.id) this.#rowOf.set(id, this.rows++);
  }

  /** Row of an entry id among the rows so far, -1 without one. */
  rowOf(id: string): number {
    return this.#rowOf.get(id) ?? -1;
  }

  /** All rows so far. */
  build(): OutlineColumns {
    const joined = Object.fromEntries(NAMES.map((name) => [name, this.#join(name)])) as unknown as OutlinePage['columns'];
    if (this.#pages.length > 0) this.#pages = [joined];
    return { ...joined, parent: Int32Array.from(joined.parent), count: this.rows };
  }

  #join(name: (typeof NAMES)[number]): unknown[] {
    const only = this.#pages.length === 1 ? this.#pages[0] : undefined;
    return only ? only[name] : ([] as unknown[]).concat(...this.#pages.map((page) => page[name] as unknown[]));
  }
}
