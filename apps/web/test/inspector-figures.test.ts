import { describe, expect, it } from 'vitest';

import { dateTime, dayBars, type Day } from '../src/lib/inspector/days.ts';
import { atLeast, figure } from '../src/lib/inspector/figures.ts';

const day = (date: string | null, entries: number): Day => ({ date, entries, prompts: 1, tokens: null, cost: null });

describe('dayBars', () => {
  it('draws every day from the first to the last, those without entries, too', () => {
    expect(dayBars([day('2026-03-28', 4), day('2026-03-31', 2), day(null, 9)], 48)).toEqual([
      { from: '2026-03-28', to: '2026-03-28', entries: 4 },
      { from: '2026-03-29', to: '2026-03-29', entries: 0 },
      { from: '2026-03-30', to: '2026-03-30', entries: 0 },
      { from: '2026-03-31', to: '2026-03-31', entries: 2 },
    ]);
  });

  it('joins days where there are more than bars, and loses no entry', () => {
    const bars = dayBars([day('2024-02-28', 1), day('2024-03-01', 2), day('2026-01-01', 3)], 48);
    expect(bars.length).toBeLessThanOrEqual(48);
    expect(bars[0]).toEqual({ from: '2024-02-28', to: '2024-03-13', entries: 3 });
    expect(bars.at(-1)?.to).toBe('2026-01-01');
    expect(bars.reduce((sum, bar) => sum + bar.entries, 0)).toBe(6);
  });

  it('stays small for a session with dates far apart, and draws nothing without dates', () => {
    expect(dayBars([day('0001-01-01', 1), day('9999-12-31', 1)], 48).length).toBeLessThanOrEqual(48);
    expect(dayBars([day(null, 3)], 48)).toEqual([]);
    expect(dateTime('+010000-01-01')).toBeNull();
  });
});

describe('figures', () => {
  it('says unknown instead of zero, and that a sum may be more', () => {
    expect(figure(null)).toBe('unknown');
    expect(figure(0)).toBe('0');
    expect(atLeast(1_200, 2)).toBe('≥ 1,200');
    expect(atLeast(1_200, 0)).toBe('1,200');
    expect(atLeast(null, 3, true)).toBe('unknown');
  });
});
