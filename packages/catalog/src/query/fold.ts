/** A text as it is compared, and where its characters come from. */
export interface Folded {
  text: string;
  /** UTF-16 offset in the original of a character of `text`, or of its end. */
  at(offset: number): number;
}

const BEYOND_ASCII = /[\u0080-\uffff]/;
/** Marks that go with these letters are dropped: people leave them out. */
const BASE = /[\p{Script=Latin}\p{Script=Greek}]/u;
const MARK = /\p{M}/u;
/** Chooses how the sign before it is drawn, or joins two. */
const INVISIBLE: ReadonlySet<number> = new Set([0xfe0e, 0xfe0f, 0x200d]);

const identity = (offset: number): number => offset;

/**
 * Lower case, and without the marks of Latin and Greek letters: `É` and `e` are the same to who searches. Everything else stays,
 * so that `at` leads back to the original. Half a surrogate pair stays what it is.
 */
export function fold(text: string): Folded {
  if (!BEYOND_ASCII.test(text)) return { text: text.toLowerCase(), at: identity };
  const folded: string[] = [];
  const offsets: number[] = [];
  let isMarked = false;
  for (let from = 0; from < text.length;) {
    const codePoint = text.codePointAt(from)!;
    const char = codePoint > 0xffff ? text.slice(from, from + 2) : text[from]!;
    const lower = codePoint < 0x80 ? char.toLowerCase() : lowerOf(char, codePoint, isMarked);
    // A mark says nothing of what comes after it: the letter before it does.
    if (!MARK.test(char) || codePoint < 0x80) isMarked = BASE.test(char);
    if (lower !== '') {
      folded.push(lower);
      for (let i = 0; i < lower.length; i++) offsets.push(lower.length === char.length ? from + i : from);
    }
    from += char.length;
  }
  offsets.push(text.length);
  return { text: folded.join(''), at: (offset) => offsets[offset]! };
}

const lowered = new Map<number, string>();
const LOWERED_KEPT = 4_096;

/** @param isMarked a mark here belongs to a letter that loses its marks */
function lowerOf(char: string, codePoint: number, isMarked: boolean): string {
  if (INVISIBLE.has(codePoint)) return '';
  if (MARK.test(char)) return isMarked ? '' : char;
  const kept = lowered.get(codePoint);
  if (kept !== undefined) return kept;
  const lower = plain(char.toLowerCase());
  if (lowered.size < LOWERED_KEPT) lowered.set(codePoint, lower);
  return lower;
}

function plain(lower: string): string {
  if (lower === 'ς') return 'σ';
  return BASE.test(lower) ? lower.normalize('NFD').replace(/\p{M}/gu, '') : lower;
}
