import type { Outline, Problem } from '@stemma/core';

import type { SessionProblem } from '../schemas/sessions.ts';

/** The last row that begins at a byte or before it, -1 without one. Rows lie in the order of the file. */
export function rowAtByte(outline: Outline, byteOffset: number): number {
  let from = 0;
  let to = outline.rowCount;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (outline.offset(middle) <= byteOffset) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** Whether a byte lies inside the stored record of a row. */
export function holdsByte(outline: Outline, row: number, byteOffset: number): boolean {
  return row >= 0 && byteOffset >= outline.offset(row) && byteOffset < outline.offset(row) + outline.bytes(row);
}

/** A problem with the entry that leads a person to it. */
export function withNear(outline: Outline, problem: Problem): SessionProblem {
  return { ...problem, near: near(outline, problem) };
}

function near(outline: Outline, { entryId, byteOffset }: Problem): SessionProblem['near'] {
  const own = entryId === undefined ? -1 : outline.rowOf(entryId);
  if (own >= 0) return { row: own, how: 'in' };
  if (byteOffset === undefined || outline.rowCount === 0) return null;
  const row = rowAtByte(outline, byteOffset);
  if (row < 0) return { row: 0, how: 'before' };
  return { row, how: holdsByte(outline, row, byteOffset) ? 'in' : 'after' };
}
