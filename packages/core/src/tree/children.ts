/**
 * Children of every row as two arrays (compressed rows): those of row `r` are
 * `list[start[r + 1] … start[r + 2] - 1]`, the roots are those of row -1. File order, one pass, no recursion.
 */
export interface Children {
  readonly start: Uint32Array;
  readonly list: Uint32Array;
}

/** `parents[row]` is the parent's row, or -1. */
export function childrenOf(parents: ArrayLike<number>): Children {
  const count = parents.length;
  const start = new Uint32Array(count + 2);
  for (let row = 0; row < count; row++) start[parents[row]! + 2]! += 1;
  for (let i = 1; i < start.length; i++) start[i]! += start[i - 1]!;
  const next = start.slice(0, count + 1);
  const list = new Uint32Array(count);
  for (let row = 0; row < count; row++) {
    const slot = parents[row]! + 1;
    list[next[slot]!++] = row;
  }
  return { start, list };
}

/** The children of a row, or the roots for -1. */
export function childRows(children: Children, row: number): Uint32Array {
  return children.list.subarray(children.start[row + 1]!, children.start[row + 2]!);
}

export function childCount(children: Children, row: number): number {
  return children.start[row + 2]! - children.start[row + 1]!;
}
