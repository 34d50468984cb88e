import type { Span } from './stored-head.ts';

/** Where the records of a file lie, in few bytes each: a session has millions. */
export class StoredSpans {
  #offsets: Float64Array<ArrayBuffer>;
  /** Length + 1, negative for records whose bytes are not what they mean; they are written anew. */
  #lengths: Int32Array<ArrayBuffer>;
  #count = 0;

  /** @param room for so many records; it grows */
  constructor(room = 256) {
    this.#offsets = new Float64Array(room);
    this.#lengths = new Int32Array(room);
  }

  get count(): number {
    return this.#count;
  }

  /** @param faithful the bytes are the record as it is meant, on a line of its own. @returns the record's number */
  add(offset: number, length: number, faithful: boolean): number {
    if (this.#count === this.#offsets.length) {
      const [offsets, lengths] = [this.#offsets, this.#lengths];
      const room = Math.ceil(this.#count * 1.5) + 16;
      this.#offsets = new Float64Array(room);
      this.#lengths = new Int32Array(room);
      this.#offsets.set(offsets);
      this.#lengths.set(lengths);
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

  /** The bytes are no longer what the record means. */
  outdate(record: number): void {
    this.#lengths[record] = -Math.abs(this.#lengths[record]!);
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
