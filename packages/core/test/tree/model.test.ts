import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  childrenOf,
  childRows,
  collapseRuns,
  commonAncestor,
  isAncestor,
  newestLeafBelow,
  pathMarks,
  pathTo,
  resolveLabels,
  treeOrder,
} from '../../src/pure.ts';
import { session } from '../../src/testing/index.ts';
import { decode, rowsOf } from '../support/decode.ts';
import { naiveChildren, naiveNewestLeaf, naivePath, naiveTree, type NaiveEntry } from '../support/naive.ts';

// Few names, so that ids repeat, parents are missing, stand later, are the entry itself or run in a circle.
const name = fc.integer({ min: 0, max: 14 }).map((n) => `n${String(n)}`);
const label = fc.record({ targetId: name, text: fc.constantFrom('', 'one', 'two') });
const entry: fc.Arbitrary<NaiveEntry> = fc.record(
  { id: name, parentId: fc.option(name, { freq: 8 }), label: fc.option(label, { nil: undefined }) },
  { requiredKeys: ['id', 'parentId'] },
) as fc.Arbitrary<NaiveEntry>;

const damaged = fc.array(entry, { minLength: 1, maxLength: 18 });
/** Trees as agents write them: every parent stands before its child. */
const sound = fc.array(fc.nat(), { minLength: 1, maxLength: 40 }).map((choices) =>
  choices.map((choice, row): NaiveEntry => {
    const parent = choice % (row + 1);
    return { id: `n${String(row)}`, parentId: parent === 0 ? null : `n${String(parent - 1)}` };
  }),
);
const trees = fc.oneof(damaged, sound);

function build(entries: readonly NaiveEntry[]): ReturnType<typeof decode> {
  const builder = session();
  for (const { id, parentId, label: about } of entries) {
    if (about === undefined) builder.user(id, { id, parentId });
    else builder.label(about.targetId, about.text, { id, parentId });
  }
  return decode(builder);
}

describe('trees, sound and damaged, against a naive reading', () => {
  it('have the same ids, parents and labels', () => {
    fc.assert(
      fc.property(trees, (entries) => {
        const { outline, ids } = build(entries);
        const naive = naiveTree(entries);
        expect(ids).toEqual(naive.ids);
        expect(rowsOf(outline).map((row) => outline.parent(row))).toEqual(naive.parents);
        const labels = [...resolveLabels(outline)].map(([row, { label: text }]) => [row, text] as const);
        expect(new Map(labels)).toEqual(naive.labels);
      }),
      { numRuns: 400 },
    );
  });

  it('have the same children, paths, ancestors and newest leaves', () => {
    fc.assert(
      fc.property(trees, fc.nat(), fc.nat(), (entries, one, two) => {
        const { parents } = naiveTree(entries);
        const a = one % parents.length;
        const b = two % parents.length;
        const children = childrenOf(parents);
        for (let row = -1; row < parents.length; row++)
          expect([...childRows(children, row)]).toEqual(naiveChildren(parents, row));
        expect(pathTo(parents, a)).toEqual(naivePath(parents, a));
        expect([...pathMarks(parents, a)].flatMap((mark, row) => (mark === 1 ? row : [])).sort()).toEqual(
          naivePath(parents, a).sort(),
        );
        const shared = naivePath(parents, b).filter((row) => naivePath(parents, a).includes(row));
        expect(commonAncestor(parents, a, b)).toBe(shared.at(-1) ?? -1);
        expect(isAncestor(treeOrder(parents), a, b)).toBe(naivePath(parents, b).includes(a));
        expect(newestLeafBelow(parents, a)).toBe(naiveNewestLeaf(parents, a));
      }),
      { numRuns: 400 },
    );
  });

  it('know the newest leaf where a grandchild stands before its parents', () => {
    expect(newestLeafBelow([2, -1, 1, -1], 1)).toBe(0);
    expect(newestLeafBelow([1, 2, 3, -1], 3)).toBe(0);
  });

  it('are walked parents first, each row once, with its depth', () => {
    fc.assert(
      fc.property(trees, (entries) => {
        const { parents } = naiveTree(entries);
        const { order, depth } = treeOrder(parents);
        expect([...order].sort((x, y) => x - y)).toEqual([...parents.keys()]);
        const seen = new Set([-1]);
        for (const row of order) {
          expect(seen.has(parents[row]!)).toBe(true);
          expect(depth[row]).toBe(naivePath(parents, row).length - 1);
          seen.add(row);
        }
      }),
    );
  });

  it('fall into runs that cover every row once, break only at forks and stops, and hang together', () => {
    fc.assert(
      fc.property(trees, fc.func(fc.boolean()), (entries, stops) => {
        const { parents } = naiveTree(entries);
        const isStop = (row: number): boolean => stops(row);
        const { runs, runOf } = collapseRuns(parents, childrenOf(parents), isStop);
        const covered = runs.flatMap((run) => {
          const rows = naivePath(parents, run.last).slice(-run.length);
          expect(rows[0]).toBe(run.first);
          expect(runs[run.parent]?.last ?? -1).toBe(parents[run.first]);
          for (const row of rows) expect(runs[runOf[row]!]).toBe(run);
          if (run.length > 1) expect(rows.some(isStop)).toBe(false);
          for (const row of rows.slice(0, -1)) expect(naiveChildren(parents, row)).toHaveLength(1);
          // A run does not end where it could go on.
          const next = naiveChildren(parents, run.last);
          if (next.length === 1) expect(isStop(run.last) || isStop(next[0]!)).toBe(true);
          return rows;
        });
        expect(covered.sort((x, y) => x - y)).toEqual([...parents.keys()]);
        for (const [index, run] of runs.entries()) expect(run.parent).toBeLessThan(index);
      }),
    );
  });
});
