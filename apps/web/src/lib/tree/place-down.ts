import { childCount, childRows } from '@stemma/core/pure';

import type { Lanes } from './lanes.ts';
import { MAP } from './measures.ts';
import type { TreeModel } from './tree-model.ts';

export interface Heights {
  y: Float64Array;
  foot: Float64Array;
  bottom: Float64Array;
  totalHeight: number;
}

/** Tops and feet of all runs: from the leaves up what each needs, then from the roots down where each stands. */
export function placeDown(tree: TreeModel, lanes: Lanes, height: Float64Array): Heights {
  const { count, parent, children } = tree;
  const footed = (run: number): boolean => childCount(children, run) !== 1;
  const gap = Float64Array.from(parent, (from) => (from >= 0 && childCount(children, from) > 1 ? MAP.fork : MAP.gap));
  const need = new Float64Array(count);
  for (let run = count - 1; run >= 0; run--) {
    need[run] = height[run]! + (footed(run) ? MAP.foot : 0);
    const straight = lanes.next[run]!;
    if (straight < 0) continue;
    let deepest = 0;
    let short = 0;
    for (const child of childRows(children, run)) {
      if (child === straight) continue;
      const length = MAP.drop + need[child]!;
      deepest = Math.max(deepest, length);
      if (length <= MAP.short) short = Math.max(short, length);
    }
    // Else a row of short branches would need a column each: every link passes right of the branch below it.
    if (footed(straight) && short > 0) gap[straight] = Math.max(MAP.fork, short + MAP.between - height[straight]! - MAP.foot);
    need[run] = need[run]! + Math.max(gap[straight]! + need[straight]!, deepest);
  }
  const y = new Float64Array(count);
  const foot = new Float64Array(count).fill(NaN);
  const bottom = new Float64Array(count);
  let totalHeight = 0;
  for (let run = 0; run < count; run++) {
    const from = parent[run]!;
    y[run] = from < 0 ? 0 : bottom[from]! + (lanes.next[from] === run ? gap[run]! : MAP.drop);
    bottom[run] = y[run]! + height[run]!;
    if (footed(run)) bottom[run] = foot[run] = bottom[run]! + MAP.foot;
    totalHeight = Math.max(totalHeight, bottom[run]!);
  }
  return { y, foot, bottom, totalHeight };
}
