import { Random } from '../base/random.ts';
import { TECHNICAL } from './words.ts';
import { phrase, zipfWord } from './vocabulary.ts';

/** `count` words with spaces between them: phrases and, every other time, single words, so that rare ones occur. */
export function wordRun(random: Random, count: number): string {
  let out = zipfWord(random);
  for (let left = count - 1; left > 0;) {
    if (left > 2 && (left & 1) === 0) {
      out += ' ' + phrase(random);
      left -= 3;
    } else {
      out += ' ' + zipfWord(random);
      left--;
    }
  }
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

let identifiers: string[] | undefined;

/** camelCase of two or three words: one of 32,768. */
export function identifier(random: Random): string {
  identifiers ??= makeIdentifiers(new Random(0x1de7, 21));
  return identifiers[random.uint() >>> 17] as string;
}

function makeIdentifiers(random: Random): string[] {
  return Array.from({ length: 32768 }, () => {
    const third = random.chance(0.3) ? capital(plain(zipfWord(random))) : '';
    return [random.pick(TECHNICAL), capital(random.pick(TECHNICAL)), third].join('');
  });
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function plain(word: string): string {
  return word.includes('_') ? word.replace('_', '') : word;
}
