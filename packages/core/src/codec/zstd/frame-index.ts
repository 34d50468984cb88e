/** A place in a log of frames. */
export interface FramePlace {
  /** Stored bytes of the frame: where it begins, and how many they are. */
  stored: number;
  length: number;
  /** Decoded bytes: the same. */
  decoded: number;
  content: number;
}

/** As data, for another thread. */
export interface FrameIndexState {
  count: number;
  stored: Float64Array<ArrayBuffer>;
  decoded: Float64Array<ArrayBuffer>;
  lengths: Float64Array<ArrayBuffer>;
  size: number;
}

const FIRST_ROOM = 256;

/** Where each frame lies, and its content among the decoded bytes. Frames are added in their order. */
export class FrameIndex {
  #count = 0;
  #stored = new Float64Array(FIRST_ROOM);
  #decoded = new Float64Array(FIRST_ROOM);
  #lengths = new Float64Array(FIRST_ROOM);
  #size = 0;

  static of(state: FrameIndexState): FrameIndex {
    const index = new FrameIndex();
    index.#count = state.count;
    index.#stored = state.stored;
    index.#decoded = state.decoded;
    index.#lengths = state.lengths;
    index.#size = state.size;
    return index;
  }

  get count(): number {
    return this.#count;
  }

  /** Decoded bytes of all of them. */
  get size(): number {
    return this.#size;
  }

  /** @param stored where it begins  @param length its stored bytes  @param content its decoded bytes */
  add(stored: number, length: number, content: number): void {
    if (this.#count === this.#stored.length) this.#grow();
    this.#stored[this.#count] = stored;
    this.#decoded[this.#count] = this.#size;
    this.#lengths[this.#count] = length;
    this.#count++;
    this.#size += content;
  }

  at(number: number): FramePlace {
    const decoded = this.#decoded[number]!;
    const end = number + 1 < this.#count ? this.#decoded[number + 1]! : this.#size;
    return { stored: this.#stored[number]!, length: this.#lengths[number]!, decoded, content: end - decoded };
  }

  /** The frame that has a decoded byte; -1 for none. Of several that begin there it is the last, which alone is not empty. */
  find(offset: number): number {
    if (offset < 0 || offset >= this.#size) return -1;
    let [low, high] = [0, this.#count - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#decoded[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Forgets the frames from a number on. */
  cut(number: number): void {
    if (number >= this.#count) return;
    this.#size = this.#decoded[number]!;
    this.#count = number;
  }

  state(): FrameIndexState {
    const { count } = this;
    return {
      count,
      stored: this.#stored.slice(0, count),
      decoded: this.#decoded.slice(0, count),
      lengths: this.#lengths.slice(0, count),
      size: this.#size,
    };
  }

  #grow(): void {
    const grown = (column: Float64Array): Float64Array<ArrayBuffer> => {
      const room = new Float64Array(Math.max(FIRST_ROOM, column.length * 2));
      room.set(column);
      return room;
    };
    this.#stored = grown(this.#stored);
    this.#decoded = grown(this.#decoded);
    this.#lengths = grown(this.#lengths);
  }
}
