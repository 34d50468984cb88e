import { childrenOf, FLAG, pathMarks } from '@stemma/core/pure';

import type { OutlineColumns } from '../src/lib/session/columns.ts';
import { buildTree, runsOnPath, stopAt } from '../src/lib/tree/tree-model.ts';

export interface Row {
  parent: number;
  type?: string;
  role?: string;
  title?: string;
  flags?: number;
}

export function columnsOf(rows: readonly Row[]): OutlineColumns {
  return {
    count: rows.length,
    id: rows.map((_, row) => `e${row}`),
    parent: Int32Array.from(rows, (row) => row.parent),
    type: rows.map((row) => row.type ?? 'message'),
    role: rows.map((row, at) => row.role ?? (row.type ? '' : at % 2 === 0 ? 'user' : 'assistant')),
    title: rows.map((row, at) => row.title ?? `title ${at}`),
    time: rows.map((_, at) => at * 1000),
    bytes: rows.map(() => 100),
    tokens: rows.map(() => null),
    flags: rows.map((row) => row.flags ?? FLAG.hasText),
  };
}

/** A deterministic stream of numbers in 0 … 1. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

export const chainRows = (count: number): Row[] => Array.from({ length: count }, (_, row) => ({ parent: row - 1 }));

/** A trunk of `trunk` rows from each of which a branch of `branch` rows hangs, as far as `branches` reach. */
export function combRows(trunk: number, branches: number, branch: number): Row[] {
  const rows = chainRows(trunk);
  const every = trunk / branches;
  for (let at = 0; at < branches; at++) {
    let parent = Math.floor(at * every);
    for (let i = 0; i < branch; i++) {
      rows.push({ parent });
      parent = rows.length - 1;
    }
  }
  return rows;
}

/** Most rows continue the one before, some hang anywhere; now and then a compaction, a second root, a failed turn. */
export function randomRows(count: number, seed: number, branchiness = 0.1): Row[] {
  const next = random(seed);
  return Array.from({ length: count }, (_, row) => {
    const dice = next();
    const anywhere = Math.floor(next() * row);
    const parent = row === 0 || dice > 0.997 ? -1 : dice < branchiness ? anywhere : row - 1;
    const type = next() < 0.02 ? 'compaction' : 'message';
    return { parent, type, role: type === 'message' ? 'assistant' : '', flags: FLAG.hasText | (next() < 0.05 ? FLAG.error : 0) };
  });
}

export function treeOf(rows: readonly Row[], leafRow = rows.length - 1, labels: ReadonlyMap<number, string> = new Map()) {
  const columns = columnsOf(rows);
  const children = childrenOf(columns.parent);
  const tree = buildTree({ columns, children, labels, stopRow: stopAt(children, leafRow) });
  const rowsOnPath = pathMarks(columns.parent, leafRow);
  return { columns, children, tree, rowsOnPath, labels, leafRow, onPath: runsOnPath(tree, rowsOnPath) };
}
