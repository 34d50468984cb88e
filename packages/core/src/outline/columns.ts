/** Growing columns: numbers in typed arrays, texts as UTF-8 in one arena, so that a million rows cost no objects. */

type Numbers = Int32Array | Uint32Array | Float64Array | Uint16Array;
type NumbersConstructor<T extends Numbers> = { new (length: number): T };

const FIRST_CAPACITY = 256;

export class NumberColumn<T extends Numbers> {
  #values: T;
  #make: NumbersConstructor<T>;
  #length = 0;

  constructor(make: NumbersConstructor<T>) {
    this.#make = make;
    this.#values = new make(FIRST_CAPACITY);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new this.#make(this.#values.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  get(row: number): number {
    return this.#values[row]!;
  }

  set(row: number, value: number): void {
    this.#values[row] = value;
  }

  /** The values as an array; a view that is good until the next push. */
  view(): T {
    return this.#values.subarray(0, this.#length) as T;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export class TextColumn {
  #bytes = new Uint8Array(FIRST_CAPACITY * 32);
  #used = 0;
  /** Where each text ends. */
  #ends = new NumberColumn(Uint32Array);

  get length(): number {
    return this.#ends.length;
  }

  push(text: string): void {
    if (text !== '') {
      const most = text.length * 3;
      if (this.#used + most > this.#bytes.length) this.#grow(this.#used + most);
      this.#used += encoder.encodeInto(text, this.#bytes.subarray(this.#used)).written;
    }
    this.#ends.push(this.#used);
  }

  get(row: number): string {
    const start = row === 0 ? 0 : this.#ends.get(row - 1);
    const end = this.#ends.get(row);
    return start === end ? '' : decoder.decode(this.#bytes.subarray(start, end));
  }

  #grow(needed: number): void {
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = grown;
  }
}

/** A column of few different texts, kept as numbers. */
export class NameColumn {
  #names: string[] = [''];
  #codes = new Map<string, number>([['', 0]]);
  #rows = new NumberColumn(Uint32Array);

  push(name: string): void {
    let code = this.#codes.get(name);
    if (code === undefined) {
      code = this.#names.length;
      this.#names.push(name);
      this.#codes.set(name, code);
    }
    this.#rows.push(code);
  }

  get(row: number): string {
    return this.#names[this.#rows.get(row)]!;
  }

  /** Every name that occurs, in order of first use. */
  get names(): readonly string[] {
    return this.#names;
  }
}
