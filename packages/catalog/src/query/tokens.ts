import { classOf, SEPARATOR, SYMBOL, WORD, type CharClass } from './classes.ts';

export interface Token {
  /** Offsets in the folded text. */
  start: number;
  end: number;
  kind: Exclude<CharClass, typeof SEPARATOR>;
}

/** Longer runs are cut here: they are data, not words, and would fill the index. */
export const MAX_TOKEN = 256;

/** The words of a folded text, in order. */
export function* tokensOf(folded: string): Generator<Token> {
  let start = -1;
  for (let at = 0; at < folded.length;) {
    const codePoint = folded.codePointAt(at)!;
    const width = codePoint > 0xffff ? 2 : 1;
    const kind = classOf(codePoint);
    const isFull = start >= 0 && at - start >= MAX_TOKEN;
    if (start >= 0 && (kind !== WORD || isFull)) {
      yield { start, end: at, kind: WORD };
      start = -1;
    }
    if (kind === WORD) start = start < 0 ? at : start;
    else if (kind !== SEPARATOR) yield { start: at, end: at + width, kind };
    at += width;
  }
  if (start >= 0) yield { start, end: folded.length, kind: WORD };
}

/** Marks a sign's name in the index, where signs themselves would separate words. A character of private use, with a name of hex digits. */
const SIGN = '\ue000';

/** A token as the index has it. */
export function indexTerm(folded: string, { start, end, kind }: Token): string {
  return kind === SYMBOL ? SIGN + folded.codePointAt(start)!.toString(16) : folded.slice(start, end);
}

/** A folded text as the index takes it: its tokens, with a space between each two. */
export function indexText(folded: string): string {
  const terms: string[] = [];
  for (const token of tokensOf(folded)) terms.push(indexTerm(folded, token));
  return terms.join(' ');
}
