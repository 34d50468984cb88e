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

/** Begins the number of a character that the index would not take for a letter. Itself one of private use, which it does take. */
const NUMBERED = '\ue000';
const DIGITS = 6;

/** Characters that are letters or numbers to every version of SQLite, where classes follow Unicode 6.1. */
const KNOWN: readonly (readonly [number, number])[] = [
  [0, 0x37e],
  [0x380, 0x527],
  [0x1e00, 0x1fff],
  [0x3005, 0x30ff],
  [0x3400, 0x4db5],
  [0x4e00, 0x9fcc],
  [0xac00, 0xd7a3],
];

const UNKNOWN = /[^ -\u037e\u0380-\u0527\u1e00-\u1fff\u3005-\u30ff\u3400-\u4db5\u4e00-\u9fcc\uac00-\ud7a3]/;

/** A token as the index has it. */
export function indexTerm(folded: string, { start, end, kind }: Token): string {
  const text = folded.slice(start, end);
  if (kind !== SYMBOL && !UNKNOWN.test(text)) return text;
  let term = '';
  for (const char of text) term += kind === SYMBOL || !isKnown(char.codePointAt(0)!) ? numbered(char) : char;
  return term;
}

function isKnown(codePoint: number): boolean {
  return KNOWN.some(([from, to]) => codePoint >= from && codePoint <= to);
}

function numbered(char: string): string {
  return NUMBERED + char.codePointAt(0)!.toString(16).padStart(DIGITS, '0');
}

/** A folded text as the index takes it: its tokens, with a space between each two. */
export function indexText(folded: string): string {
  const terms: string[] = [];
  for (const token of tokensOf(folded)) terms.push(indexTerm(folded, token));
  return terms.join(' ');
}
