import type { Random } from '../random.ts';

export type Sent = [prompt: string, cwd: string | null, session: string | null];

export type Query = [query: string, limit: number];

const WORDS = [
  ...['fix', 'the', 'Login', 'commit', 'git-commit', 'foo_bar', 'C++', '--no-cache', 'error-401', '100%', 'a.b.c', 'README', 'x'],
  ...[
    '修复登录页面',
    '用户',
    '悬空',
    'データベース',
    '로그인페이지',
    'café',
    'CAFÉ',
    'naïve',
    'Straße',
    'STRASSE',
    'İstanbul',
    'fi',
  ],
  ...['⭐️', '🚀', '"quoted"', "it's", '(NEAR)', 'OR', 'AND', 'NOT', '*', '%', '_', '\\', '^a', 'e\u0301', '١٢٣', '½', 'Ωmega'],
];

const JOINS: readonly (readonly [number, string])[] = [
  [12, ' '],
  [2, '  '],
  [1, '\n'],
  [1, '   \r\n'],
  [1, '\r'],
  [1, ''],
];

/** A prompt as people send them, blanks and line ends of all kinds included. */
export function somePrompt(random: Random): string {
  let text = random.chance(0.1) ? '  ' : '';
  const count = random.int(0, 6);
  for (let n = 0; n < count; n++) text += random.pick(WORDS) + random.weighted(JOINS);
  return random.chance(0.02) ? text.repeat(50) : text;
}

/** Prompts of which some repeat earlier ones. */
export function somePrompts(random: Random, count: number): Sent[] {
  const sent: Sent[] = [];
  for (let n = 0; n < count; n++) {
    const prompt = sent.length > 0 && random.chance(0.25) ? random.pick(sent)[0] : somePrompt(random);
    sent.push([prompt, random.pick([null, '/work/a', '/work/b']), random.pick([null, 's1', 's2', 's3'])]);
  }
  return sent;
}

/** Words, parts of words and of prompts that were sent, and signs. */
export function someQueries(random: Random, sent: readonly Sent[], count: number): Query[] {
  const limits = [1, 3, 10, 100, 2.9, 0, -1, 5000];
  return Array.from({ length: count }, () => [oneQuery(random, sent), random.pick(limits)]);
}

function oneQuery(random: Random, sent: readonly Sent[]): string {
  if (sent.length === 0 || random.chance(0.3)) return random.pick([...WORDS, '', ' ', '!!!', 'nowhere']);
  const prompt = random.pick(sent)[0].slice(0, 3000);
  const letters = [...prompt];
  const from = random.int(0, Math.max(0, letters.length - 1));
  const part = letters.slice(from, from + random.int(1, 8)).join('');
  return random.pick([part, part.toUpperCase(), part.toLowerCase(), `${part} ${random.pick(WORDS)}`]);
}
