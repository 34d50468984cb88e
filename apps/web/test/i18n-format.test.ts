import { describe, expect, it } from 'vitest';

import {
  daysBetween,
  formatBytes,
  formatClock,
  formatCompact,
  formatCost,
  formatDateTime,
  formatDuration,
  formatMonth,
  formatPercent,
  formatRelative,
} from '../src/lib/i18n/format.ts';

const zone = 'Europe/Berlin';
// A Monday, 18:30 in Berlin.
const now = Date.UTC(2026, 10, 30, 17, 30);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('sizes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [1234, '1.2 kB'],
    [12_345, '12 kB'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [38_000_000, '38 MB'],
    [5_000_000_000, '5 GB'],
    [3e15, '3,000 TB'],
  ])('%d is %s', (value, text) => expect(formatBytes('en', value)).toBe(text));
});

describe('amounts', () => {
  it('are short for tokens', () => {
    expect(formatCompact('en', 1_240_000)).toBe('1.24M');
    expect(formatCompact('en', 999)).toBe('999');
    expect(formatCompact('zh-CN', 1_240_000)).toBe('124万');
  });

  it('are dollars, and tell less than a cent from nothing', () => {
    expect(formatCost('en', 3.414)).toBe('$3.41');
    expect(formatCost('en', 0)).toBe('$0.00');
    expect(formatCost('en', 0.00421)).toBe('$0.0042');
    expect(formatCost('zh-CN', 1234.5)).toBe('$1,234.50');
  });

  it('are shares in percent', () => expect(formatPercent('en', 0.836)).toBe('84%'));
});

describe('durations', () => {
  it.each([
    [0, '0 sec'],
    [300, '0.3 sec'],
    [9_940, '9.9 sec'],
    [12_300, '12 sec'],
    [59_960, '1 min'],
    [4 * MINUTE, '4 min'],
    [2 * HOUR, '2 hr'],
    [2 * HOUR + 5 * MINUTE, '2 hr 5 min'],
  ])('%d ms is %s', (ms, text) => expect(formatDuration('en', ms)).toBe(text));
});

describe('how long ago', () => {
  it.each([
    [0, 'now'],
    [-30_000, 'now'],
    [14 * MINUTE, '14m ago'],
    [59 * MINUTE, '59m ago'],
    [3 * HOUR, '3h ago'],
    [20 * HOUR, 'yesterday'],
    [3 * 24 * HOUR, 'Fri'],
    [6 * 24 * HOUR, 'Tue'],
    [7 * 24 * HOUR, 'Nov 23'],
    [400 * 24 * HOUR, 'Oct 26, 2025'],
  ])('%d ms is %s', (ago, text) => expect(formatRelative('en', now - ago, now, zone)).toBe(text));

  it('is a date for times to come', () => expect(formatRelative('en', now + 3 * HOUR, now, zone)).toBe('Nov 30'));

  it('speaks Chinese', () => {
    expect(formatRelative('zh-CN', now - 3 * HOUR, now, zone)).toBe('3小时前');
    expect(formatRelative('zh-CN', now - 20 * HOUR, now, zone)).toBe('昨天');
  });
});

describe('days', () => {
  it('are those of the calendar in the time zone, over the change of the clocks too', () => {
    expect(daysBetween(Date.UTC(2026, 9, 24, 22, 30), Date.UTC(2026, 9, 25, 23, 30), zone)).toBe(1 + 0);
    expect(daysBetween(Date.UTC(2026, 10, 29, 22, 59), Date.UTC(2026, 10, 29, 23, 1), zone)).toBe(1);
    expect(daysBetween(Date.UTC(2026, 10, 29, 22, 59), Date.UTC(2026, 10, 29, 23, 1), 'UTC')).toBe(0);
  });

  it('are written in full, as a month, and as a clock', () => {
    expect(formatDateTime('en', now, zone)).toBe('November 30, 2026 at 6:30:00 PM');
    expect(formatMonth('zh-CN', now, zone)).toBe('2026年11月');
    expect(formatClock('en', Date.UTC(2026, 0, 1, 23, 5), zone)).toBe('00:05');
  });
});
