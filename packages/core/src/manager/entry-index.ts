import type { SessionEntry } from '../entries/entry.ts';
import { IdIndex } from '../outline/id-index.ts';

/** Entries of a list by their ids, in little memory: a session may have millions. Of entries with one id the last one counts. */
export class EntryIndex {
  readonly #entries: readonly SessionEntry[];
  readonly #ids: IdIndex;
  /** Rows of entries whose id an earlier one has. */
  readonly #repeated = new Map<string, number>();

  /** @param entries may grow, and must not change otherwise */
  constructor(entries: readonly SessionEntry[]) {
    this.#entries = entries;
    this.#ids = new IdIndex(entries.length);
    this.update();
  }

  /** Takes up what was added to the list. */
  update(): void {
    for (let row = this.#ids.length; row < this.#entries.length; row++) this.#add(row);
  }

  has(id: string): boolean {
    return this.#ids.rowOf(id) >= 0;
  }

  get(id: string): SessionEntry | undefined {
    const row = (this.#repeated.size === 0 ? undefined : this.#repeated.get(id)) ?? this.#ids.rowOf(id);
    return row < 0 ? undefined : this.#entries[row];
  }

  #add(row: number): void {
    // Whoever rewrites a session may hand over anything.
    const id = String(this.#entries[row]!.id);
    if (this.#ids.push(id)) return;
    this.#repeated.set(id, row);
    // The row needs a name of its own, which no entry has.
    for (let n = 0; !this.#ids.push(`\u0000${String(row)} ${String(n)}`);) n++;
  }
}
