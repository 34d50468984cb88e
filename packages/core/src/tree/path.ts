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

/**
 * The newest leaf at or below `row`: the leaf with the greatest row number, since files grow at the end.
 * Linear where parents stand before their children; damaged files may take a few rounds.
 */
export function newestLeafBelow(parents: ArrayLike<number>, row: number): number {
  const count = parents.length;
  const below = new Uint8Array(count);
  const hasChild = new Uint8Array(count);
  below[row] = 1;
  for (let again = true; again;) {
    again = false;
    for (let at = 0; at < count; at++) {
      const parent = parents[at]!;
      if (parent < 0 || below[parent] === 0) continue;
      hasChild[parent] = 1;
      if (below[at] === 1) continue;
      below[at] = 1;
      if (parent > at) again = true;
    }
  }
  for (let at = count - 1; at > row; at--) if (below[at] === 1 && hasChild[at] === 0) return at;
  for (let at = row; at >= 0; at--) if (below[at] === 1 && hasChild[at] === 0) return at;
  return row;
}
