import { childRows } from '@stemma/core/pure';

import type { MapLayout } from './layout.ts';
import type { TreeModel } from './tree-model.ts';

/** The runs in the order in which a reader walks them: each with what continues it first, then the side lanes. */
export interface Walk {
  readonly order: Int32Array;
  /** Run → its place in `order`. */
  readonly place: Int32Array;
}

export function walkRuns(tree: TreeModel, layout: Pick<MapLayout, 'next' | 'x'>): Walk {
  const order = new Int32Array(tree.count);
  const place = new Int32Array(tree.count);
  const stack: number[] = [];
  let at = 0;
  /** The last one pushed is visited first. */
  const push = (run: number, first: number): void => {
    const children = childRows(tree.children, run);
    for (let i = children.length - 1; i >= 0; i--) if (children[i] !== first) stack.push(children[i]!);
    if (first >= 0) stack.push(first);
  };
  const roots = childRows(tree.children, -1);
  push(-1, roots.find((run) => layout.x[run] === 0) ?? -1);
  while (stack.length > 0) {
    const run = stack.pop()!;
    order[at] = run;
    place[run] = at++;
    push(run, layout.next[run]!);
  }
  return { order, place };
}

/** A run, and an entry of it when the run is open and the focus is inside. */
export interface Focus {
  readonly run: number;
  /** -1: the run itself. */
  readonly row: number;
}

export interface WalkState {
  tree: TreeModel;
  walk: Walk;
  layout: Pick<MapLayout, 'next'>;
  /** The entries that an open run shows, null for a closed one. */
  shownRows: (run: number) => Int32Array | null;
}

/** Where a key moves the focus, or null when it does not move it. */
export function moveFocus(key: string, focus: Focus, state: WalkState): Focus | null {
  const { tree, walk, layout, shownRows } = state;
  const runAt = (place: number): Focus | null => {
    const run = walk.order[place];
    return run === undefined ? null : { run, row: -1 };
  };
  const shown = shownRows(focus.run);
  const at = shown && focus.row >= 0 ? shown.indexOf(focus.row) : -1;
  switch (key) {
    case 'Home':
      return runAt(0);
    case 'End':
      return runAt(walk.order.length - 1);
    case 'ArrowDown': {
      const row = shown?.[at + 1];
      return row === undefined ? runAt(walk.place[focus.run]! + 1) : { run: focus.run, row };
    }
    case 'ArrowUp': {
      if (at >= 0) return { run: focus.run, row: shown?.[at - 1] ?? -1 };
      const above = runAt(walk.place[focus.run]! - 1);
      return above && { run: above.run, row: shownRows(above.run)?.at(-1) ?? -1 };
    }
    case 'ArrowLeft': {
      if (focus.row >= 0) return { run: focus.run, row: -1 };
      const parent = tree.parent[focus.run]!;
      return parent < 0 ? null : { run: parent, row: -1 };
    }
    case 'ArrowRight': {
      if (shown && focus.row < 0 && shown[0] !== undefined) return { run: focus.run, row: shown[0] };
      // At a branch point straight on is what "down" does: to the right is the first side lane.
      const children = childRows(tree.children, focus.run);
      const run = children.find((child) => child !== layout.next[focus.run]) ?? children[0];
      return run === undefined ? null : { run, row: -1 };
    }
    default:
      return null;
  }
}
