import type { Outline } from '../outline/outline.ts';
import { isAncestor, treeOrder, type TreeOrder } from '../tree/order.ts';
import { isCompaction } from './plan.ts';

/** A stretch of a path. Rows are -1 when it is empty. */
export interface Stretch {
  entries: number;
  /** Estimate. */
  tokens: number;
  firstRow: number;
  lastRow: number;
}

export interface CompactionFacts {
  row: number;
  /** Row of the first kept entry, -1 when nothing is kept. */
  keptRow: number;
  /** What it folded that no earlier compaction on its path had folded. */
  folded: Stretch;
  kept: Stretch;
}

const NOTHING: Stretch = { entries: 0, tokens: 0, firstRow: -1, lastRow: -1 };

/** Every compaction of the session with what it folded and kept on its own path. Linear in entries. */
export function compactionFacts(outline: Outline): CompactionFacts[] {
  const rows: number[] = [];
  for (let row = 0; row < outline.rowCount; row++) if (isCompaction(outline, row)) rows.push(row);
  if (rows.length === 0) return [];
  const tree = treeOrder(outline.parents());
  const { sums, previous, roots } = alongPaths(outline, tree);
  const stretch = (first: number, end: number): Stretch => {
    // From `first` to the parent of `end`, both on one path.
    if (first < 0 || first === end) return NOTHING;
    const last = outline.parent(end);
    const before = outline.parent(first);
    return {
      entries: tree.depth[end]! - tree.depth[first]!,
      tokens: sums[last]! - (before < 0 ? 0 : sums[before]!),
      firstRow: first,
      lastRow: last,
    };
  };
  return rows.map((row) => {
    const keptRow = keptRowOf(outline, tree, row);
    const earlier = previous[row]!;
    const earlierKept = earlier < 0 ? -1 : keptRowOf(outline, tree, earlier);
    const start = earlier < 0 ? roots[row]! : earlierKept >= 0 ? earlierKept : earlier;
    const end = keptRow >= 0 ? keptRow : row;
    // A later compaction may keep what an earlier one kept, or more.
    const folded = tree.depth[start]! < tree.depth[end]! ? stretch(start, end) : NOTHING;
    return { row, keptRow, folded, kept: keptRow < 0 ? NOTHING : stretch(keptRow, row) };
  });
}

/** The first kept entry when it stands before the compaction on its path, else -1. */
function keptRowOf(outline: Outline, tree: TreeOrder, row: number): number {
  const kept = outline.resolve(outline.kept(row) ?? '');
  return kept >= 0 && kept !== row && isAncestor(tree, kept, row) ? kept : -1;
}

/** Per row: estimates summed from the root, the nearest compaction above it, and its root. */
function alongPaths(outline: Outline, tree: TreeOrder): { sums: Float64Array; previous: Int32Array; roots: Int32Array } {
  const sums = new Float64Array(outline.rowCount);
  const previous = new Int32Array(outline.rowCount).fill(-1);
  const roots = new Int32Array(outline.rowCount);
  for (const row of tree.order) {
    const parent = outline.parent(row);
    sums[row] = outline.estimate(row) + (parent < 0 ? 0 : sums[parent]!);
    if (parent >= 0) previous[row] = isCompaction(outline, parent) ? parent : previous[parent]!;
    roots[row] = parent < 0 ? row : roots[parent]!;
  }
  return { sums, previous, roots };
}
