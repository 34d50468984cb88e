import { childCount, childrenOf, collapseRuns, hasFlag, type Children } from '@stemma/core/pure';

import type { OutlineColumns } from '../session/columns.ts';
import { isPrompt, kindOf } from './kinds.ts';

export type RunKind = 'run' | 'compaction' | 'label';

/** How a branch ends. */
export type RunEnd = 'open' | 'leaf' | 'error' | 'aborted';

/** The collapsed tree: one item a run, parents first. Numbers are row numbers of the outline or indices of runs. */
export interface TreeModel {
  readonly count: number;
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** Entries in the run. */
  readonly length: Int32Array;
  /** The run that it continues, or -1. */
  readonly parent: Int32Array;
  readonly children: Children;
  readonly kind: readonly RunKind[];
  readonly end: readonly RunEnd[];
  /** Row → run. */
  readonly runOf: Int32Array;
  /** Rows of each run in a row: those of run r are `rows[start[r]] … rows[start[r + 1] - 1]`. */
  readonly rows: Int32Array;
  readonly start: Int32Array;
}

export interface TreeModelInput {
  columns: OutlineColumns;
  children: Children;
  labels: ReadonlyMap<number, string>;
  /** A row that stands alone besides: the shown leaf when it lies inside a chain. -1 for none. */
  stopRow: number;
}

/** Collapses chains to runs. Compactions, labelled entries and an inner leaf stand alone. Linear. */
export function buildTree({ columns, children, labels, stopRow }: TreeModelInput): TreeModel {
  const kindOfRow = (row: number): RunKind =>
    columns.type[row] === 'compaction' ? 'compaction' : labels.has(row) ? 'label' : 'run';
  const { runs, runOf } = collapseRuns(columns.parent, children, (row) => row === stopRow || kindOfRow(row) !== 'run');

  const count = runs.length;
  const first = Int32Array.from(runs, (run) => run.first);
  const last = Int32Array.from(runs, (run) => run.last);
  const length = Int32Array.from(runs, (run) => run.length);
  const parent = Int32Array.from(runs, (run) => run.parent);
  const runChildren = childrenOf(parent);
  const start = new Int32Array(count + 1);
  const rows = new Int32Array(columns.count);
  for (let run = 0; run < count; run++) {
    start[run + 1] = start[run]! + length[run]!;
    let row = last[run]!;
    for (let at = start[run + 1]! - 1; at >= start[run]!; at--) {
      rows[at] = row;
      row = columns.parent[row]!;
    }
  }
  const kind = runs.map((run) => kindOfRow(run.first));
  const end = runs.map((run, index) => (childCount(runChildren, index) > 0 ? 'open' : endOf(columns, run.first, run.last)));
  return { count, first, last, length, parent, children: runChildren, kind, end, runOf, rows, start };
}

/** Entries after the last message (a label, a usage record) do not hide how its turn ended; a few are looked through. */
function endOf(columns: OutlineColumns, first: number, last: number): RunEnd {
  let row = last;
  for (let step = 0; step < 8 && row !== first && columns.type[row] !== 'message'; step++) row = columns.parent[row]!;
  if (columns.type[row] !== 'message' || columns.role[row] !== 'assistant') return 'leaf';
  if (hasFlag(columns.flags[row], 'aborted')) return 'aborted';
  return hasFlag(columns.flags[row], 'error') ? 'error' : 'leaf';
}

/** The leaf as `stopRow`: only a leaf with something below it cuts a run. */
export function stopAt(children: Children, leafRow: number): number {
  return leafRow >= 0 && childCount(children, leafRow) > 0 ? leafRow : -1;
}

/** 1 for every run on the path; a run is on it as a whole. */
export function runsOnPath(tree: TreeModel, onPath: Uint8Array): Uint8Array {
  return Uint8Array.from(tree.first, (row) => onPath[row] ?? 0);
}

/** The row whose title speaks for the run: its first prompt, else its first row with a title. */
export function captionRow(tree: TreeModel, columns: OutlineColumns, run: number): number {
  let titled = -1;
  for (let at = tree.start[run]!; at < tree.start[run + 1]!; at++) {
    const row = tree.rows[at]!;
    if (isPrompt(columns, row)) return row;
    if (titled < 0 && columns.type[row] === 'message' && columns.title[row] !== '') titled = row;
  }
  return titled < 0 ? tree.first[run]! : titled;
}

/** The first entry of the run that says something: settings and records before it are passed over. */
export function leadRow(tree: TreeModel, columns: OutlineColumns, run: number): number {
  const rows = tree.rows.subarray(tree.start[run]!, tree.start[run + 1]!);
  return rows.find((row) => kindOf(columns, row) !== 'setting') ?? tree.first[run]!;
}

/** Milliseconds from the first to the last known time in the run, or null. */
export function runDuration(tree: TreeModel, columns: OutlineColumns, run: number): number | null {
  const from = columns.time[tree.first[run]!];
  const to = columns.time[tree.last[run]!];
  return from == null || to == null || to < from ? null : to - from;
}
