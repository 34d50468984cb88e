import type { Range } from '../query/match.ts';

export interface Snippet {
  text: string;
  /** UTF-16 offsets in `text`. */
  matches: Range[];
}

const LENGTH = 240;
/** So much of it stands before the first match. */
const BEFORE = 80;
const CUT = '…';

/** The surroundings of the first match, white space folded, on one line. @param ranges in order */
export function snippetOf(text: string, ranges: readonly Range[]): Snippet {
  const first = ranges[0]?.[0] ?? 0;
  const from = whole(text, Math.max(0, first - BEFORE));
  const to = whole(text, Math.min(text.length, Math.max(from + LENGTH, ranges[0]?.[1] ?? 0, first + 1)));
  const builder = new LineBuilder(from > 0 ? CUT : '');
  let at = from;
  for (const [start, end] of ranges) {
    if (start >= to) break;
    builder.add(text.slice(at, start));
    builder.mark(text.slice(start, Math.min(end, to)));
    at = Math.min(end, to);
  }
  builder.add(text.slice(at, to));
  return builder.finish(to < text.length ? CUT : '');
}

/** Not between the halves of a character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

class LineBuilder {
  #text: string;
  readonly #matches: Range[] = [];

  constructor(start: string) {
    this.#text = start;
  }

  add(piece: string): void {
    let folded = piece.replace(/\s+/gu, ' ');
    if (folded.startsWith(' ') && (this.#text === '' || this.#text === CUT)) folded = folded.slice(1);
    this.#text += folded;
  }

  /** Adds what matched. */
  mark(piece: string): void {
    const start = this.#text.length;
    this.#text += piece.replace(/\s+/gu, ' ');
    this.#matches.push([start, this.#text.length]);
  }

  finish(end: string): Snippet {
    return { text: this.#text + end, matches: this.#matches };
  }
}
