/** Careful readers of fields that may hold anything. */
import type { RawRecord } from './entry.ts';

export function isRecord(value: unknown): value is RawRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

/** Epoch ms of an ISO text, or null. */
export function asTime(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}

const SPACE = /[\s\u0000-\u001f\u007f-\u009f]+/g;
/** A single plain space between other characters needs no change. */
const UNTIDY = /[\u0000-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]|^ | {2}| $/;

/** The first words of a text on one line: control characters and runs of white space become one space. */
export function oneLine(text: string, max = 160): string {
  const head = text.length > max * 2 ? text.slice(0, max * 2) : text;
  const line = UNTIDY.test(head) ? head.replace(SPACE, ' ').trim() : head;
  if (line.length <= max) return line;
  // Do not cut a surrogate pair in two.
  const end = isHighSurrogate(line.charCodeAt(max - 1)) ? max - 1 : max;
  return line.slice(0, end);
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
