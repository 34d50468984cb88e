import { CountTable } from './columns.ts';

interface IdState {
  hex: Uint32Array;
  length: number;
  others: Map<number, string>;
  slots: Int32Array<ArrayBuffer>;
  used: number;
}

/**
 * The ids of all rows, both ways. Ids of 8 hex digits, which agents write, are kept as numbers in a hash table of
 * rows: no strings, no objects. Any other id is kept as it is.
 */
export class IdIndex {
  readonly #hex = new CountTable(1);
  #length = 0;
  #others = new Map<number, string>();
  #otherRows = new Map<string, number>();
  /** Row + 1, 0 for free. Twice as large as it is full at least, eight times at most. */
  #slots: Int32Array<ArrayBuffer>;
  #used = 0;

  /** @param expected about how many ids there will be, where that is known. */
  constructor(expected = 0) {
    let slots = 1024;
    while (slots < expected * 2) slots *= 2;
    this.#slots = new Int32Array(slots);
  }

  get length(): number {
    return this.#length;
  }

  get(row: number): string {
    const other = this.#others.size === 0 ? undefined : this.#others.get(row);
    return other ?? this.#hex.get(row, 0).toString(16).padStart(8, '0');
  }

  /** Row of an id, -1 when there is none. */
  rowOf(id: string): number {
    const hex = hex8(id);
    if (hex < 0) return this.#otherRows.get(id) ?? -1;
    // Most references are to the entry before.
    const last = this.#length - 1;
    if (last >= 0 && this.#hex.get(last, 0) === hex && !this.#others.has(last)) return last;
    return this.#slots[this.#slotOf(hex)]! - 1;
  }

  /** Gives the next row its id. false: another row has it, and nothing is done. */
  push(id: string): boolean {
    const row = this.#length;
    const hex = hex8(id);
    if (hex < 0) {
      if (this.#otherRows.has(id)) return false;
      this.#others.set(row, id);
      this.#otherRows.set(id, row);
    } else {
      if ((this.#used + 1) * 2 > this.#slots.length) this.#grow();
      const slot = this.#slotOf(hex);
      if (this.#slots[slot] !== 0) return false;
      this.#slots[slot] = row + 1;
      this.#used++;
    }
    this.#hex.set(row, 0, Math.max(hex, 0));
    this.#length++;
    return true;
  }

  state(): IdState {
    return { hex: this.#hex.state(), length: this.#length, others: this.#others, slots: this.#slots, used: this.#used };
  }

  restore({ hex, length, others, slots, used }: IdState): void {
    this.#hex.restore(hex);
    this.#length = length;
    this.#others = others;
    this.#otherRows = new Map([...others].map(([row, id]) => [id, row]));
    this.#slots = slots;
    this.#used = used;
  }

  /** The slot that holds the number, or the free one where it belongs. */
  #slotOf(hex: number): number {
    const mask = this.#slots.length - 1;
    let slot = Math.imul(hex, 0x9e3779b1) >>> 7;
    for (;;) {
      slot &= mask;
      const row = this.#slots[slot]! - 1;
      if (row < 0 || (this.#hex.get(row, 0) === hex && !this.#others.has(row))) return slot;
      slot++;
    }
  }

  #grow(): void {
    const slots = this.#slots;
    // By as much as makes moving rare.
    this.#slots = new Int32Array(slots.length * 4);
    for (const row of slots) if (row > 0) this.#slots[this.#slotOf(this.#hex.get(row - 1, 0))] = row;
  }
}

/** The number that 8 lower-case hex digits are, -1 for any other text. */
function hex8(id: string): number {
  if (id.length !== 8) return -1;
  let value = 0;
  for (let at = 0; at < 8; at++) {
    const unit = id.charCodeAt(at);
    const digit = unit >= 48 && unit <= 57 ? unit - 48 : unit >= 97 && unit <= 102 ? unit - 87 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}
