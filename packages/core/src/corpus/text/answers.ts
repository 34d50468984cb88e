import type { Random } from '../base/random.ts';
import { cjkParagraph, type Language } from './cjk.ts';
import { fence } from './code.ts';
import { capital, identifier, paragraph, wordRun } from './prose.ts';

/** A Markdown answer of about `size` characters: paragraphs, lists, fences, a table, a heading. */
export function answer(random: Random, language: Language, size: number): string {
  let out = prose(random, language, Math.min(size, 240));
  while (out.length < size) {
    out += '\n\n';
    const kind = random.below(9);
    if (kind === 0) out += `## ${capital(wordRun(random, random.range(2, 4)))}`;
    else if (kind === 1) out += list(random, language);
    else if (kind === 2 || kind === 3) out += fence(random, Math.min(600, size / 2));
    else if (kind === 4 && size > 600) out += table(random);
    else out += prose(random, language, Math.min(300, size));
  }
  return out;
}

/** What a model thinks before it answers. */
export function thought(random: Random, language: Language, size: number): string {
  return language === 'en' && random.chance(0.3)
    ? `I should look at \`${identifier(random)}\` first. ${paragraph(random, size)}`
    : prose(random, language, size);
}

/** The summary of a compaction or of an abandoned branch. */
export function summary(random: Random, language: Language, paths: readonly string[], size: number): string {
  const parts = [
    '## Goal',
    prose(random, language, size * 0.2),
    '## Done',
    list(random, language),
    '## Decisions',
    list(random, language),
    '## Open',
    prose(random, language, size * 0.2),
    '## Files',
    paths.map((path) => `- ${path}`).join('\n'),
  ];
  return parts.join('\n\n');
}

function prose(random: Random, language: Language, size: number): string {
  return language === 'en' || random.chance(0.2) ? paragraph(random, size) : cjkParagraph(random, language, size * 0.5);
}

function list(random: Random, language: Language): string {
  const numbered = random.chance(0.4);
  let out = '';
  for (let i = 1, n = random.range(2, 6); i <= n; i++) {
    const text = language === 'en' ? capital(wordRun(random, random.range(4, 12))) : cjkParagraph(random, language, 15);
    out += `${numbered ? `${i}.` : '-'} ${text}${i < n ? '\n' : ''}`;
  }
  return out;
}

function table(random: Random): string {
  let out = `| ${wordRun(random, 1)} | ${wordRun(random, 1)} | ${wordRun(random, 2)} |\n|---|---:|---|`;
  for (let i = random.range(2, 6); i > 0; i--) {
    out += `\n| \`${identifier(random)}\` | ${random.below(10000)} | ${wordRun(random, random.range(2, 5))} |`;
  }
  return out;
}
