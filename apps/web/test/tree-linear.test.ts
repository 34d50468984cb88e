// @vitest-environment node
import { countingArray } from '@stemma/core/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { layoutTree } from '../src/lib/tree/layout.ts';
import { outlineRows } from '../src/lib/tree/outline-rows.ts';
import { Skyline } from '../src/lib/tree/skyline.ts';
import type { TreeModel } from '../src/lib/tree/tree-model.ts';
import { indexMap, visibleRuns } from '../src/lib/tree/visible.ts';
import { chainRows, combRows, randomRows, treeOf, type Row } from './tree-builders.ts';

afterEach(() => vi.restoreAllMocks());

type Made = ReturnType<typeof treeOf>;

/** A tree whose arrays count how often they are read. */
function counted({ tree, onPath }: Made) {
  const arrays = [
    countingArray(tree.parent),
    countingArray(tree.length),
    countingArray(tree.kind as ArrayLike<unknown>),
    countingArray(tree.children.start),
    countingArray(tree.children.list),
    countingArray(onPath),
  ] as const;
  const [parent, length, kind, start, list, path] = arrays.map(({ value }) => value);
  return {
    tree: { ...tree, parent, length, kind, children: { start, list } } as unknown as TreeModel,
    onPath: path as unknown as Uint8Array,
    steps: () => arrays.reduce((sum, array) => sum + array.steps(), 0),
  };
}

/** Reads of the tree, and questions to the skyline, each of which takes the logarithm of the map's height. */
function layoutSteps(rows: Row[], openHeight?: (run: number) => number | undefined): number {
  const raise = vi.spyOn(Skyline.prototype, 'raise');
  const max = vi.spyOn(Skyline.prototype, 'max');
  const { tree, onPath, steps } = counted(treeOf(rows));
  layoutTree(tree, { onPath, ...(openHeight && { openHeight }) });
  const asked = raise.mock.calls.length + max.mock.calls.length;
  raise.mockRestore();
  max.mockRestore();
  return steps() + asked;
}

const TREES: [string, (size: number) => Row[]][] = [
  ['a chain with compactions', (size) => chainRows(size).map((row, at) => (at % 9 === 8 ? { ...row, type: 'compaction' } : row))],
  ['a comb', (size) => combRows(size, size / 2, 1)],
  ['a comb of long teeth', (size) => combRows(size, size / 20, 19)],
  ['a star', (size) => [{ parent: -1 }, ...Array.from({ length: size - 1 }, () => ({ parent: 0 }))]],
  // Each entry has one child that goes on and one that does not, the side branch the deeper one.
  [
    'a staircase',
    (size) => Array.from({ length: size }, (_, row) => ({ parent: row < 2 ? row - 1 : row - (row % 2 === 0 ? 1 : 2) })),
  ],
  ['a tree that grew anyhow', (size) => randomRows(size, 11, 0.2)],
];

describe('twice the entries take', () => {
  it.each(TREES)('about twice the steps to be laid out: %s', (_, make) => {
    const small = layoutSteps(make(2_000));
    const large = layoutSteps(make(4_000));
    expect(small).toBeGreaterThan(500);
    // Sorting the branches of a point adds the logarithm: 12/11 at these sizes.
    expect(large).toBeLessThan(small * 2.3 + 200);
    expect(large).toBeLessThan(4_000 * 60);
  });

  it.each(TREES)('about twice the steps with runs that are open: %s', (_, make) => {
    const open = (run: number): number | undefined => (run % 3 === 0 ? 400 : undefined);
    expect(layoutSteps(make(4_000), open)).toBeLessThan(layoutSteps(make(2_000), open) * 2.3 + 200);
  });

  it.each(TREES)('no more steps to find what is in view: %s', (_, make) => {
    const found = (size: number): number => {
      const made = treeOf(make(size));
      const layout = layoutTree(made.tree, { onPath: made.onPath });
      const index = indexMap(made.tree, layout);
      const runs = countingArray(index.runs);
      const top = layout.totalHeight / 2;
      visibleRuns(
        made.tree,
        layout,
        { ...index, runs: runs.value as Int32Array },
        { left: 0, right: 360, top, bottom: top + 500 },
      );
      return runs.steps();
    };
    const small = found(2_000);
    // In a star everything stands side by side; elsewhere a view holds what fits into it.
    expect(found(4_000)).toBeLessThan(small * (_ === 'a star' ? 2.3 : 1.3) + 60);
  });

  it.each(TREES)('about twice the steps for the outline list: %s', (_, make) => {
    const steps = (size: number): number => {
      const { columns, children, rowsOnPath, labels, leafRow } = treeOf(make(size));
      const parent = countingArray(columns.parent);
      const start = countingArray(children.start);
      const list = countingArray(children.list);
      outlineRows({
        columns: { ...columns, parent: parent.value as Int32Array },
        children: { start: start.value, list: list.value } as unknown as typeof children,
        onPath: rowsOnPath,
        leafRow,
        labels,
        filter: 'default',
        query: '',
      });
      return parent.steps() + start.steps() + list.steps();
    };
    expect(steps(4_000)).toBeLessThan(steps(2_000) * 2.3 + 200);
  });
});
