import { childCount, childRows } from '@stemma/core/pure';

import type { TreeModel } from './tree-model.ts';

/** A straight line of runs: each is the continuation of the one before. */
export interface Lane {
  readonly index: number;
  /** The first run. */
  readonly first: number;
  /** Lanes that leave from it. */
  readonly children: Lane[];
}

export interface Lanes {
  /** Lane 0 is the shown path; further roots follow it. */
  readonly roots: Lane[];
  readonly count: number;
  readonly laneOf: Int32Array;
  /** Run → the run that continues its lane, or -1. */
  readonly next: Int32Array;
}

/**
 * Cuts the tree into lanes: the shown path goes on straight, elsewhere the child with the most runs below it. So
 * lanes nest no deeper than the logarithm of the tree, however deep the tree itself is.
 */
export function cutLanes(tree: TreeModel, onPath: Uint8Array): Lanes {
  const { count, parent, children } = tree;
  const weight = new Int32Array(count).fill(1);
  for (let run = count - 1; run >= 0; run--) if (parent[run]! >= 0) weight[parent[run]!]! += weight[run]!;

  const heaviest = (run: number): number => {
    let best = -1;
    for (const child of childRows(children, run)) {
      if (onPath[child] === 1) return child;
      if (best < 0 || weight[child]! > weight[best]!) best = child;
    }
    return best;
  };
  const next = new Int32Array(count).fill(-1);
  for (let run = 0; run < count; run++) if (childCount(children, run) > 0) next[run] = heaviest(run);

  const trunk = heaviest(-1);
  const lanes: Lane[] = [];
  const laneOf = new Int32Array(count).fill(-1);
  const roots: Lane[] = [];
  const open = (run: number, siblings: Lane[]): void => {
    const lane: Lane = { index: lanes.length, first: run, children: [] };
    lanes.push(lane);
    siblings.push(lane);
    laneOf[run] = lane.index;
  };
  if (trunk >= 0) open(trunk, roots);
  for (let run = 0; run < count; run++) {
    const from = parent[run]!;
    if (from < 0) {
      if (run !== trunk) open(run, roots);
    } else if (next[from] === run) laneOf[run] = laneOf[from]!;
    else open(run, lanes[laneOf[from]!]!.children);
  }
  return { roots, count: lanes.length, laneOf, next };
}
