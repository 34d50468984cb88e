/** Careful readers of fields that may hold anything. */
import type { RawRecord } from './entry.ts';

export function isRecord(value: unknown): value is RawRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON that cannot be parsed is data; any other error is a fault of ours. */
function isSyntaxError(error: unknown): error is SyntaxError {
  return error instanceof SyntaxError;
}

/** The value of a JSON text; undefined when it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (isSyntaxError(error)) return undefined;
    throw error;
  }
}

export function asRecord(value: unknown): RawRecord {
  return isRecord(value) ? value : {};
}

export function asString(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function asNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asStrings(value: unknown): string[] {
  return asArray(value).filter((item): item is string => typeof item === 'string');
}

/** Years 1 to 9999: calendars, and whoever computes with days and months, are safe with these. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** Epoch ms of an ISO text, or null. */
export function asTime(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  return utcTime(value) ?? asEpoch(Date.parse(value));
}

/** Epoch ms as a file may state it, or null when it is no time. */
export function asEpoch(value: unknown): number | null {
  const ms = asNumber(value);
  return ms === null || ms < FIRST_TIME || ms > LAST_TIME ? null : ms;
}

const DAY_MS = 86_400_000;

/** Epoch ms of `2026-01-02T03:04:05.678Z`, the form that agents write; null for any other, even where it is a time. */
function utcTime(text: string): number | null {
  if (text.length !== 24 || text.charCodeAt(10) !== 84 || text.charCodeAt(23) !== 90) return null;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  const ms = digits(text, 20, 3);
  const separators =
    text.charCodeAt(4) === 45 && text.charCodeAt(7) === 45 && text.charCodeAt(13) === 58 && text.charCodeAt(16) === 58;
  if (!separators || text.charCodeAt(19) !== 46 || Number.isNaN(year + month + day + hour + minute + second + ms)) return null;
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 28 || hour > 23 || minute > 59 || second > 59) return null;
  // Days since 1970 of the civil calendar, years counted from March.
  const y = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const days = 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
  return days * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + ms;
}

function digits(text: string, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

const SPACE = /[\s\u0000-\u001f\u007f-\u009f]+/g;
/** A single plain space between other characters needs no change. */
const UNTIDY = /[\u0000-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]|^ | {2}| $/;

/** Colours and cursor moves of a terminal. */
// eslint-disable-next-line no-control-regex -- the escape character is what it is about
const TERMINAL = /\u001b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;

/** Longest head of a text that one line of `max` characters is made of. */
export function lineHead(text: string, max = 160): string {
  return text.length > max * 1.5 ? text.slice(0, max * 1.5) : text;
}

/** The first words of a text on one line: terminal codes go, control characters and runs of white space become one space. */
export function oneLine(text: string, max = 160): string {
  const head = lineHead(text, max);
  const plain = head.includes('\u001b') ? head.replace(TERMINAL, '') : head;
  const line = UNTIDY.test(plain) ? plain.replace(SPACE, ' ').trim() : plain;
  if (line.length <= max) return line;
  // Do not cut a surrogate pair in two.
  const end = isHighSurrogate(line.charCodeAt(max - 1)) ? max - 1 : max;
  return line.slice(0, end);
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
