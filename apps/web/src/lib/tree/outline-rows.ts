import { childRows, hasFlag, type Children } from '@stemma/core/pure';

import type { OutlineColumns } from '../session/columns.ts';
import { isPrompt } from './kinds.ts';
import { titleOf } from './titles.ts';

export const FILTERS = ['default', 'noTools', 'prompts', 'labelled', 'all'] as const;
export type Filter = (typeof FILTERS)[number];

/** Entries that say how the session was run rather than what was said: hidden in the default view. */
const SETTING_TYPES = new Set([
  'label',
  'custom',
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
}

export interface OutlineRows {
  /** Visible rows from top to bottom. */
  readonly rows: Int32Array;
  /** How many branch points each is away from the trunk. */
  readonly depth: Uint16Array;
  /** `branch` where a side branch begins, `last` when it is the last one there. */
  readonly joint: readonly ('' | 'branch' | 'last')[];
  /** Row → its place in `rows`, or that of its nearest visible ancestor; -1 without one. */
  readonly place: Int32Array;
}

function shows(input: OutlineInput, row: number): boolean {
  const { columns, labels, filter } = input;
  const type = columns.type[row] ?? '';
  const role = type === 'message' ? columns.role[row] : '';
  const flags = columns.flags[row];
  // A turn of nothing but tool calls says nothing that its results do not say; failed turns and the leaf stay.
  const silent = role === 'assistant' && !hasFlag(flags, 'hasText') && !hasFlag(flags, 'error') && !hasFlag(flags, 'aborted');
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
    const text = `${titleOf(columns, row)}\n${labels.get(row) ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** Entries below each row, itself included; any order of parents and children. */
function weights(columns: OutlineColumns, order: Int32Array): Int32Array {
  const weight = new Int32Array(columns.count).fill(1);
  for (let at = order.length - 1; at >= 0; at--) {
    const row = order[at]!;
    const parent = columns.parent[row]!;
    if (parent >= 0) weight[parent]! += weight[row]!;
  }
  return weight;
}

/** Rows with parents before children, in one pass with a stack. */
function parentsFirst(columns: OutlineColumns, children: Children): Int32Array {
  const order = new Int32Array(columns.count);
  const stack = [...childRows(children, -1)].reverse();
  let at = 0;
  while (stack.length > 0) {
    const row = stack.pop()!;
    order[at++] = row;
    for (const child of childRows(children, row)) stack.push(child);
  }
  return order.subarray(0, at);
}

/**
 * The tree as a list: the shown branch first, straight on at the same depth; side branches follow after it, one step
 * further in. Hidden rows are passed through: what hangs on them hangs on their nearest visible ancestor.
 */
export function outlineRows(input: OutlineInput): OutlineRows {
  const { columns, children, onPath } = input;
  const matches = matcher(input);
  const weight = weights(columns, parentsFirst(columns, children));
  const rows = new Int32Array(columns.count);
  const depths = new Uint16Array(columns.count);
  const joint: ('' | 'branch' | 'last')[] = [];
  const place = new Int32Array(columns.count).fill(-1);
  let count = 0;

  const stack: { row: number; depth: number; joint: '' | 'branch' | 'last' }[] = [];
  const push = (parent: number, depth: number, first: '' | 'branch' | 'last'): void => {
    const family = childRows(children, parent);
    let straight = -1;
    for (const child of family) {
      if (onPath[child] === 1) straight = child;
      else if (straight < 0 || (onPath[straight] !== 1 && weight[child]! > weight[straight]!)) straight = child;
    }
    let next: 'branch' | 'last' = 'last';
    for (let i = family.length - 1; i >= 0; i--) {
      if (family[i] === straight) continue;
      stack.push({ row: family[i]!, depth: Math.min(depth + 1, 65_535), joint: next });
      next = 'branch';
    }
    if (straight >= 0) stack.push({ row: straight, depth, joint: first });
  };
  push(-1, 0, '');
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { row } = item;
    const visible = shows(input, row) && matches(row);
    const parent = columns.parent[row]!;
    place[row] = visible ? count : parent < 0 ? -1 : place[parent]!;
    if (visible) {
      rows[count] = row;
      depths[count] = item.depth;
      joint.push(item.joint);
      count++;
    }
    // A branch whose first entries are hidden begins at its first visible one.
    push(row, item.depth, visible ? '' : item.joint);
  }
  return { rows: rows.slice(0, count), depth: depths.slice(0, count), joint, place };
}
