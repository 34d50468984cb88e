import type { Outline } from '../outline/outline.ts';

export interface Durations {
  /** From the first to the last time of the path (ms); null when no entry has one. */
  wallMs: number | null;
  /** The same without pauses: gaps between entries that follow each other, up to 5 minutes each. */
  activeMs: number | null;
}

/** A longer gap is a pause: nobody was at it. */
const PAUSE_MS = 5 * 60_000;

/** How long a path took. Entries without a time are passed over; clocks that went back add nothing. */
export function durations(outline: Outline, path: readonly number[]): Durations {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let activeMs = 0;
  let before: number | null = null;
  for (const row of path) {
    const time = outline.time(row);
    if (time === null) continue;
    first = Math.min(first, time);
    last = Math.max(last, time);
    const gap = before === null ? 0 : time - before;
    if (gap > 0 && gap <= PAUSE_MS) activeMs += gap;
    before = time;
  }
  return before === null ? { wallMs: null, activeMs: null } : { wallMs: last - first, activeMs };
}
