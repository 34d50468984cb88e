import type { TreeModel } from './tree-model.ts';

/** Measures of the map in its own pixels. */
export const MAP = {
  /** Half the width of a capsule. */
  half: 12,
  /** Between two nodes of a lane. */
  gap: 10,
  /** From a node to the circle under it, and from the circle to what follows. */
  foot: 14,
  /** From a branch point to what follows it in its lane: the links of side lanes pass above its caption. */
  fork: 30,
  /** From a branch point down to the first node of a side lane. */
  drop: 36,
  /** A side lane up to this long pushes the next branch point of its parent down until it fits beside it. */
  short: 220,
  /** Between a lane and what stands left of it. */
  between: 16,
  /** From the middle of a lane to its captions. */
  caption: 22,
  /** Widest caption. */
  captionMax: 260,
  /** Width of an opened run. */
  card: 264,
  row: 22,
} as const;

/** Height of a closed node: capsules grow with the logarithm of their entries. */
export function bodyHeight(tree: TreeModel, run: number): number {
  if (tree.kind[run] === 'compaction') return 8;
  if (tree.kind[run] === 'label') return 14;
  return Math.round(22 + 9 * Math.log2(tree.length[run]!));
}
