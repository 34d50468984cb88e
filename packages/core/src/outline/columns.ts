/**
 * Growing columns: numbers in typed arrays, texts as UTF-8 in one arena, so that a million rows cost no objects.
 * Each class holds one kind of array: a place in the code that sees several kinds is an order of magnitude slower.
 *
 * `state` answers what a column holds, to be copied or moved to another thread; `restore` takes such a state over.
 */

const FIRST_ROWS = 256;

/** Rows of `width` numbers each, in one array. */
export class FloatTable {
  #values: Float64Array;
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
    this.#values = new Float64Array(width * FIRST_ROWS);
  }

  get(row: number, field: number): number {
    return this.#values[row * this.#width + field]!;
  }

  /** Rows must be set in order, the next one at most. */
  set(row: number, field: number, value: number): void {
    if (row * this.#width >= this.#values.length) this.#values = grownFloats(this.#values);
    this.#values[row * this.#width + field] = value;
  }

  state(): Float64Array {
    return this.#values;
  }

  restore(state: Float64Array): void {
    this.#values = state;
  }
}

/** Rows of `width` whole numbers from 0 to 2³² - 1 each, in one array. */
export class CountTable {
  #values: Uint32Array;
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
    this.#values = new Uint32Array(width * FIRST_ROWS);
  }

  get(row: number, field: number): number {
    return this.#values[row * this.#width + field]!;
  }

  /** Rows must be set in order, the next one at most. */
  set(row: number, field: number, value: number): void {
    if (row * this.#width >= this.#values.length) this.#values = grownCounts(this.#values);
    this.#values[row * this.#width + field] = value;
  }

  state(): Uint32Array {
    return this.#values;
  }

  restore(state: Uint32Array): void {
    this.#values = state;
  }
}

/** A column of rows, -1 for none. */
export class RowColumn {
  #rows = new Int32Array(FIRST_ROWS);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(row: number): void {
    if (this.#length === this.#rows.length) {
      const grown = new Int32Array(this.#rows.length * 2);
      grown.set(this.#rows);
      this.#rows = grown;
    }
    this.#rows[this.#length++] = row;
  }

  get(at: number): number {
    return this.#rows[at]!;
  }

  set(at: number, row: number): void {
    this.#rows[at] = row;
  }

  /** The column as an array; a view that is good until the next push. */
  view(): Int32Array {
    return this.#rows.subarray(0, this.#length);
  }

  state(): { rows: Int32Array<ArrayBuffer>; length: number } {
    return { rows: this.#rows, length: this.#length };
  }

  restore({ rows, length }: { rows: Int32Array<ArrayBuffer>; length: number }): void {
    this.#rows = rows;
    this.#length = length;
  }
}

/** Shorter texts are copied faster than they are handed to an encoder. */
const SHORT = 64;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Texts end to end; whoever adds one keeps where it ended. */
export class TextArena {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_ROWS * 32);
  #used = 0;

  /** Where the text ends. */
  add(text: string): number {
    if (text !== '') {
      const most = this.#used + text.length * 3;
      if (most > this.#bytes.length) {
        const grown = new Uint8Array(Math.max(most, this.#bytes.length * 2));
        grown.set(this.#bytes.subarray(0, this.#used));
        this.#bytes = grown;
      }
      if (text.length > SHORT || !this.#addAscii(text)) {
        this.#used += encoder.encodeInto(text, this.#bytes.subarray(this.#used)).written;
      }
    }
    return this.#used;
  }

  /** false: there are other characters, and nothing is added. */
  #addAscii(text: string): boolean {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 127) return false;
      this.#bytes[this.#used + i] = unit;
    }
    this.#used += text.length;
    return true;
  }

  /** How often a byte stands in a text. */
  count(start: number, end: number, byte: number): number {
    let count = 0;
    for (let at = start; at < end; at++) if (this.#bytes[at] === byte) count++;
    return count;
  }

  read(start: number, end: number): string {
    return start === end ? '' : decoder.decode(this.#bytes.subarray(start, end));
  }

  state(): { bytes: Uint8Array; used: number } {
    return { bytes: this.#bytes, used: this.#used };
  }

  restore({ bytes, used }: { bytes: Uint8Array<ArrayBuffer>; used: number }): void {
    this.#bytes = bytes;
    this.#used = used;
  }
}

/** Few different texts as numbers; the empty text is 0. */
export class NameTable {
  #names: string[] = [''];
  #codes = new Map<string, number>([['', 0]]);

  code(name: string): number {
    let code = this.#codes.get(name);
    if (code === undefined) {
      code = this.#names.length;
      this.#names.push(name);
      this.#codes.set(name, code);
    }
    return code;
  }

  name(code: number): string {
    return this.#names[code]!;
  }

  state(): string[] {
    return this.#names;
  }

  restore(state: string[]): void {
    this.#names = state;
    this.#codes = new Map(state.map((name, code) => [name, code]));
  }
}

function grownFloats(values: Float64Array): Float64Array {
  const grown = new Float64Array(values.length * 2);
  grown.set(values);
  return grown;
}

function grownCounts(values: Uint32Array): Uint32Array {
  const grown = new Uint32Array(values.length * 2);
  grown.set(values);
  return grown;
}
