import { hasFlag } from '@stemma/core/pure';

import type { OutlineColumns } from '../session/columns.ts';

/**
 * The path as the list shows it. A group is one element of the list: its head and the rows after it that have no
 * place of their own (tool results, which stand inside the card of their call; events that show nothing).
 */
export interface Groups {
  readonly count: number;
  /** Rows of the path, root first. */
  readonly rows: readonly number[];
  /** Group → index into `rows` of its head. One more at the end: `rows.length`. */
  readonly start: Int32Array;
  /** Row → group, -1 off the path. */
  readonly groupOf: Int32Array;
}

/**
 * Splits a path into groups, in one pass over the outline alone, so that the length of the list never changes while
 * items arrive. A tool result before any tool call is a head.
 */
export function groupPath(columns: OutlineColumns, rows: readonly number[]): Groups {
  const start: number[] = [];
  const groupOf = new Int32Array(columns.count).fill(-1);
  let calls = false;
  for (const [index, row] of rows.entries()) {
    const isResult = columns.type[row] === 'message' && columns.role[row] === 'toolResult';
    const joins = (isResult && calls) || (index > 0 && hasFlag(columns.flags[row], 'quiet'));
    if (!joins) start.push(index);
    groupOf[row] = start.length - 1;
    calls ||= hasFlag(columns.flags[row], 'hasToolCalls');
  }
  start.push(rows.length);
  return { count: start.length - 1, rows, start: Int32Array.from(start), groupOf };
}

/** The row of a group's head, -1 when there is no such group. */
export function headOf(groups: Groups, group: number): number {
  return group >= 0 && group < groups.count ? groups.rows[groups.start[group]!]! : -1;
}

/** All rows of a group. */
export function rowsOf(groups: Groups, group: number): readonly number[] {
  return groups.rows.slice(groups.start[group]!, groups.start[group + 1]!);
}

/** Height in px that a group will probably take, for its placeholder. From the outline only. */
export function estimateHeight(columns: OutlineColumns, head: number): number {
  const bytes = columns.bytes[head] ?? 0;
  const role = columns.role[head];
  if (columns.type[head] === 'compaction' || columns.type[head] === 'branch_summary') return 44;
  if (columns.type[head] !== 'message') return 28;
  const cards = hasFlag(columns.flags[head], 'hasToolCalls') ? 48 : 0;
  const hasText = role !== 'assistant' || hasFlag(columns.flags[head], 'hasText');
  // About 90 characters a line of 24 px; a good half of a stored line is not text.
  const text = hasText ? Math.min(480, 24 + Math.floor(bytes / 180) * 24) : 0;
  return Math.max(28, text + cards + (role === 'user' ? 24 : 8));
}
