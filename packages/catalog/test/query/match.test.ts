import { describe, expect, it } from 'vitest';

import { Matcher, parseQuery, type Query } from '../../src/query/index.ts';

function query(text: string): Query {
  const parsed = parseQuery(text);
  if ('error' in parsed) throw new Error(`${parsed.error.code} at ${String(parsed.error.at)}`);
  return parsed.query;
}

/** The text with what is found between brackets; null where it does not fit. */
function found(text: string, words: string): string | null {
  const matcher = new Matcher(query(words));
  if (!matcher.matches(text)) return null;
  let marked = '';
  let at = 0;
  for (const [start, end] of matcher.ranges(text)) {
    marked += `${text.slice(at, start)}[${text.slice(start, end)}]`;
    at = end;
  }
  return marked + text.slice(at);
}

/** query, text, the text with what matched between brackets, or null */
const CASES: [string, string, string | null][] = [
  ['error', 'An Error, errors', 'An [Error], errors'],
  ['error*', 'An Error, errors', 'An [Error], [error]s'],
  ['错误', '这里有错误了', '这里有[错误]了'],
  ['队列', '消息 队 列', null],
  ['gen', '跑gen后', '跑[gen]后'],
  ['后', '跑gen后', '跑gen[后]'],
  ['서울', '나는 서울에', '나는 [서울]에'],
  ['⭐', 'five ⭐️ stars', 'five [⭐️] stars'],
  ['⭐️', 'five ⭐ stars', 'five [⭐] stars'],
  ['baz', 'call foo_baz_x()', 'call foo_[baz]_x()'],
  ['foo_baz', 'call foo_baz_x()', 'call [foo_baz]_x()'],
  ['oo_baz', 'call foo_baz_x()', null],
  ['b.c', 'a.b.c()', 'a.[b.c]()'],
  ['a.b.c()', 'x a.b.c() y', 'x [a.b.c()] y'],
  ['--dry-run', 'npm --dry-run x', 'npm [--dry-run] x'],
  ['--dry-run', 'a dry-run', null],
  ['c++', 'C and C++ here', 'C and [C++] here'],
  ['err-77', 'got ERR-77.', 'got [ERR-77].'],
  ['err-77', 'got ERR-770.', null],
  ['db', 'the DB, dbs', 'the [DB], dbs'],
  ['a', 'a cab a', '[a] cab [a]'],
  ['cafe', 'Café cafe\u0301', '[Café] [cafe\u0301]'],
  ['straße', 'Straße', '[Straße]'],
  ['й', 'и й', 'и [й]'],
  ['σοφος', 'ΣΟΦΟΣ σοφός', '[ΣΟΦΟΣ] [σοφός]'],
  ['"two words"', 'Two\n  words, two-words', '[Two\n  words], two-words'],
  ['"wo words"', 'two words', null],
  ['one two', 'two and one', '[two] and [one]'],
  ['one two', 'only one', null],
  ['one OR two', 'two here', '[two] here'],
  ['one -two', 'one two', null],
  ['one -two', 'one three', '[one] three'],
  ['-"a b" c', 'a b c', null],
  ['(one OR two) three', 'two three', '[two] [three]'],
  ['(one three) OR two', 'three one', '[three] [one]'],
  ['OR', 'this OR that', 'this [OR] that'],
  ['one OR', 'one or none', '[one] [or] none'],
  ['-', 'a - b', 'a [-] b'],
  ['sub:batm', 'thebatman', 'the[batm]an'],
  ['sub:"b c"', 'ab cd', 'a[b c]d'],
  ['re:/v\\d+\\.\\d+/', 'at v12.4 now', 'at [v12.4] now'],
  ['re:/ABC/i', 'xabcx', 'x[abc]x'],
  ['re:/[/]x/', 'a/x', 'a[/x]'],
  ['status:500', 'status:500 came', '[status:500] came'],
  ['key="a', 'x key="a b"', 'x [key="a] b"'],
  ['(', 'f(x)', 'f[(]x)'],
  ['"never closed', 'is never closed', 'is [never closed]'],
  ['*', '2 * 3', '2 [*] 3'],
  ['İ', 'i̇ x', '[i̇] x'],
  ['👍🏽', 'ok 👍🏽 x', 'ok [👍🏽] x'],
  ['𝒳', 'a 𝒳 b', 'a [𝒳] b'],
  ['𝒳\ud835', '𝒳𝒴', null],
  ['role:user one', 'one', '[one]'],
  ['', 'anything', 'anything'],
];

describe('finding a query in a text', () => {
  it.each(CASES)('%s in %j', (words, text, expected) => {
    expect(found(text, words)).toBe(expected);
  });

  it('takes half a surrogate pair for what it is', () => {
    expect(found('a \ud83d b', '\ud83d')).toBe('a [\ud83d] b');
  });

  it('asks who knows about filters', () => {
    const matcher = new Matcher(query('role:user OR -tool:bash'));
    const holds = (name: string) => (filter: { name: string }) => filter.name === name;
    expect(matcher.matches('', holds('role'))).toBe(true);
    expect(matcher.matches('', holds('tool'))).toBe(false);
  });
});
