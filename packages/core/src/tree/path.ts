import { childrenOf } from './children.ts';

/**
 * Rows from the root to `row`, root first. Parents must be free of cycles (the outline's are).
 * -1 gives an empty path.
 */
export function pathTo(parents: ArrayLike<number>, row: number): number[] {
  const path: number[] = [];
  for (let at = row; at >= 0; at = parents[at]!) path.push(at);
  return path.reverse();
}

/** 1 for every row on the path to `row`, else 0. */
export function pathMarks(parents: ArrayLike<number>, row: number): Uint8Array {
  const marks = new Uint8Array(parents.length);
  for (let at = row; at >= 0; at = parents[at]!) marks[at] = 1;
  return marks;
}

/** The last row that both paths share, or -1. */
export function commonAncestor(parents: ArrayLike<number>, a: number, b: number): number {
  const marks = pathMarks(parents, a);
  for (let at = b; at >= 0; at = parents[at]!) if (marks[at] === 1) return at;
  return -1;
}

/** The newest leaf at or below `row`: the one with the greatest row number, since files grow at the end. Linear. */
export function newestLeafBelow(parents: ArrayLike<number>, row: number): number {
  const { start, list } = childrenOf(parents);
  let newest = -1;
  const pending = [row];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const from = start[at + 1]!;
    const to = start[at + 2]!;
    if (from === to) newest = Math.max(newest, at);
    for (let i = from; i < to; i++) pending.push(list[i]!);
  }
  return newest;
}
