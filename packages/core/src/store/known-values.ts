import type { FileEntry } from '../entries/entry.ts';

/** Values by the numbers of their records; undefined where a record was never read. */
export type ValueList = (FileEntry | undefined)[];

/**
 * Which record of a file a value is: the same object. Asked for one value after another, it costs no more than the list:
 * owners write sessions nearly as they are stored, so that the next value is as a rule found one step on.
 */
export class ValueNumbers {
  readonly #values: ValueList;
  /** Number of the value that is expected next. */
  #next = 0;
  /** Made when a value is not where it was expected. */
  #index: Map<FileEntry, number> | null = null;

  constructor(values: ValueList) {
    this.#values = values;
  }

  /** The number of a value; undefined for one that is unknown. */
  of(value: FileEntry): number | undefined {
    const next = this.#next;
    if (next > 0 && this.#values[next - 1] === value) return next - 1;
    const expected = this.#values[next];
    if (expected === value) return this.#next++;
    // Behind the last one come new values, and another object with the same id is an edited one.
    if (next >= this.#values.length && this.#index === null) return undefined;
    if (expected !== undefined && expected.id === value.id) {
      this.#next++;
      return undefined;
    }
    const found = this.#indexed().get(value);
    if (found !== undefined) this.#next = found + 1;
    return found;
  }

  #indexed(): Map<FileEntry, number> {
    if (this.#index !== null) return this.#index;
    const index = new Map<FileEntry, number>();
    for (let number = 0; number < this.#values.length; number++) {
      const value = this.#values[number];
      if (value !== undefined) index.set(value, number);
    }
    return (this.#index = index);
  }
}
