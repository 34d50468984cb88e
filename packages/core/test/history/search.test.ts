import { describe, expect, it } from 'vitest';

import { damageIndex, databasePath, foreign, openHistory, prompts, REPEATING } from './databases.ts';

/** Prompts in the order in which they were sent, a query, and what it finds. */
const CASES: [name: string, sent: string[], query: string, found: string[]][] = [
  ['words between signs', ['git commit -m', 'git push'], 'git-commit', ['git commit -m']],
  ['beginnings of words', ['git commit', 'gitter'], 'git', ['gitter', 'git commit']],
  ['the inside of a word', ['commit it', 'nothing'], 'mit', ['commit it']],
  ['every word, in any order', ['fix the login page', 'fix it', 'login'], 'login fix', ['fix the login page']],
  ['a word that another word holds', ['recommit', 'commit'], 'commit', ['commit', 'recommit']],
  ['Chinese inside a run', ['修复登录页面', '修复首页'], '登录', ['修复登录页面']],
  ['one Chinese character', ['修复登录页面'], '页', ['修复登录页面']],
  ['Japanese and Korean inside a run', ['データベースを直す', '로그인페이지'], 'ベース', ['データベースを直す']],
  ['accents that were not typed', ['meet at the café'], 'cafe', ['meet at the café']],
  ['accents and capitals that were typed', ['meet at the café'], 'CAFÉ', ['meet at the café']],
  ['capitals', ['README first'], 'readme FIRST', ['README first']],
  ['percent signs as signs', ['100% sure', '100 times', 'a%b'], '100%', ['100 times', '100% sure']],
  ['underscores as signs', ['foo_bar', 'foo bar', 'foobaz'], 'foo_bar', ['foo bar', 'foo_bar']],
  ['quotes as signs', ['say "hello"'], '"hello"', ['say "hello"']],
  ['words of the query language as words', ['NEAR and OR', 'other'], 'NEAR OR', ['NEAR and OR']],
  ['nothing without letters and digits', ['!!!', 'a'], '!!!', []],
  ['nothing for an empty query', ['a'], '', []],
  ['emoji as signs', ['ship it 🚀'], '🚀 ship', ['ship it 🚀']],
];

describe('search', { timeout: 30_000 }, () => {
  it.each(CASES)('finds %s', async (_, sent, query, found) => {
    let time = 0;
    const history = openHistory(databasePath(), { now: () => (time += 1000) });
    for (const prompt of sent) void history.add(prompt);
    await history.flush();
    expect(prompts(history.search(query, 100))).toEqual(found);
  });

  it.each(CASES)('finds %s in a database that is only looked at', (_, sent, query, found) => {
    const at = foreign('unique', sent);
    expect(prompts(openHistory(at).search(query, 100))).toEqual(found);
  });

  it.each(REPEATING)('finds in a database of the kind "%s" what it holds', (kind) => {
    if (kind === 'titlesOnly') return expect(openHistory(foreign(kind)).search('fix', 10)).toEqual([]);
    const history = openHistory(foreign(kind, ['fix the login', '修复登录页面', 'fix the login']));
    expect(prompts(history.search('fix', 10))).toEqual(['fix the login', 'fix the login']);
    expect(prompts(history.search('登录', 10))).toEqual(['修复登录页面']);
    expect(history.search('fix', 1)).toMatchObject([{ id: 3, createdAt: 1002, cwd: null, sessionId: null }]);
  });

  it('answers the newest first, and no more than asked for', async () => {
    const times = [3000, 1000, 2000, 2000];
    const history = openHistory(databasePath(), { now: () => times.shift() ?? 0 });
    for (const prompt of ['one x', 'two x', 'three x', 'four x']) void history.add(prompt);
    expect(prompts(history.search('x', 10))).toEqual(['one x', 'four x', 'three x', 'two x']);
    expect(prompts(history.search('x', 2))).toEqual(['one x', 'four x']);
    expect(prompts(history.getRecent(10))).toEqual(['one x', 'four x', 'three x', 'two x']);
  });

  it.each([
    [2.9, 2],
    [0, 0],
    [-1, 0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
    [5000, 1000],
  ])('takes %d for a limit of %d', (limit, count) => {
    const texts = Array.from({ length: 1100 }, (_, n) => `prompt ${String(n)}`);
    const history = openHistory(foreign('unique', texts));
    expect(history.getRecent(limit)).toHaveLength(count);
    expect(history.search('prompt', limit)).toHaveLength(count);
  });

  it('takes queries of many words, and refuses endless ones', async () => {
    const words = Array.from({ length: 1900 }, (_, n) => String.fromCodePoint(0x4e00 + n));
    const history = openHistory(databasePath());
    await history.add(words.join(' '));
    expect(history.search(words.join(' '), 10)).toHaveLength(1);
    expect(history.search(`${words.slice(1).join(' ')} 龍`, 10)).toHaveLength(0);
    expect(() => history.search('x'.repeat(4001), 10)).toThrow(expect.objectContaining({ code: 'invalid_query' }));
  });

  it('still finds inside of words when the index is damaged, and says so', () => {
    const at = foreign('unique', ['fix the login']);
    damageIndex(at);
    const said: string[] = [];
    const history = openHistory(at, { logger: { warn: (text) => said.push(text), error: (text) => said.push(text) } });
    expect(prompts(history.search('login', 10))).toEqual(['fix the login']);
    expect(said).toEqual(['The index of the prompt history could not be asked.']);
  });
});
