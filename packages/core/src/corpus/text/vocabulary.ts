import { mix32, Random } from '../base/random.ts';
import { COMMON, TECHNICAL } from './words.ts';

const ONSETS = 'b c d f g h j k l m n p r s t v w br ch cl cr dr fl gr pl pr sh sl sp st tr th qu'.split(' ');
const NUCLEI = 'a e i o u ai ea io ou'.split(' ');
const CODAS = ['', '', '', 'l', 'm', 'n', 'r', 's', 't', 'x', 'nd', 'rk', 'st'];

/** Bits of the largest rank: 2^17 - 1 = 131,071 words. */
const BITS = 17;

let words: readonly string[] | undefined;

/** The 131,071 distinct words, the most frequent first. Made once; the same in every process. */
export function vocabulary(): readonly string[] {
  words ??= makeWords((1 << BITS) - 1);
  return words;
}

/**
 * A word by a Zipf-like law: the rank's octave is uniform and so is the rank inside it, hence P(rank) ~ 1/rank.
 * Whole-number arithmetic only, so that the stream is the same on every engine.
 */
export function zipfWord(random: Random): string {
  const n = random.uint();
  const octave = ((n >>> 17) * BITS) >>> 15;
  return vocabulary()[(1 << octave) - 1 + (n & ((1 << octave) - 1))] as string;
}

let phrases: string[] | undefined;

/** Three words that often stand together: one of 32,768 such runs, each flat in memory, so that bulk text is cheap. */
export function phrase(random: Random): string {
  phrases ??= makePhrases(new Random(0x7e47, 20));
  return phrases[random.uint() >>> 17] as string;
}

function makePhrases(random: Random): string[] {
  return Array.from({ length: 32768 }, () => [zipfWord(random), zipfWord(random), zipfWord(random)].join(' '));
}

function makeWords(count: number): string[] {
  const seen = new Set<string>([...COMMON, ...TECHNICAL]);
  const out = [...seen];
  for (let i = 0; out.length < count; i++) {
    const word = i % 9 === 8 ? identifier(out, mix32(i)) : invented(mix32(i), 2 + (mix32(i ^ 0x5bd1) % 3));
    if (seen.has(word)) continue;
    seen.add(word);
    out.push(word);
  }
  return out;
}

function invented(n: number, syllables: number): string {
  let out = '';
  let bits = n;
  for (let i = 0; i < syllables; i++) {
    out += at(ONSETS, bits) + at(NUCLEI, bits >>> 6);
    if (i === syllables - 1) out += at(CODAS, bits >>> 11);
    bits = mix32(bits);
  }
  return out;
}

function identifier(known: readonly string[], n: number): string {
  const first = known[COMMON.length + (n % TECHNICAL.length)] ?? 'item';
  const second = at(known, n >>> 3);
  return n & 1 ? `${first}_${second}` : first + second.charAt(0).toUpperCase() + second.slice(1);
}

function at(list: readonly string[], n: number): string {
  return list[n % list.length] as string;
}
