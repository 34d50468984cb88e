import { user } from '../entries/roles/user.ts';
import type { Outline } from '../outline/outline.ts';
import { plus, callPurpose, repeatedCalls } from './usage.ts';

/** What happened on one day. */
export interface DayTally {
  /** `2026-03-29` in the time zone asked for; null for entries without a time. */
  date: string | null;
  entries: number;
  prompts: number;
  tokens: number | null;
  /** USD */
  cost: number | null;
}

/**
 * The session day by day, oldest first, entries without a time last. Sums are those of `statistics().total`.
 *
 * @param timeZone an IANA name; throws a RangeError for any other.
 */
export function byDay(outline: Outline, timeZone: string): DayTally[] {
  const dateOf = localDates(timeZone);
  const repeats = repeatedCalls(outline);
  const days = new Map<string | null, DayTally>();
  for (let row = 0; row < outline.rowCount; row++) {
    const date = dateOf(outline.time(row));
    let day = days.get(date);
    if (day === undefined) days.set(date, (day = { date, entries: 0, prompts: 0, tokens: null, cost: null }));
    day.entries++;
    if (outline.role(row) === user.role) day.prompts++;
    if (repeats.has(row) || callPurpose(outline, row) === null) continue;
    day.tokens = plus(day.tokens, outline.tokens(row));
    day.cost = plus(day.cost, outline.usage(row)?.cost ?? null);
  }
  return [...days.values()].sort((a, b) => compareDates(a.date, b.date));
}

function compareDates(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Since 1972 every zone is a multiple of a quarter of an hour from UTC, so that no day begins inside of one. */
const QUARTER_MS = 15 * 60_000;
const QUARTERS_SINCE = Date.UTC(1972, 0, 8);
const LAST_TIME = 8.64e15;

/** Epoch ms → the date in the zone. Formatting is slow: one time of each quarter of an hour is formatted. */
function localDates(timeZone: string): (time: number | null) => string | null {
  const format = formatterOf(timeZone);
  const known = new Map<number, string>();
  return (time) => {
    if (time === null || Math.abs(time) > LAST_TIME) return null;
    if (time < QUARTERS_SINCE) return dateIn(format, time);
    const quarter = Math.floor(time / QUARTER_MS);
    let date = known.get(quarter);
    if (date === undefined) known.set(quarter, (date = dateIn(format, time)));
    return date;
  };
}

/** Making a formatter costs more than a thousand uses of it. */
const formatters = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATTERS = 32;

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let format = formatters.get(timeZone);
  if (format === undefined) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', { timeZone, ...parts });
    if (formatters.size >= MAX_FORMATTERS) formatters.clear();
    formatters.set(timeZone, format);
  }
  return format;
}

function dateIn(format: Intl.DateTimeFormat, time: number): string {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of format.formatToParts(time)) parts[type] = value;
  return `${(parts.year ?? '').padStart(4, '0')}-${parts.month ?? ''}-${parts.day ?? ''}`;
}
