// @vitest-environment node
import { FLAG } from '@stemma/core/pure';
import { describe, expect, it } from 'vitest';

import { outlineRows, type Filter, type OutlineInput } from '../src/lib/tree/outline-rows.ts';
import { kindOf, markOf } from '../src/lib/tree/kinds.ts';
import { combRows, chainRows, randomRows, treeOf, type Row } from './tree-builders.ts';

function outline(rows: readonly Row[], leafRow: number, change: Partial<OutlineInput> = {}) {
  const { columns, children, rowsOnPath } = treeOf(rows, leafRow);
  return outlineRows({ columns, children, onPath: rowsOnPath, leafRow, labels: new Map(), filter: 'all', query: '', ...change });
}

const lines = (shown: ReturnType<typeof outlineRows>): string[] =>
  Array.from(shown.rows, (row, at) => `${'  '.repeat(shown.depth[at]!)}${row}${shown.joint[at] ? ` ${shown.joint[at]}` : ''}`);

/** 0 → 1 → 2 → 3 → 4; on 1 hang 5 → 6 and 7; on 5 hangs 8. */
const forked: Row[] = [...chainRows(5), { parent: 1 }, { parent: 5 }, { parent: 1 }, { parent: 5 }];

describe('the outline', () => {
  it('shows the shown branch first and flat, side branches after it and one step in', () => {
    expect(lines(outline(forked, 4))).toEqual(['0', '1', '2', '3', '4', '  5 branch', '  6', '    8 last', '  7 last']);
  });

  it('begins with another branch when that one is shown', () => {
    expect(lines(outline(forked, 8))).toEqual(['0', '1', '5', '8', '  6 last', '  2 branch', '  3', '  4', '  7 last']);
  });

  it('begins with the root of the shown branch and sets further roots apart', () => {
    const rows: Row[] = [{ parent: -1 }, { parent: 0 }, { parent: -1 }, { parent: 2 }];
    expect(lines(outline(rows, 3))).toEqual(['2', '3', '  0 last', '  1']);
  });

  it('gives a branch its mark at its first visible entry', () => {
    const rows = forked.map((row, at) => (at === 5 ? { ...row, type: 'label' } : row));
    expect(lines(outline(rows, 4, { filter: 'default' }))).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '  6 branch',
      '    8 last',
      '  7 last',
    ]);
  });

  it('knows the nearest visible ancestor of hidden entries', () => {
    const rows = chainRows(6).map((row, at) => (at === 0 || at === 3 || at === 4 ? { ...row, type: 'custom' } : row));
    const shown = outline(rows, 5, { filter: 'default' });
    expect([...shown.rows]).toEqual([1, 2, 5]);
    expect([...shown.place]).toEqual([-1, 0, 1, 1, 1, 2]);
  });
});

