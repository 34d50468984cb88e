import { hierarchy } from 'd3-hierarchy';

import { cutLanes, type Lane } from './lanes.ts';
import { bodyHeight, MAP } from './measures.ts';
import { placeDown } from './place-down.ts';
import { Skyline } from './skyline.ts';
import type { TreeModel } from './tree-model.ts';

export interface MapLayout {
  /** Middle of each run; the shown path is at 0. */
  readonly x: Float64Array;
  /** Top of each run. */
  readonly y: Float64Array;
  /** Height of its body. */
  readonly height: Float64Array;
  /** Where the circle under it stands (branch point or end); NaN without one. */
  readonly foot: Float64Array;
  /** Where what follows in the lane is tied on. */
  readonly bottom: Float64Array;
  /** Pixels for a caption right of the run. */
  readonly room: Float64Array;
  readonly laneOf: Int32Array;
  /** Run → the run that continues its lane, or -1. */
  readonly next: Int32Array;
  readonly lanes: number;
  /** Lane → how deep it is nested: 1 for the shown path and further roots. */
  readonly depth: Int32Array;
  readonly width: number;
  readonly totalHeight: number;
}

export interface LayoutOptions {
  /** Runs of the path that goes straight down at the left. */
  onPath: Uint8Array;
  /** Height of the body of an opened run, undefined for closed ones. */
  openHeight?: (run: number) => number | undefined;
}

/**
 * Places every run of the tree: the shown path straight down at x = 0, every other lane straight down to the right of
 * what it leaves from, as far left as nothing overlaps and no link crosses a lane. n log n in the number of runs.
 */
export function layoutTree(tree: TreeModel, { onPath, openHeight = () => undefined }: LayoutOptions): MapLayout {
  const { count, parent } = tree;
  const lanes = cutLanes(tree, onPath);
  const height = Float64Array.from({ length: count }, (_, run) => openHeight(run) ?? bodyHeight(tree, run));
  const { y, foot, bottom, totalHeight } = placeDown(tree, lanes, height);

  const cell = Math.max(8, totalHeight / 262_144);
  const cells = Math.ceil((totalHeight + 2 * MAP.foot) / cell) + 1;
  const low = (at: number): number => Math.floor(at / cell);
  const high = (at: number): number => Math.floor(at / cell) + 1;

  const reserve = captionReserve(lanes.count);
  const x = new Float64Array(count);
  const skyline = new Skyline(cells);
  const ends = new Float64Array(lanes.count);
  for (let run = 0; run < count; run++) ends[lanes.laneOf[run]!] = Math.max(ends[lanes.laneOf[run]!]!, bottom[run]!);
  const startOf = (lane: Lane): number => (parent[lane.first]! < 0 ? 0 : foot[parent[lane.first]!]!);

  // Lower lanes first, each with all that leaves from it: so those above pass to the right of them, and links meet nothing.
  const root: Lane = { index: -1, first: -1, children: lanes.roots };
  const order = hierarchy(root, (lane) => lane.children).sort((a, b) =>
    a.parent?.data === root ? 0 : startOf(b.data) - startOf(a.data),
  );
  const placed: Lane[] = [];
  let width = 0;
  const depth = new Int32Array(lanes.count);
  order.eachBefore(({ data: lane, depth: nested }) => {
    if (lane === root) return;
    placed.push(lane);
    depth[lane.index] = nested;
    const from = low(startOf(lane));
    const to = high(ends[lane.index]! + MAP.foot / 2);
    const left = skyline.max(from, to);
    const middle = left === -Infinity ? 0 : left + MAP.between + MAP.half;
    skyline.raise(from, to, middle + MAP.half);
    for (let run = lane.first; run >= 0; run = lanes.next[run]!) {
      x[run] = middle;
      const opened = openHeight(run) !== undefined;
      const right =
        middle + (opened ? MAP.card - MAP.half : MAP.half + reserveOf(tree, run, lane.index === 0 ? reserve.path : reserve.side));
      skyline.raise(low(y[run]!), high(y[run]! + Math.max(height[run]!, 24)), right);
      width = Math.max(width, right);
    }
  });

  const room = measureRoom(tree, { placed, x, y, height, next: lanes.next, startOf, ends, low, high, cells });
  const { laneOf, next, count: laneCount } = lanes;
  return { x, y, height, foot, bottom, room, laneOf, next, lanes: laneCount, depth, width, totalHeight };
}

/** The caption of a compaction ends in its figures, which should not be cut. */
function reserveOf(tree: TreeModel, run: number, usual: number): number {
  return tree.kind[run] === 'compaction' && usual > 0 ? Math.max(usual, 180) : usual;
}

/** Room kept for captions. Trees with many lanes have none beside the side lanes, else they would be endlessly wide. */
function captionReserve(lanes: number): { path: number; side: number } {
  if (lanes === 1) return { path: MAP.captionMax, side: 0 };
  return { path: 150, side: lanes <= 8 ? 110 : lanes <= 24 ? 60 : 0 };
}

interface RoomInput {
  placed: Lane[];
  x: Float64Array;
  y: Float64Array;
  height: Float64Array;
  next: Int32Array;
  startOf: (lane: Lane) => number;
  ends: Float64Array;
  low: (at: number) => number;
  high: (at: number) => number;
  cells: number;
}

/** Free pixels right of each run's middle third, up to the nearest lane: from the rightmost lane to the left one. */
function measureRoom(tree: TreeModel, at: RoomInput): Float64Array {
  const room = new Float64Array(tree.count);
  // Lefts are negated, so that the skyline's maximum is the nearest.
  const nearest = new Skyline(at.cells);
  const leftmostLast = at.placed.toSorted((a, b) => at.x[b.first]! - at.x[a.first]!);
  for (const lane of leftmostLast) {
    for (let run = lane.first; run >= 0; run = at.next[run]!) {
      const middle = at.y[run]! + at.height[run]! / 2;
      const left = -nearest.max(Math.max(0, at.low(middle - 17)), at.high(middle + 17));
      room[run] = Math.max(0, Math.min(MAP.captionMax, left - at.x[run]! - MAP.caption - MAP.gap));
    }
    nearest.raise(at.low(at.startOf(lane)), at.high(at.ends[lane.index]! + MAP.foot / 2), -(at.x[lane.first]! - MAP.half));
  }
  return room;
}

/** A link as an SVG path: straight within a lane, else a smooth curve from the branch point to the side lane. */
export function linkPath(layout: MapLayout, parent: number, run: number): string {
  const fromX = layout.x[parent]!;
  const fromY = layout.bottom[parent]!;
  const toX = layout.x[run]!;
  const toY = layout.y[run]!;
  if (fromX === toX) return `M${fromX} ${fromY}V${toY}`;
  // Down a little, across, and down into the lane: captions begin below the flat part.
  const drop = toY - fromY;
  return `M${fromX} ${fromY}C${fromX} ${fromY + drop * 0.45} ${toX} ${fromY + drop * 0.1} ${toX} ${toY}`;
}
