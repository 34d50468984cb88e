import { hasFlag, type Children } from '@stemma/core/pure';

import type { OutlineColumns } from '../session/columns.ts';
import { isPrompt } from './kinds.ts';

export const FILTERS = ['default', 'noTools', 'prompts', 'labelled', 'all'] as const;
export type Filter = (typeof FILTERS)[number];

/** Entries that say how the session was run rather than what was said: hidden in the default view. */
const SETTING_TYPES = new Set([
  'label',
  'custom',
  'event',
  'request',
  'model_change',
  'thinking_level_change',
  'session_info',
  'title_change',
  'service_tier_change',
  'mode_change',
  'usage',
  'model_usage',
  'credential_pin',
  'active_tools_change',
  'mcp_tool_selection',
]);

export interface OutlineInput {
  columns: OutlineColumns;
  children: Children;
  /** 1 for rows of the shown path. */
  onPath: Uint8Array;
  leafRow: number;
  labels: ReadonlyMap<number, string>;
  filter: Filter;
  /** Words that must all occur in title or label, in any case of letters. */
  query: string;
  /** Rows whose descendants are not shown. */
  folds?: ReadonlySet<number>;
}

export interface OutlineRows {
  /** Visible rows from top to bottom. */
  readonly rows: Int32Array;
  /** How many branch points each is away from the trunk. */
  readonly depth: Uint16Array;
  /** `branch` where a side branch begins, `last` when it is the last one there. */
  readonly joint: readonly ('' | 'branch' | 'last')[];
  /** 1 where a branch begins that can be folded: at a root, and below a branch point. */
  readonly foldable: Uint8Array;
  /** Row → its place in `rows`, or that of its nearest visible ancestor; -1 without one. */
  readonly place: Int32Array;
}

type Joint = OutlineRows['joint'][number];

function shows(input: OutlineInput, row: number): boolean {
  const { columns, labels, filter } = input;
  const type = columns.type[row] ?? '';
  const role = type === 'message' ? columns.role[row] : '';
  const flags = columns.flags[row];
  // A turn of nothing but tool calls says nothing that its results do not say; turns that broke off and the leaf stay.
  const silent = role === 'assistant' && !hasFlag(flags, 'hasText') && !hasFlag(flags, 'unfinished');
  if (silent && row !== input.leafRow) return false;
  switch (filter) {
    case 'all':
      return true;
    case 'prompts':
      return isPrompt(columns, row);
    case 'labelled':
      return labels.has(row);
    case 'noTools':
      return !SETTING_TYPES.has(type) && role !== 'toolResult';
    case 'default':
      return !SETTING_TYPES.has(type);
  }
}

