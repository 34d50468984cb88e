import { Random } from '../base/random.ts';
import { cjkParagraph, type Language } from './cjk.ts';
import { code } from './code.ts';
import { identifier, paragraph, wordRun } from './prose.ts';
import { TECHNICAL } from './words.ts';

/** What a person types. `paths`: files of the project to speak about. */
export function prompt(random: Random, language: Language, paths: readonly string[]): string {
  if (language !== 'en') return cjkPrompt(random, language, paths);
  const path = random.pick(paths);
  switch (random.below(11)) {
    case 0:
      return `Why does \`${identifier(random)}\` return ${random.below(9)} when the ${wordRun(random, 2)} is empty? Look at ${path} first.`;
    case 1:
      return `The test in ${path} fails on CI but not here. Find out why and fix it, ${wordRun(random, 5)}.`;
    case 2:
      return `refactor ${path} so that ${identifier(random)} no longer needs ${identifier(random)}. ${paragraph(random, 120)}`;
    case 3:
      return `Add a \`--${random.pick(['dry-run', 'verbose', 'json', 'no-cache', 'since'])}\` option to the command in ${path}.`;
    case 4:
      return 'yes, go on';
    case 5:
      return `This is what I get:\n\n\`\`\`\n${code(random, 300)}\`\`\`\n\n${paragraph(random, 80)}`;
    case 6:
      return `${paragraph(random, 200)}\n\n1. ${wordRun(random, 8)}\n2. ${wordRun(random, 6)}\n3. ${wordRun(random, 7)}`;
    case 7:
      return `no, that is not it. ${paragraph(random, 60)}`;
    case 8:
      return `Explain how ${identifier(random)} and ${identifier(random)} work together, short please.`;
    case 9:
      return `write a migration that renames ${identifier(random)} to ${identifier(random)} in ${path}`;
    default:
      return paragraph(random, random.range(60, 500));
  }
}

/** What the `n`-th sub-session of the session with this seed is told to do: the same text in its parent and in itself. */
export function subSessionTask(seed: number, n: number): string {
  const random = new Random(seed + n, 11);
  return `Find out where ${identifier(random)} is used and report: ${wordRun(random, 8)}.`;
}

/** A short name for a session. */
export function title(random: Random, language: Language): string {
  if (language === 'en') {
    const verb = random.pick(['Fix the', 'Add a', 'Refactor the', 'Explain the', 'Speed up the', 'Review the']);
    const where = random.chance(0.4) ? ` in ${identifier(random)}` : '';
    return `${verb} ${random.pick(TECHNICAL)} ${random.pick(TECHNICAL)}${where}`;
  }
  return cjkParagraph(random, language, 8).slice(0, 40);
}

function cjkPrompt(random: Random, language: Exclude<Language, 'en'>, paths: readonly string[]): string {
  const path = random.pick(paths);
  const text = cjkParagraph(random, language, random.range(20, 120));
  if (random.chance(0.5)) return text;
  const lead = { zh: `请看 ${path}：`, ja: `${path} を見てください。`, ko: `${path} 파일을 봐 주세요. ` }[language];
  return lead + text;
}
