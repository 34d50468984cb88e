import { describe, expect, it } from 'vitest';

import { byDay, statistics } from '../../src/pure.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

const at = (timestamp: string): Record<string, unknown> => ({ timestamp });
const answer = (timestamp: string, input: number): Record<string, unknown> => ({
  timestamp,
  usage: { input, cost: { total: input / 100 } },
});

function dates(builder: SessionBuilder, timeZone: string): [string | null, number][] {
  return byDay(decode(builder).outline, timeZone).map(({ date, entries }) => [date, entries]);
}

describe('byDay', () => {
  it.each([
    // The night in which clocks in Europe go from 02:00 to 03:00.
    [
      'Europe/Berlin',
      ['2026-03-28T22:59:59.000Z', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.000Z', '2026-03-29T22:00:00.000Z'],
      ['2026-03-28', '2026-03-29', '2026-03-29', '2026-03-30'],
    ],
    ['Europe/Berlin', ['2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z'], ['2026-03-29', '2026-03-29']],
    // And back, from 03:00 to 02:00.
    [
      'Europe/Berlin',
      ['2026-10-24T21:59:59.000Z', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.000Z', '2026-10-25T23:00:00.000Z'],
      ['2026-10-24', '2026-10-25', '2026-10-25', '2026-10-26'],
    ],
    // 20:08 in the west is the next day in UTC.
    ['America/Los_Angeles', ['2026-01-24T20:08:00.000-08:00'], ['2026-01-24']],
    ['UTC', ['2026-01-24T20:08:00.000-08:00'], ['2026-01-25']],
    // Zones that are not whole hours apart.
    ['Asia/Kathmandu', ['2026-01-01T18:14:59.999Z', '2026-01-01T18:15:00.000Z'], ['2026-01-01', '2026-01-02']],
    // Clocks go forward at midnight: the day begins at 01:00.
    ['America/Havana', ['2026-03-08T04:59:59.000Z', '2026-03-08T05:00:00.000Z'], ['2026-03-07', '2026-03-08']],
    // Before 1972 zones were off by seconds.
    ['Africa/Monrovia', ['1971-12-31T00:44:29.000Z', '1971-12-31T00:44:31.000Z'], ['1971-12-30', '1971-12-31']],
  ])('%s %j', (timeZone, times, expected) => {
    const builder = session();
    for (const time of times) builder.user('x', at(time));
    const found = dates(builder, timeZone).flatMap(([date, entries]) => Array.from({ length: entries }, () => date));
    expect(found).toEqual(expected);
  });

  it('puts every entry on its own day, whatever branch it is on', () => {
    const builder = session()
      .user('a', at('2026-05-01T08:00:00.000Z'))
      .assistant('b', answer('2026-05-01T08:01:00.000Z', 10))
      .user('c', at('2026-05-03T08:00:00.000Z'))
      .at('e1')
      .user('d', at('2026-05-02T08:00:00.000Z'))
      .assistant('e', answer('2026-05-02T08:01:00.000Z', 20));
    expect(byDay(decode(builder).outline, 'UTC')).toEqual([
      { date: '2026-05-01', entries: 2, prompts: 1, tokens: 10, cost: 0.1 },
      { date: '2026-05-02', entries: 2, prompts: 1, tokens: 20, cost: 0.2 },
      { date: '2026-05-03', entries: 1, prompts: 1, tokens: null, cost: null },
    ]);
  });

  it('keeps entries without a time, last', () => {
    const builder = session().user('a', at('soon')).user('b', at('2026-05-01T08:00:00.000Z'));
    expect(dates(builder, 'UTC')).toEqual([
      ['2026-05-01', 1],
      [null, 1],
    ]);
  });

  it('takes times that no calendar has for none', () => {
    const message = { role: 'user', content: 'x', timestamp: 1e300 };
    expect(dates(session().entry('message', { message, timestamp: null }), 'Europe/Berlin')).toEqual([[null, 1]]);
  });

  it('adds up to the total of the statistics, in any zone', () => {
    const builder = session();
    for (let i = 0; i < 60; i++) {
      const time = new Date(Date.UTC(2026, 2, 27) + i * 3_700_000).toISOString();
      if (i % 3 === 0) builder.user('x', at(time));
      else builder.assistant('y', { responseId: `r${String(i % 7)}`, ...answer(time, i) });
      if (i % 10 === 0) builder.compaction('s', 'e1', answer(time, 1000));
      if (i % 20 === 5) builder.at('e2');
    }
    const { outline } = decode(builder);
    const { total } = statistics(outline, outline.leafRow);
    for (const zone of ['UTC', 'Europe/Berlin', 'Pacific/Kiritimati']) {
      const days = byDay(outline, zone);
      expect(days.length).toBeGreaterThan(2);
      expect(days.reduce((sum, day) => sum + day.entries, 0)).toBe(total.entries);
      expect(days.reduce((sum, day) => sum + day.prompts, 0)).toBe(total.prompts);
      expect(days.reduce((sum, day) => sum + (day.tokens ?? 0), 0)).toBe(total.tokens);
      expect(days.reduce((sum, day) => sum + (day.cost ?? 0), 0)).toBeCloseTo(total.cost!, 8);
    }
  });

  it('refuses what is no time zone', () => {
    expect(() => byDay(decode(session()).outline, 'Mars/Olympus')).toThrow(RangeError);
  });
});
