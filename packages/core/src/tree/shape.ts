import { compaction } from '../entries/compaction.ts';
import type { Outline } from '../outline/outline.ts';
import { pathTo } from './path.ts';
import { treeOrder, type TreeOrder } from './order.ts';

/** A branch of the glyph: leaves lane `parent` at `from` and ends at `to`, on a line of length 1. */
export interface ShapeLane {
  parent: number;
  from: number;
  to: number;
  /** 0 the trunk, 1, 2 … above it, -1, -2 … below. */
  slot: number;
}

/** The session's shape, small enough for a list row. Lane 0 is the active path. */
export interface SessionShape {
  lanes: ShapeLane[];
  /** Compactions on the active path, 0 … 1. */
  ticks: number[];
  /** Branches that were too many to draw. */
  more: number;
}

const MAX_LANES = 12;
const MAX_TICKS = 24;

interface Lane {
  parent: number;
  start: number;
  length: number;
}

/** Linear in the entries; knows no recursion. */
export function sessionShape(outline: Outline, leafRow: number): SessionShape {
  const parents = outline.parents();
  if (leafRow < 0) return { lanes: [], ticks: [], more: 0 };
  const tree = treeOrder(parents);
  const path = pathTo(parents, leafRow);
  const lanes = collectLanes(tree, parents, path);
  let scale = 1;
  for (const lane of lanes) scale = Math.max(scale, lane.start + lane.length);
  const drawn = placeLanes(lanes, scale);
  const ticks: number[] = [];
  for (const [depth, row] of path.entries()) {
    if (outline.type(row) === compaction.type && ticks.length < MAX_TICKS) ticks.push(round((depth + 1) / scale));
  }
  return { lanes: drawn, ticks, more: lanes.length - drawn.length };
}

/** The trunk and, longest first, the branches: each follows its deepest descendants. */
function collectLanes(tree: TreeOrder, parents: ArrayLike<number>, path: readonly number[]): Lane[] {
  const height = heights(tree, parents);
  const heir = heirs(tree, parents, height);
  const onTrunk = new Uint8Array(parents.length);
  for (const row of path) onTrunk[row] = 1;
  const lanes: Lane[] = [{ parent: -1, start: 0, length: path.length }];
  const laneOf = new Int32Array(parents.length).fill(-1);
  for (const row of path) laneOf[row] = 0;
  for (const row of tree.order) {
    const parent = parents[row]!;
    if (onTrunk[row] === 1) continue;
    const parentLane = parent < 0 ? -1 : laneOf[parent]!;
    if (parent >= 0 && onTrunk[parent] === 0 && heir[parent] === row) laneOf[row] = parentLane;
    else {
      laneOf[row] = lanes.length;
      lanes.push({ parent: parentLane, start: tree.depth[row]!, length: height[row]! });
    }
  }
  return lanes;
}

/** Entries on the longest way down from each row, itself included. */
function heights(tree: TreeOrder, parents: ArrayLike<number>): Uint32Array {
  const height = new Uint32Array(parents.length).fill(1);
  for (let i = tree.order.length - 1; i >= 0; i--) {
    const row = tree.order[i]!;
    const parent = parents[row]!;
    if (parent >= 0 && height[parent]! < height[row]! + 1) height[parent] = height[row]! + 1;
  }
  return height;
}

/** The child that carries on each row's lane: the first of those with the longest way down; -1 for leaves. */
function heirs(tree: TreeOrder, parents: ArrayLike<number>, height: Uint32Array): Int32Array {
  const heir = new Int32Array(parents.length).fill(-1);
  for (const row of tree.order) {
    const parent = parents[row]!;
    if (parent >= 0 && heir[parent] === -1 && height[row]! === height[parent]! - 1) heir[parent] = row;
  }
  return heir;
}

/** Keeps the longest branches whose own lane is kept, and finds each a free slot near the trunk. */
function placeLanes(lanes: readonly Lane[], scale: number): ShapeLane[] {
  const byLength = lanes.map((_, index) => index).slice(1);
  byLength.sort((a, b) => lanes[b]!.length - lanes[a]!.length);
  const kept = new Map<number, number>([[0, 0]]);
  const drawn: ShapeLane[] = [{ parent: -1, from: 0, to: round(lanes[0]!.length / scale), slot: 0 }];
  for (const index of byLength) {
    if (drawn.length >= MAX_LANES) break;
    const lane = lanes[index]!;
    const parent = lane.parent < 0 ? -1 : kept.get(lane.parent);
    if (parent === undefined) continue;
    const from = round(lane.start / scale);
    const to = Math.min(1, round((lane.start + lane.length) / scale));
    kept.set(index, drawn.length);
    drawn.push({ parent, from, to, slot: freeSlot(drawn, from, to) });
  }
  return drawn;
}

const SLOTS = [1, -1, 2, -2];

function freeSlot(drawn: readonly ShapeLane[], from: number, to: number): number {
  for (const slot of SLOTS) {
    if (!drawn.some((lane) => lane.slot === slot && lane.from <= to && from <= lane.to)) return slot;
  }
  return SLOTS[drawn.length % SLOTS.length]!;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
