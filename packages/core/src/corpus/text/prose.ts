import type { Random } from '../base/random.ts';
import { TECHNICAL } from './words.ts';
import { zipfWord } from './vocabulary.ts';

/** `count` words with spaces between them. */
export function wordRun(random: Random, count: number): string {
  let out = zipfWord(random);
  for (let i = 1; i < count; i++) out += ' ' + zipfWord(random);
  return out;
}

/** An English-looking sentence with a capital, commas, now and then code or a number, and a full stop. */
export function sentence(random: Random): string {
  let out = capital(wordRun(random, random.range(3, 9)));
  const style = random.below(10);
  if (style < 4) out += ', ' + wordRun(random, random.range(3, 8));
  else if (style === 4) out += ` \`${identifier(random)}\` ` + wordRun(random, random.range(2, 6));
  else if (style === 5) out += ` ${random.below(5000)} ` + wordRun(random, random.range(2, 5));
  else if (style === 6) out += ` **${wordRun(random, 2)}** ` + wordRun(random, 3);
  return out + '.';
}

/** Sentences until `size` characters are there (at least one). */
export function paragraph(random: Random, size: number): string {
  let out = sentence(random);
  while (out.length < size) out += ' ' + sentence(random);
  return out;
}

/** camelCase of two or three words. */
export function identifier(random: Random): string {
  const second = capital(random.pick(TECHNICAL));
  return random.chance(0.3)
    ? random.pick(TECHNICAL) + second + capital(plain(zipfWord(random)))
    : random.pick(TECHNICAL) + second;
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function plain(word: string): string {
  return word.includes('_') ? word.replace('_', '') : word;
}
