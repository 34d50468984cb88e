import { resetBoundary } from '../entries/reset-boundary.ts';
import type { Outline } from '../outline/outline.ts';
import { isCompaction, type Verdict } from './plan.ts';

/** A path with its last compaction looked up. Indices are into the path. */
export interface Compacted {
  /** The last compaction, -1 without one. */
  at: number;
  /** Where what it keeps begins; equal to `at` when it keeps nothing. */
  keptFrom: number;
}

/**
 * Finds the last compaction and what it keeps, and gives a verdict to all that it and earlier ones folded: an entry
 * is folded into the first compaction that did not keep it. Linear in the path.
 */
export function foldByCompactions(outline: Outline, path: readonly number[], verdicts: Map<number, Verdict>): Compacted {
  const indexOf = new Map<number, number>();
  let result: Compacted = { at: -1, keptFrom: -1 };
  let foldedTo = 0;
  let newest = -1;
  for (let i = 0; i < path.length; i++) {
    const row = path[i]!;
    indexOf.set(row, i);
    if (!isCompaction(outline, row)) continue;
    const keptRow = outline.resolve(outline.kept(row) ?? '');
    const keptFrom = Math.min(indexOf.get(keptRow) ?? i, i);
    for (; foldedTo < keptFrom; foldedTo++) {
      if (!isCompaction(outline, path[foldedTo]!)) verdicts.set(path[foldedTo]!, { status: 'folded', compactionRow: row });
    }
    if (newest >= 0) verdicts.set(newest, { status: 'folded', reason: 'older_compaction', compactionRow: row });
    newest = row;
    result = { at: i, keptFrom };
  }
  // The last one may keep what an earlier one had folded.
  for (let i = result.keptFrom; i < result.at; i++) {
    if (verdicts.get(path[i]!)?.reason === undefined) verdicts.delete(path[i]!);
  }
  return result;
}

/** Index of the last reset boundary on the path, -1 without one. */
export function lastReset(outline: Outline, path: readonly number[]): number {
  return path.findLastIndex((row) => outline.type(row) === resetBoundary.type);
}

/** Index into the path where a collapsed transcript begins: behind the last reset, or where the last compaction keeps. */
export function collapsedFrom(outline: Outline, path: readonly number[]): number {
  const { at, keptFrom } = foldByCompactions(outline, path, new Map());
  const reset = lastReset(outline, path);
  return reset > at ? reset + 1 : Math.max(keptFrom, 0);
}

/** Entries that are never sent anyway keep that as their verdict, whatever folded them. */
export function dropIdleVerdicts(
  path: readonly number[],
  verdicts: Map<number, Verdict>,
  isIdle: (row: number) => boolean,
): void {
  for (const row of path) if (verdicts.get(row)?.status === 'folded' && isIdle(row)) verdicts.delete(row);
}
