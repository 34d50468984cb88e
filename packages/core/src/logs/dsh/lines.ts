/** A stretch of events of one writer: their numbers rise one by one. */
interface Stretch {
  /** Numbers of its first and last event. */
  first: number;
  last: number;
  /** Of the rows that it has given: their numbers, never falling, and the rows. */
  seqs: number[];
  rows: number[];
  /** Row under which it began; -1 for none. */
  under: number;
}

export interface LinesState {
  stretches: Stretch[];
  forgotten: number;
  current: number;
}

/** Where an event goes. */
export interface EventPlace {
  /** Number of the line of writing that it stands on. */
  line: number;
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
  /** Stretches that are no longer kept; lines are numbered from the first one of all. */
  #forgotten = 0;
  #current = -1;

  state(): LinesState {
    return { stretches: this.#stretches, forgotten: this.#forgotten, current: this.#current };
  }

  restore({ stretches, forgotten, current }: LinesState): void {
    this.#stretches = stretches;
    this.#forgotten = forgotten;
    this.#current = current;
  }

  /** The number that the next event should have. */
  get next(): number {
    return this.#current < 0 ? 0 : this.#at(this.#current).last + 1;
  }

  /** Takes the next event, or several that stand in one row. @param count of events */
  take(seq: number, count = 1): EventPlace {
    const current = this.#current < 0 ? null : this.#at(this.#current);
    if (current?.last === seq - 1) return this.#goOn(this.#current, seq + count - 1);
    const other = this.#stretches.findLastIndex(({ last }) => last === seq - 1);
    if (other >= 0) return this.#goOn(this.#forgotten + other, seq + count - 1);
    const isRepeated = this.#stretches.some(({ first, last }) => seq >= first && seq <= last);
    const under = current === null ? -1 : isRepeated ? this.#rowBefore(seq) : tipOf(current);
    this.#begin({ first: seq, last: seq + count - 1, seqs: [], rows: [], under });
    const kind = isRepeated ? 'repeated' : current === null && seq === 0 ? 'ok' : 'gap';
    return { line: this.#current, parent: under, kind };
  }

  /** An event of a line has given a row, which whatever comes next on the line follows. */
  gave(line: number, seq: number, row: number): void {
    const stretch = this.#stretches[line - this.#forgotten];
    if (stretch === undefined) return;
    // What was made of several events comes after those that stood between them.
    stretch.seqs.push(Math.max(seq, stretch.seqs.at(-1) ?? seq));
    stretch.rows.push(row);
  }

  /** The last row of a line; `otherwise` of one that is no longer known. */
  tip(line: number, otherwise: number): number {
    const stretch = this.#stretches[line - this.#forgotten];
    return stretch === undefined ? otherwise : tipOf(stretch);
  }

  #at(line: number): Stretch {
    return this.#stretches[line - this.#forgotten]!;
  }

  #goOn(line: number, last: number): EventPlace {
    this.#current = line;
    const stretch = this.#at(line);
    stretch.last = last;
    return { line, parent: tipOf(stretch), kind: 'ok' };
  }

  #begin(stretch: Stretch): void {
    this.#stretches.push(stretch);
    if (this.#stretches.length > KEPT) {
      this.#stretches.shift();
      this.#forgotten++;
    }
    this.#current = this.#forgotten + this.#stretches.length - 1;
  }

  /** The last row whose event came before a number, on the latest line that has one. */
  #rowBefore(seq: number): number {
    const stretch = this.#stretches.findLast(({ first, last }) => seq >= first && seq <= last)!;
    const at = firstFrom(stretch.seqs, seq);
    return at === 0 ? stretch.under : stretch.rows[at - 1]!;
  }
}

function tipOf({ rows, under }: Stretch): number {
  return rows.at(-1) ?? under;
}

/** Index of the first figure that is at least `least`; figures never fall. */
export function firstFrom(figures: readonly number[], least: number): number {
  let [low, high] = [0, figures.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (figures[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
