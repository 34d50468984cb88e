import type { Random } from '../base/random.ts';
import { identifier } from '../text/prose.ts';
import { EXTENSIONS, FOLDERS } from '../text/words.ts';
import { zipfWord } from '../text/vocabulary.ts';

/** File paths of a made-up project, relative to its working directory. */
export function projectPaths(random: Random, count: number): string[] {
  const out: string[] = ['README.md', 'package.json'];
  while (out.length < count) {
    const name = random.chance(0.5) ? identifier(random) : zipfWord(random);
    const folder = random.chance(0.4) ? `${random.pick(FOLDERS)}/${zipfWord(random)}` : random.pick(FOLDERS);
    out.push(`${folder}/${name}.${random.pick(EXTENSIONS)}`);
  }
  return out;
}
