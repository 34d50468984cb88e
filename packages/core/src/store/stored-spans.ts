import type { Span } from './stored-head.ts';

const FIRST = 256;

/** Where the records of a file lie, in few bytes each: a session has millions. */
export class StoredSpans {
  #offsets = new Float64Array(FIRST);
  /** Length + 1, negative for records whose bytes are not what they mean; they are written anew. */
  #lengths = new Float64Array(FIRST);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** @param faithful the bytes are the record as it is meant, on a line of its own. @returns the record's number */
  add(offset: number, length: number, faithful: boolean): number {
    if (this.#count === this.#offsets.length) {
      this.#offsets = grown(this.#offsets);
      this.#lengths = grown(this.#lengths);
    }
    this.#offsets[this.#count] = offset;
    this.#lengths[this.#count] = faithful ? length + 1 : -length - 1;
    return this.#count++;
  }

  offset(record: number): number {
    return this.#offsets[record]!;
  }

  length(record: number): number {
    return Math.abs(this.#lengths[record]!) - 1;
  }

  isFaithful(record: number): boolean {
    return this.#lengths[record]! > 0;
  }

  /** The file has another beginning, longer by so many bytes: all records but the first lie elsewhere. */
  shift(bytes: number, first: Span): void {
    this.#offsets[0] = first.offset;
    this.#lengths[0] = first.length + 1;
    for (let record = 1; record < this.#count; record++) this.#offsets[record] = this.#offsets[record]! + bytes;
  }
}

function grown(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const more = new Float64Array(numbers.length * 2);
  more.set(numbers);
  return more;
}
