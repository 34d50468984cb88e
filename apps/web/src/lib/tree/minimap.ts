import type { MapLayout } from './layout.ts';
import type { TreeModel } from './tree-model.ts';

export interface MiniPaths {
  /** SVG paths in whole pixels. */
  side: string;
  path: string;
  /** Map pixels a minimap pixel, across and down. */
  scaleX: number;
  scaleY: number;
}

/**
 * The whole map in `width` × `height` pixels, its lanes as lines. What falls on the same pixels is drawn once, so the
 * answer has a bounded length for any tree.
 */
export function miniPaths(tree: TreeModel, layout: MapLayout, width: number, height: number): MiniPaths {
  const scaleX = Math.max(layout.width, 400) / width;
  const scaleY = Math.max(layout.totalHeight, 400) / height;
  const starts = new Float64Array(layout.lanes).fill(-1);
  const ends = new Float64Array(layout.lanes);
  const lefts = new Float64Array(layout.lanes);
  const froms = new Float64Array(layout.lanes);
  for (let run = 0; run < tree.count; run++) {
    const lane = layout.laneOf[run]!;
    const parent = tree.parent[run]!;
    if (starts[lane]! < 0) {
      starts[lane] = parent < 0 ? layout.y[run]! : layout.bottom[parent]!;
      froms[lane] = parent < 0 ? layout.x[run]! : layout.x[parent]!;
    }
    lefts[lane] = layout.x[run]!;
    ends[lane] = Math.max(ends[lane]!, layout.bottom[run]!);
  }
  const px = (x: number): number => Math.round(x / scaleX);
  const py = (y: number): number => Math.round(y / scaleY);
  const drawn = new Set<string>();
  for (let lane = 1; lane < layout.lanes; lane++) {
    const x = px(lefts[lane]!);
    const top = py(starts[lane]!);
    drawn.add(`M${px(froms[lane]!)} ${top}H${x}V${Math.max(top + 1, py(ends[lane]!))}`);
  }
  const trunk = layout.lanes > 0 ? `M${px(lefts[0]!)} ${py(starts[0]!)}V${py(ends[0]!)}` : '';
  return { side: [...drawn].join(''), path: trunk, scaleX, scaleY };
}
