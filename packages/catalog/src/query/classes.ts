/** What a character is to search. */
export const SEPARATOR = 0;
/** Part of a word: letters, numbers and their marks. */
export const WORD = 1;
/** A word by itself: writing without spaces. */
export const SINGLE = 2;
/** A picture or sign that people look for, a word by itself, too. */
export const SYMBOL = 3;

export type CharClass = typeof SEPARATOR | typeof WORD | typeof SINGLE | typeof SYMBOL;

const IS_SINGLE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\u3005-\u3007]/u;
const IS_WORD = /[\p{L}\p{N}\p{M}]/u;
const IS_SYMBOL = /[\p{S}\p{Extended_Pictographic}]/u;
/** Signs up to here are punctuation to people who write programs: `+`, `=`, `©`. */
const LAST_LATIN_1 = 0xff;
/** Lines, blocks and dots that terminals draw with: nobody looks for them, and there are millions. */
const DRAWN: readonly (readonly [number, number])[] = [
  [0x2500, 0x259f],
  [0x2800, 0x28ff],
];

const BMP = 0x10000;
/** Class + 1 of each character of the basic plane; 0 where it was not asked for yet. */
const known = new Uint8Array(BMP);
const knownBeyond = new Map<number, CharClass>();

/** @param codePoint a whole one, not half of a surrogate pair */
export function classOf(codePoint: number): CharClass {
  if (codePoint >= BMP) return beyond(codePoint);
  const class1 = known[codePoint]!;
  if (class1 !== 0) return (class1 - 1) as CharClass;
  const found = find(codePoint);
  known[codePoint] = found + 1;
  return found;
}

function beyond(codePoint: number): CharClass {
  let found = knownBeyond.get(codePoint);
  if (found === undefined) knownBeyond.set(codePoint, (found = find(codePoint)));
  return found;
}

function find(codePoint: number): CharClass {
  const char = String.fromCodePoint(codePoint);
  if (IS_SINGLE.test(char)) return SINGLE;
  if (IS_WORD.test(char)) return WORD;
  if (codePoint <= LAST_LATIN_1 || !IS_SYMBOL.test(char)) return SEPARATOR;
  return DRAWN.some(([from, to]) => codePoint >= from && codePoint <= to) ? SEPARATOR : SYMBOL;
}
