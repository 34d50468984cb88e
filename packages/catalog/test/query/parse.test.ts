import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fold, indexText, MAX_QUERY, Matcher, parseQuery, tokensOf } from '../../src/query/index.ts';

const DAY = 86_400_000;

describe('reading queries', () => {
  it.each([
    ['x'.repeat(MAX_QUERY + 1), 'too_long'],
    ['re:/abc', 'regex_not_closed'],
    ['re:/(/', 'regex_invalid'],
    ['re:/a(?=b)/', 'regex_invalid'],
    ['re:/(a)\\1/', 'regex_invalid'],
    ['role:', 'filter_empty'],
    ['sub:""', 'filter_empty'],
    ['in:nowhere', 'filter_value'],
    ['is:odd', 'filter_value'],
    ['before:yesterday', 'filter_value'],
    ['after:2026-02-31', 'filter_value'],
    ['a ()', 'group_empty'],
    [`${'('.repeat(40)}x${')'.repeat(40)}`, 'too_deep'],
    ['x '.repeat(1_500), 'too_many_terms'],
  ])('%s', (text, code) => {
    expect(parseQuery(text)).toMatchObject({ error: { code } });
  });

  it('reads dates in the time zone that it is told', () => {
    expect(parseQuery('after:1970-01-02')).toMatchObject({ query: { name: 'after', time: DAY } });
    const east = { offsetMinutes: () => 60 };
    expect(parseQuery('after:1970-01-02', east)).toMatchObject({ query: { time: DAY - 3_600_000 } });
    expect(parseQuery('before:1970-02')).toMatchObject({ query: { name: 'before', time: 31 * DAY } });
    expect(parseQuery('before:1970-01-01T00:00:01.5Z', east)).toMatchObject({ query: { time: 1_500 } });
  });

  it('reads groups, filters with quotes, and exclusions', () => {
    expect(parseQuery('a (b OR -c) project:"my app" -in:output')).toEqual({
      query: {
        kind: 'and',
        of: [
          { kind: 'word', text: 'a', prefix: false },
          {
            kind: 'or',
            of: [
              { kind: 'word', text: 'b', prefix: false },
              { kind: 'not', of: { kind: 'word', text: 'c', prefix: false } },
            ],
          },
          { kind: 'filter', name: 'project', value: 'my app' },
          { kind: 'not', of: { kind: 'filter', name: 'in', value: 'output' } },
        ],
      },
    });
  });
});

const alphabet = fc.constantFrom(
  ...[
    'a',
    'B',
    '1',
    ' ',
    '  ',
    '-',
    '--',
    '"',
    '(',
    ')',
    '*',
    'OR',
    ' OR ',
    ':',
    're:/',
    '/',
    'i',
    'sub:',
    'role:',
    'in:',
    'is:',
  ],
  ...['\\', '[', ']', '.', '+', '悬', '사', '⭐️', '\u0301', 'é', '\ud83d', '👍🏽', '\n', '\u0000', 'before:', '2026', 'İ', 'ﬁ'],
);
const texts = fc.array(alphabet, { maxLength: 24 }).map((parts) => parts.join(''));

describe('queries of any kind', () => {
  it('are read or refused, and matched in any text, with places in order inside it', () => {
    fc.assert(
      fc.property(texts, texts, (words, text) => {
        const parsed = parseQuery(words);
        if ('error' in parsed) {
          expect(parsed.error.at).toBeGreaterThanOrEqual(0);
          return;
        }
        const ranges = new Matcher(parsed.query).ranges(text);
        let last = 0;
        for (const [start, end] of ranges) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 5_000 },
    );
  });

  it('a text without operators finds itself', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const quoted = text.replace(/"/g, ' ');
        const parsed = parseQuery(`"${quoted}"`);
        if (fold(quoted).text.trim() === '' || 'error' in parsed) return;
        expect(new Matcher(parsed.query).matches(quoted)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('each token of a text is found in it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const folded = fold(text);
        for (const { start, end } of tokensOf(folded.text)) {
          const word = folded.text.slice(start, end);
          expect(new Matcher({ kind: 'word', text: word, prefix: false }).matches(text)).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('what the index takes', () => {
  it.each([
    ['foo_bar.baz', 'foo bar baz'],
    ['重跑gen后', '重 跑 gen 后'],
    ['a ⭐️ b', 'a \ue000002b50 b'],
    ['─── x │ ⠋', 'x'],
    ['C++ = 3²', 'c 3²'],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(indexText(fold(text).text)).toBe(expected);
  });

  it('cuts what is too long to be a word', () => {
    expect(
      indexText('x'.repeat(600))
        .split(' ')
        .map((part) => part.length),
    ).toEqual([256, 256, 88]);
  });
});