describe('the filters', () => {
  const rows: Row[] = [
    { parent: -1, type: 'model_change' },
    { parent: 0, role: 'user', title: 'Why does it loop?' },
    { parent: 1, role: 'assistant', flags: FLAG.hasToolCalls },
    { parent: 2, role: 'toolResult', title: '[bash: grep loop]' },
    { parent: 3, role: 'assistant', flags: FLAG.hasToolCalls | FLAG.unfinished },
    { parent: 4, role: 'assistant', title: 'The guard', flags: FLAG.hasText },
    { parent: 5, type: 'compaction' },
    { parent: 6, type: 'custom' },
    { parent: 7, type: 'branch_summary' },
    { parent: 8, type: 'label' },
    { parent: 9, role: 'user', title: 'LOOP again' },
    { parent: 10, role: 'assistant', flags: FLAG.hasToolCalls },
  ];
  const shown = (filter: Filter, change: Partial<OutlineInput> = {}): number[] => [
    ...outline(rows, 11, { filter, labels: new Map([[5, 'checkpoint']]), ...change }).rows,
  ];

  it.each<[Filter, number[]]>([
    // A silent turn stays when it broke off or is the leaf, whatever the filter.
    ['all', [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
    ['default', [1, 3, 4, 5, 6, 8, 10, 11]],
    ['noTools', [1, 4, 5, 6, 8, 10, 11]],
    ['prompts', [1, 10]],
    ['labelled', [5]],
  ])('%s', (filter, expected) => {
    expect(shown(filter)).toEqual(expected);
  });

  it('search titles and labels for all words, in any case', () => {
    expect(shown('default', { query: ' loop ' })).toEqual([1, 3, 10]);
    expect(shown('default', { query: 'loop why' })).toEqual([1]);
    expect(shown('default', { query: 'CHECK guard' })).toEqual([5]);
    expect(shown('prompts', { query: 'guard' })).toEqual([]);
  });
});

describe('folds', () => {
  const folded = (rows: readonly Row[], leaf: number, ...folds: number[]) => outline(rows, leaf, { folds: new Set(folds) });
  const canFold = (shown: ReturnType<typeof outlineRows>): number[] =>
    [...shown.rows].filter((_, at) => shown.foldable[at] === 1);

  it('are possible where a branch begins with something below it', () => {
    // 0 is the root; 2 and 5 begin branches under 1; 7 has nothing below; 6 and 8 are single entries.
    expect(canFold(outline(forked, 4))).toEqual([0, 2, 5]);
    expect(canFold(outline(chainRows(1), 0))).toEqual([]);
  });

  it('hide everything below, side branches and entries under hidden ones too', () => {
    expect(lines(folded(forked, 4, 5))).toEqual(['0', '1', '2', '3', '4', '  5 branch', '  7 last']);
    expect(lines(folded(forked, 4, 2, 5))).toEqual(['0', '1', '2', '  5 branch', '  7 last']);
    expect(lines(folded(forked, 4, 0))).toEqual(['0']);
    const rows = forked.map((row, at) => (at === 6 ? { ...row, type: 'label' } : row));
    expect([...outline([...rows, { parent: 6 }], 4, { filter: 'default', folds: new Set([5]) }).rows]).toEqual([
      0, 1, 2, 3, 4, 5, 7,
    ]);
  });

  it('inside others survive those', () => {
    expect(lines(folded(forked, 4, 0, 5))).toEqual(['0']);
    expect([...folded(forked, 4, 5).rows]).toEqual([0, 1, 2, 3, 4, 5, 7]);
  });

  it('stand for what they hide', () => {
    const shown = folded(forked, 4, 5);
    expect([shown.place[6], shown.place[8]]).toEqual([5, 5]);
    expect(shown.place[7]).toBe(6);
  });
});

describe('a long outline', () => {
  const inTime = (rows: Row[]): number => {
    const begin = performance.now();
    expect(outline(rows, rows.length - 1).rows.length).toBe(rows.length);
    return performance.now() - begin;
  };

  it.each([
    ['60,000 entries in a chain', () => chainRows(60_000)],
    ['a comb on a trunk of 10,000', () => combRows(10_000, 9_999, 1)],
    ['420,000 entries', () => randomRows(420_000, 3, 0.02)],
  ])('of %s is made in time', (_, make) => {
    expect(inTime(make())).toBeLessThan(2000);
  });

  it('never steps far in, however deep the tree is', () => {
    const rows = combRows(10_000, 9_999, 1);
    expect(Math.max(...outline(rows, 9_999).depth)).toBe(1);
    expect(Math.max(...outline(randomRows(20_000, 11, 0.5), 19_999).depth)).toBeLessThanOrEqual(16);
  });
});

describe('kinds of entries', () => {
  it('tell failed turns, tools and settings apart', () => {
    const rows: Row[] = [
      { parent: -1, role: 'assistant', flags: FLAG.aborted },
      { parent: 0, role: 'bashExecution' },
      { parent: 1, role: 'toolResult', title: 'edit src/a.ts' },
      { parent: 2, type: 'something_new' },
      { parent: 3, type: 'branch_summary' },
    ];
    const { columns } = treeOf(rows);
    expect(rows.map((_, row) => kindOf(columns, row))).toEqual(['error', 'tool', 'tool', 'setting', 'summary']);
    expect(rows.map((_, row) => markOf(columns, row))).toEqual(['error', '$', '±', '·', 'Σ']);
  });
});
