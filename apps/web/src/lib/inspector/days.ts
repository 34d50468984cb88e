import type { SessionDetail } from '@stemma/api/schemas';

export type Day = NonNullable<SessionDetail['days']>[number];

/** One bar of the chart: one day, or several in a row where the session is long. */
export interface DayBar {
  /** First and last date, `2026-03-29`. */
  from: string;
  to: string;
  entries: number;
}

const DAY_MS = 86_400_000;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** The time of a calendar date at midnight UTC, for counting and formatting days; null for other texts. */
export function dateTime(date: string | null): number | null {
  const match = date === null ? null : DATE.exec(date);
  return match ? Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) : null;
}

/** Bars from the first day to the last, days without entries included; at most `most` of them, all of the same width. */
export function dayBars(days: readonly Day[], most: number): DayBar[] {
  const dated = days.flatMap((day) => {
    const time = dateTime(day.date);
    return time === null ? [] : [{ time, entries: day.entries }];
  });
  if (dated.length === 0) return [];
  let first = Infinity;
  let last = -Infinity;
  for (const { time } of dated) {
    first = Math.min(first, time);
    last = Math.max(last, time);
  }
  const count = Math.round((last - first) / DAY_MS) + 1;
  const each = Math.ceil(count / most);
  const bars = Array.from({ length: Math.ceil(count / each) }, (_, at): DayBar => {
    const from = first + at * each * DAY_MS;
    return { from: dateText(from), to: dateText(Math.min(last, from + (each - 1) * DAY_MS)), entries: 0 };
  });
  for (const { time, entries } of dated) bars[Math.floor(Math.round((time - first) / DAY_MS) / each)]!.entries += entries;
  return bars;
}

const dateText = (time: number): string => new Date(time).toISOString().slice(0, 10);
