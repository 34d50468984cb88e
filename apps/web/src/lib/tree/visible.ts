import { linkPath, type MapLayout } from './layout.ts';
import { MAP } from './measures.ts';
import type { TreeModel } from './tree-model.ts';

/** A rectangle in map pixels. */
export interface MapRect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Runs by bands of the map's height, so that what is in view is found without looking at everything. */
export interface MapIndex {
  readonly band: number;
  readonly start: Int32Array;
  readonly runs: Int32Array;
}

/** The height that a run needs with the link that leads to it. */
function extent(tree: TreeModel, layout: MapLayout, run: number): [top: number, bottom: number] {
  const parent = tree.parent[run]!;
  return [parent < 0 ? layout.y[run]! : layout.bottom[parent]!, layout.bottom[run]! + MAP.foot / 2];
}

export function indexMap(tree: TreeModel, layout: MapLayout): MapIndex {
  const band = Math.max(256, layout.totalHeight / 65_536);
  const bands = Math.ceil((layout.totalHeight + MAP.foot) / band) + 1;
  const start = new Int32Array(bands + 1);
  const each = (visit: (band: number, run: number) => void): void => {
    for (let run = 0; run < tree.count; run++) {
      const [top, bottom] = extent(tree, layout, run);
      for (let at = Math.floor(top / band); at <= Math.floor(bottom / band); at++) visit(at, run);
    }
  };
  each((at) => start[at + 1]!++);
  for (let at = 0; at < bands; at++) start[at + 1]! += start[at]!;
  const runs = new Int32Array(start[bands]!);
  const next = start.slice(0, bands);
  each((at, run) => (runs[next[at]!++] = run));
  return { band, start, runs };
}

/** The runs of which something (capsule, caption or the link to it) is inside the rectangle, in tree order. */
export function visibleRuns(tree: TreeModel, layout: MapLayout, index: MapIndex, view: MapRect): number[] {
  const found: number[] = [];
  const from = Math.max(0, Math.floor(view.top / index.band));
  const to = Math.min(index.start.length - 2, Math.floor(view.bottom / index.band));
  for (let band = from; band <= to; band++) {
    for (let at = index.start[band]!; at < index.start[band + 1]!; at++) {
      const run = index.runs[at]!;
      const [top, bottom] = extent(tree, layout, run);
      if (top > view.bottom || bottom < view.top || (band > from && Math.floor(top / index.band) < band)) continue;
      const parent = tree.parent[run]!;
      const left = parent < 0 ? layout.x[run]! : Math.min(layout.x[run]!, layout.x[parent]!);
      const right = layout.x[run]! + Math.max(MAP.card, MAP.caption + layout.room[run]!);
      if (left - 60 <= view.right && right >= view.left) found.push(run);
    }
  }
  return found.sort((a, b) => a - b);
}

/** The run whose body or caption is at a point, or -1. */
export function runAt(tree: TreeModel, layout: MapLayout, index: MapIndex, x: number, y: number): number {
  const near = visibleRuns(tree, layout, index, { left: x, right: x, top: y, bottom: y });
  let best = -1;
  for (const run of near) {
    const inside = y >= layout.y[run]! - 4 && y <= layout.y[run]! + Math.max(layout.height[run]!, 18) + 4;
    const across = x >= layout.x[run]! - MAP.half - 2 && x <= layout.x[run]! + MAP.caption + layout.room[run]!;
    if (inside && across && (best < 0 || layout.x[run]! > layout.x[best]!)) best = run;
  }
  return best;
}

/** The links that lead to `runs`, those of the shown path apart. */
export function linkPaths(
  tree: TreeModel,
  layout: MapLayout,
  onPath: Uint8Array,
  runs: readonly number[],
): [side: string, path: string] {
  const links: [string[], string[]] = [[], []];
  for (const run of runs) {
    const parent = tree.parent[run]!;
    if (parent >= 0) links[onPath[run] === 1 ? 1 : 0].push(linkPath(layout, parent, run));
  }
  return [links[0].join(''), links[1].join('')];
}

/** Many runs as few paths: capsules as short thick lines, and the links between them. Those on the path apart. */
export interface FarPaths {
  bodies: [side: string, path: string];
  links: [side: string, path: string];
  /** Bars across the lanes. */
  compactions: string;
}

/** What `runs` look like from far away. `pixel` is the size of a screen pixel on the map: what falls on one is drawn once. */
export function farPaths(tree: TreeModel, layout: MapLayout, onPath: Uint8Array, runs: number[], pixel: number): FarPaths {
  const bodies: [string[], string[]] = [[], []];
  const links: [string[], string[]] = [[], []];
  const compactions: string[] = [];
  const drawn = new Set<number>();
  for (const run of runs) {
    const way = onPath[run] === 1 ? 1 : 0;
    const x = layout.x[run]!;
    const y = layout.y[run]!;
    const cell = Math.round(x / (2 * pixel)) * 67_108_864 + Math.round(y / (2 * pixel));
    if (way === 0 && drawn.has(cell)) continue;
    drawn.add(cell);
    const inset = Math.min(MAP.half, layout.height[run]! / 2);
    if (tree.kind[run] === 'compaction') compactions.push(`M${x - 14} ${y + layout.height[run]! / 2}h28`);
    else bodies[way].push(`M${x} ${y + inset}V${y + layout.height[run]! - inset + 0.1}`);
    const parent = tree.parent[run]!;
    if (parent >= 0) links[way].push(linkPath(layout, parent, run));
  }
  return {
    bodies: [bodies[0].join(''), bodies[1].join('')],
    links: [links[0].join(''), links[1].join('')],
    compactions: compactions.join(''),
  };
}