function matcher({ columns, labels, query }: OutlineInput): (row: number) => boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return (row) => {
    const text = `${columns.title[row] ?? ''}\n${labels.get(row) ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** Entries below each row, itself included. */
function weights({ count, parent }: OutlineColumns, children: Children): Int32Array {
  const weight = new Int32Array(count).fill(1);
  // Nearly all files have parents before their children.
  const isInOrder = parent.every((above, row) => above < row);
  const order = isInOrder ? null : parentsFirst(count, children);
  for (let at = count - 1; at >= 0; at--) {
    const row = order === null ? at : order[at]!;
    if (parent[row]! >= 0) weight[parent[row]!]! += weight[row]!;
  }
  return weight;
}

/** Rows with parents before children, in one pass with a stack. */
function parentsFirst(count: number, { start, list }: Children): Int32Array {
  const order = new Int32Array(count);
  const stack = new Int32Array(count);
  let at = 0;
  let top = 0;
  for (let from = -1; ; from = stack[--top]!) {
    if (from >= 0) order[at++] = from;
    for (let i = start[from + 2]! - 1; i >= start[from + 1]!; i--) stack[top++] = list[i]!;
    if (top === 0) return order;
  }
}

/** Where an entry stands among those that are shown. */
interface Placed {
  rows: Int32Array;
  depth: Uint16Array;
  joint: Joint[];
  /** Place of the nearest visible ancestor of each visible row. */
  above: Int32Array;
  place: Int32Array;
  count: number;
}

/**
 * The tree as a list: the shown branch first, straight on at the same depth; side branches follow after it, one step
 * further in. Hidden rows are passed through: what hangs on them hangs on their nearest visible ancestor.
 */
export function outlineRows(input: OutlineInput): OutlineRows {
  return foldRows(placeRows(input), input.folds ?? new Set());
}

function placeRows(input: OutlineInput): Placed {
  const { columns, children, onPath } = input;
  const { start, list } = children;
  const matches = matcher(input);
  const weight = weights(columns, children);
  const rows = new Int32Array(columns.count);
  const depth = new Uint16Array(columns.count);
  const above = new Int32Array(columns.count);
  const joint: Joint[] = [];
  const place = new Int32Array(columns.count).fill(-1);
  let count = 0;

  // The stack in three arrays: an object for each of a long session's entries would be thrown away at once.
  const stack = new Int32Array(columns.count);
  const depths = new Uint16Array(columns.count);
  const joints: Joint[] = [];
  let top = 0;
  const put = (row: number, at: number, mark: Joint): void => {
    stack[top] = row;
    depths[top] = Math.min(at, 65_535);
    joints[top++] = mark;
  };
  const putChildren = (parent: number, at: number, first: Joint): void => {
    let straight = -1;
    for (let i = start[parent + 1]!; i < start[parent + 2]!; i++) {
      const child = list[i]!;
      if (onPath[child] === 1) straight = child;
      else if (straight < 0 || (onPath[straight] !== 1 && weight[child]! > weight[straight]!)) straight = child;
    }
    let next: Joint = 'last';
    for (let i = start[parent + 2]! - 1; i >= start[parent + 1]!; i--) {
      if (list[i] === straight) continue;
      put(list[i]!, at + 1, next);
      next = 'branch';
    }
    if (straight >= 0) put(straight, at, first);
  };
  putChildren(-1, 0, '');
  while (top > 0) {
    const row = stack[--top]!;
    const at = depths[top]!;
    const mark = joints[top]!;
    const visible = shows(input, row) && matches(row);
    const parent = columns.parent[row]!;
    const ancestor = parent < 0 ? -1 : place[parent]!;
    place[row] = visible ? count : ancestor;
    if (visible) {
      rows[count] = row;
      depth[count] = at;
      above[count] = ancestor;
      joint.push(mark);
      count++;
    }
    // A branch whose first entries are hidden begins at its first visible one.
    putChildren(row, at, visible ? '' : mark);
  }
  return { rows, depth, joint, above, place, count };
}

/** Takes out what is below folded rows. A branch can be folded where it begins, when anything is below that entry. */
function foldRows({ rows, depth, joint, above, place, count }: Placed, folds: ReadonlySet<number>): OutlineRows {
  const below = new Int32Array(count + 1);
  for (let at = 0; at < count; at++) below[above[at]! + 1]!++;
  const begins = (at: number, ancestor: number): 0 | 1 =>
    below[at + 1]! > 0 && (ancestor < 0 || below[ancestor + 1]! > 1) ? 1 : 0;
  if (folds.size === 0) {
    const foldable = new Uint8Array(count);
    for (let at = 0; at < count; at++) foldable[at] = begins(at, above[at]!);
    return { rows: rows.slice(0, count), depth: depth.slice(0, count), joint, foldable, place };
  }
  const kept = new Int32Array(count);
  const foldable = new Uint8Array(count);
  const joints: Joint[] = [];
  /** Place without folds → place with them, that of the folded entry for what it hides. */
  const moved = new Int32Array(count);
  const hidden = new Uint8Array(count);
  let shown = 0;
  for (let at = 0; at < count; at++) {
    const ancestor = above[at]!;
    if (ancestor >= 0 && (hidden[ancestor] === 1 || folds.has(rows[ancestor]!))) {
      hidden[at] = 1;
      moved[at] = moved[ancestor]!;
      continue;
    }
    moved[at] = shown;
    foldable[shown] = begins(at, ancestor);
    joints.push(joint[at]!);
    kept[shown++] = at;
  }
  const places = kept.subarray(0, shown);
  return {
    rows: places.map((at) => rows[at]!),
    depth: Uint16Array.from(places, (at) => depth[at]!),
    joint: joints,
    foldable: foldable.slice(0, shown),
    place: place.map((at) => (at < 0 ? -1 : moved[at]!)),
  };
}
