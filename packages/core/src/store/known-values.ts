import type { FileEntry } from '../entries/entry.ts';

/** Entries in the order of their records, the first of which has number 1; undefined where a record was never read. */
export type EntryList = (FileEntry | undefined)[];

/**
 * Which record of a file an entry is: the same object. Asked for one entry after another, it costs no more than the list:
 * owners write sessions nearly as they are stored, so that the next one is as a rule found one step on.
 */
export class RecordNumbers {
  readonly #entries: EntryList;
  /** Where the next one is expected. */
  #next = 0;
  /** Made when an entry is not where it was expected. */
  #index: Map<FileEntry, number> | null = null;

  constructor(entries: EntryList) {
    this.#entries = entries;
  }

  /** The record number of an entry; undefined for one that is unknown. */
  of(value: FileEntry): number | undefined {
    const next = this.#next;
    if (next > 0 && this.#entries[next - 1] === value) return next;
    const expected = this.#entries[next];
    if (expected === value) return ++this.#next;
    // Behind the last one come new ones, and another object with the same id is an edited one.
    if (next >= this.#entries.length && this.#index === null) return undefined;
    if (expected !== undefined && expected.id === value.id) {
      this.#next++;
      return undefined;
    }
    const found = this.#indexed().get(value);
    if (found !== undefined) this.#next = found;
    return found;
  }

  #indexed(): Map<FileEntry, number> {
    if (this.#index !== null) return this.#index;
    const index = new Map<FileEntry, number>();
    for (let at = 0; at < this.#entries.length; at++) {
      const value = this.#entries[at];
      if (value !== undefined) index.set(value, at + 1);
    }
    return (this.#index = index);
  }
}
