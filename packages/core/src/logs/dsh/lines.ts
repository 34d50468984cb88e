/** A stretch of events of one writer: their numbers rise one by one. */
interface Stretch {
  /** Numbers of its first and last event. */
  first: number;
  last: number;
  /** Of the rows that it has given: their numbers, rising, and the rows. */
  seqs: number[];
  rows: number[];
  /** Row under which it began; -1 for none. */
  under: number;
}

export type LinesState = { stretches: Stretch[]; current: number };

/** Where an event goes. */
export interface EventPlace {
  /** Row that it follows; -1 at the beginning. */
  parent: number;
  /** ok: it is the next one. gap: some before it are missing. repeated: its number was given already, by another writer. */
  kind: 'ok' | 'gap' | 'repeated';
}

/** Stretches that are kept to be gone on with. */
const KEPT = 64;

/**
 * Tells the branches of a log apart. One writer numbers its events without a gap; where numbers fall back two have written,
 * and each has its own line from there on.
 */
export class WriterLines {
  #stretches: Stretch[] = [];
  #current = -1;

  state(): LinesState {
    return { stretches: this.#stretches, current: this.#current };
  }

  restore({ stretches, current }: LinesState): void {
    this.#stretches = stretches;
    this.#current = current;
  }

  /** The number that the next event should have. */
  get next(): number {
    return this.#current < 0 ? 0 : this.#stretches[this.#current]!.last + 1;
  }

  /** Takes the next event, or several that stand in one row. @param count of events */
  take(seq: number, count = 1): EventPlace {
    const { next } = this;
    if (this.#current >= 0 && seq === next) {
      const stretch = this.#stretches[this.#current]!;
      stretch.last = seq + count - 1;
      return { parent: stretch.rows.at(-1) ?? stretch.under, kind: 'ok' };
    }
    const other = this.#stretches.findLastIndex(({ last }) => last === seq - 1);
    if (other >= 0) {
      this.#current = other;
      const stretch = this.#stretches[other]!;
      stretch.last = seq + count - 1;
      return { parent: stretch.rows.at(-1) ?? stretch.under, kind: 'ok' };
    }
    const isFirst = this.#current < 0;
    const isRepeated = this.#stretches.some(({ first, last }) => seq >= first && seq <= last);
    const under = isFirst ? -1 : isRepeated ? this.#rowBefore(seq) : this.#tip();
    this.#begin({ first: seq, last: seq + count - 1, seqs: [], rows: [], under });
    return { parent: under, kind: isRepeated ? 'repeated' : isFirst && seq === 0 ? 'ok' : 'gap' };
  }

  /** The event that was just taken has given a row. */
  gave(seq: number, row: number): void {
    const stretch = this.#stretches[this.#current]!;
    stretch.seqs.push(seq);
    stretch.rows.push(row);
  }

  #tip(): number {
    const stretch = this.#stretches[this.#current]!;
    return stretch.rows.at(-1) ?? stretch.under;
  }

  #begin(stretch: Stretch): void {
    this.#stretches.push(stretch);
    if (this.#stretches.length > KEPT) this.#stretches.shift();
    this.#current = this.#stretches.length - 1;
  }

  /** The last row whose event came before a number, on the latest line that has one. */
  #rowBefore(seq: number): number {
    const stretch = this.#stretches.findLast(({ first, last }) => seq >= first && seq <= last)!;
    let [low, high] = [0, stretch.seqs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (stretch.seqs[middle]! < seq) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? stretch.under : stretch.rows[low - 1]!;
  }
}
