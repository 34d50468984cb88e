/** Numbers, sizes and times as people write them. Pure: language tag, time zone and "now" come as arguments. */

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const cache = new Map<string, unknown>();

/** Intl objects cost about 50 µs to build and a list row needs several. */
function cached<T>(key: string, make: () => T): T {
  const known = cache.get(key) as T | undefined;
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
}

function numberFormat(tag: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return cached(`n ${tag} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag, options));
}

function dateFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return cached(`d ${tag} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(tag, options));
}

/** `1,284` */
export function formatNumber(tag: string, value: number): string {
  return numberFormat(tag).format(value);
}

/** Three significant digits with a short unit: `1.24M`, `124万`. For token counts. */
export function formatCompact(tag: string, value: number): string {
  return numberFormat(tag, { notation: 'compact', maximumSignificantDigits: 3 }).format(value);
}

/** Decimal units: `38 MB`, `1.2 kB`. */
export function formatBytes(tag: string, value: number): string {
  let step = 0;
  let rest = value;
  while (rest >= 999.5 && step < UNITS.length - 1) {
    rest /= 1000;
    step++;
  }
  const digits = step > 0 && rest < 9.95 ? 1 : 0;
  return `${numberFormat(tag, { maximumFractionDigits: digits }).format(rest)} ${UNITS[step] ?? 'B'}`;
}

/** USD: `$3.41`, `$0.0042` for less than a cent, `$0.00` for nothing. */
export function formatCost(tag: string, usd: number): string {
  const small = usd !== 0 && Math.abs(usd) < 0.01;
  const digits = small ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return numberFormat(tag, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', ...digits }).format(usd);
}

/** `84 %` of a share between 0 and 1. */
export function formatPercent(tag: string, share: number): string {
  return numberFormat(tag, { style: 'percent', maximumFractionDigits: 0 }).format(share);
}

/** A length of time: `0.3 s`, `4 min`, `2 h 5 min`. `ms` is milliseconds. */
export function formatDuration(tag: string, ms: number): string {
  const unit = (value: number, name: string, digits = 0): string =>
    numberFormat(tag, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits }).format(value);
  if (ms < 59_950) return unit(ms / 1000, 'second', ms < 9950 ? 1 : 0);
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 60) return unit(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? unit(hours, 'hour') : `${unit(hours, 'hour')} ${unit(minutes % 60, 'minute')}`;
}

/** Date and time in full, for titles and `<time>`: `30 November 2026 at 18:09:41`. */
export function formatDateTime(tag: string, time: number, timeZone?: string): string {
  return dateFormat(tag, { dateStyle: 'long', timeStyle: 'medium', ...zone(timeZone) }).format(time);
}

/** Hours and minutes: `10:42`. */
export function formatClock(tag: string, time: number, timeZone?: string): string {
  return dateFormat(tag, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...zone(timeZone) }).format(time);
}

/** Hours, minutes and seconds: `10:42:07`. */
export function formatClockSeconds(tag: string, time: number, timeZone?: string): string {
  const options = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  return dateFormat(tag, { ...options, ...zone(timeZone) }).format(time);
}

/** A day: `30 Nov`, with the year when it is not this one. */
export function formatDay(tag: string, time: number, now: number, timeZone?: string): string {
  const sameYear = yearOf(time, timeZone) === yearOf(now, timeZone);
  const year: Intl.DateTimeFormatOptions = sameYear ? {} : { year: 'numeric' };
  return dateFormat(tag, { day: 'numeric', month: 'short', ...year, ...zone(timeZone) }).format(time);
}

/** A month: `November 2026`. */
export function formatMonth(tag: string, time: number, timeZone?: string): string {
  return dateFormat(tag, { month: 'long', year: 'numeric', ...zone(timeZone) }).format(time);
}

/** Calendar days between two times, as seen in the time zone; positive when `time` is earlier. */
export function daysBetween(time: number, now: number, timeZone?: string): number {
  return Math.round((dayNumber(now, timeZone) - dayNumber(time, timeZone)) / DAY);
}

/** How long ago, short enough for a column: `now`, `2m ago`, `3h ago`, `yesterday`, `Sat`, `12 Mar`, `12 Mar 2024`. */
export function formatRelative(tag: string, time: number, now: number, timeZone?: string): string {
  const relative = cached(`r ${tag}`, () => new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'narrow' }));
  const ago = now - time;
  // A clock that runs a little ahead is no reason to speak of the future.
  if (ago > -MINUTE && ago < MINUTE) return relative.format(0, 'second');
  const days = daysBetween(time, now, timeZone);
  if (ago >= 0 && ago < HOUR) return relative.format(-Math.floor(ago / MINUTE), 'minute');
  if (ago >= 0 && days === 0) return relative.format(-Math.floor(ago / HOUR), 'hour');
  if (days === 1) return relative.format(-1, 'day');
  if (days > 1 && days < 7) return dateFormat(tag, { weekday: 'short', ...zone(timeZone) }).format(time);
  return formatDay(tag, time, now, timeZone);
}

function zone(timeZone: string | undefined): Intl.DateTimeFormatOptions {
  return timeZone === undefined ? {} : { timeZone };
}

function parts(time: number, timeZone: string | undefined): [year: number, month: number, day: number] {
  const text = dateFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', ...zone(timeZone) }).format(time);
  const [year = 0, month = 1, day = 1] = text.split('-').map(Number);
  return [year, month, day];
}

function yearOf(time: number, timeZone: string | undefined): number {
  return parts(time, timeZone)[0];
}

function dayNumber(time: number, timeZone: string | undefined): number {
  const [year, month, day] = parts(time, timeZone);
  return Date.UTC(year, month - 1, day);
}
