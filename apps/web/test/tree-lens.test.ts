import { render } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';

import { decodeLens, type LensKey } from '../src/lib/session/lens.svelte.ts';
import Margin from '../src/lib/transcript/Margin.svelte';
import { hatchPath, runLens } from '../src/lib/tree/run-lens.ts';
import type { Scene } from '../src/lib/tree/scene.svelte.ts';
import { statusOf, statusWords } from '../src/lib/tree/status.ts';
import { chainRows, treeOf, type Row } from './tree-builders.ts';

const keys: LensKey[] = [
  { status: 'sent' },
  { status: 'folded', compactionId: 'e6' },
  { status: 'neverSent', reason: 'setting' },
  { status: 'dropped', reason: 'aborted_turn' },
  { status: 'otherBranch' },
];
const AFTER: LensKey = { status: 'neverSent', reason: 'after_leaf' };
/** A chain of 10 in which row 6 is a compaction, and a branch of 3 on row 2. Runs: 0–2, 3–5, 6, 7–9, 10–12. */
const rows: Row[] = [
  ...chainRows(10).map((row, at) => (at === 6 ? { ...row, type: 'compaction' } : row)),
  { parent: 2 },
  { parent: 10 },
  { parent: 11 },
];
const lens = decodeLens(
  {
    lens: [
      [0, 1, 2],
      [1, 3, 1],
      [4, 3, 0],
      [7, 1, 3],
      [8, 2, 0],
      [10, 3, 4],
    ],
    lensKeys: keys,
  },
  rows.length,
);

describe('what became of the entries of a run', () => {
  const { tree } = treeOf(rows, 9);
  const found = runLens(tree, lens)!;
  const of = (row: number): number => tree.runOf[row]!;

  it('is counted by status, without what goes without saying', () => {
    expect([0, 3, 6, 7, 10].map((row) => found.counts.folded[of(row)])).toEqual([2, 1, 0, 0, 0]);
    expect([0, 3, 6, 7, 10].map((row) => found.counts.dropped[of(row)])).toEqual([0, 0, 0, 1, 0]);
    expect([0, 3, 6, 7, 10].map((row) => found.counts.neverSent[of(row)])).toEqual([1, 0, 0, 0, 0]);
  });

  it('says where the folded part begins and ends', () => {
    expect([found.from[of(0)], found.to[of(0)]].map((share) => share?.toFixed(2))).toEqual(['0.33', '1.00']);
    expect([found.from[of(3)], found.to[of(3)]].map((share) => share?.toFixed(2))).toEqual(['0.00', '0.33']);
    expect([found.from[of(7)], found.to[of(7)]]).toEqual([0, 0]);
  });

  it('is not known before the lens is', () => {
    expect(runLens(tree, null)).toBeNull();
  });
});

describe('the hatch of a capsule', () => {
  const lines = (path: string): number[] => [...path.matchAll(/M[\d.-]+ ([\d.]+)h/g)].map(([, y]) => Number(y));

  it('lies in the folded part, leaves the number free and never leaves the capsule', () => {
    const path = hatchPath(0, 100, 80, 12, 0, 0.6);
    const ys = lines(path);
    expect(ys.length).toBeGreaterThan(3);
    expect(Math.max(...ys)).toBeLessThanOrEqual(148);
    expect(ys.every((y) => Math.abs(y - 140) >= 9)).toBe(true);
    const reaches = [...path.matchAll(/M(-[\d.]+) /g)].map(([, x]) => -Number(x));
    expect(Math.max(...reaches)).toBeLessThan(12);
    // The ends are round: lines near them are shorter.
    expect(reaches[0]).toBeLessThan(reaches[3]!);
  });

  it('is nothing where nothing is folded', () => {
    expect(hatchPath(0, 0, 80, 12, 0, 0)).toBe('');
  });
});

describe('the status of an entry', () => {
  const scene = { lens, compactions: [{ entryId: 'e6' }] } as unknown as Scene;

  it('is said with its reason in plain words', () => {
    expect(statusOf(scene, 0)).toEqual({ status: 'neverSent', text: 'never sent: a change of settings' });
    expect(statusOf(scene, 1)).toEqual({ status: 'folded', text: 'folded into compaction 1' });
    expect(statusOf(scene, 7)).toEqual({ status: 'dropped', text: 'dropped: a turn that was aborted' });
    expect(statusWords({ status: 'adjusted' }, [])).toBe('sent in a changed form');
  });

  it('is “not yet” after the leaf, in the list, in the figures of the map and in the margin alike', () => {
    const after = {
      lens: [
        [0, 7, 0],
        [7, 3, 1],
        [10, 3, 2],
      ],
      lensKeys: [{ status: 'sent' }, AFTER, keys[4]],
    };
    const later = decodeLens(after as unknown as Parameters<typeof decodeLens>[0], rows.length);
    expect(statusOf({ ...scene, lens: later }, 8)).toEqual({ status: 'notYet', text: 'not yet: comes later' });
    const { tree } = treeOf(rows, 6);
    const { counts } = runLens(tree, later)!;
    expect([counts.notYet[tree.runOf[7]!], counts.neverSent.every((n) => n === 0)]).toEqual([3, true]);
    const item = { kind: 'user', id: 'x#0', entryId: 'x', row: 7, time: null, role: 'user', text: 'hi' };
    const { container } = render(Margin, { item: item as never, lens: AFTER, sayFolded: false, compactions: [] });
    expect(container.querySelector('.status')?.textContent).toContain('not yet');
    expect(container.textContent).not.toContain('never');
  });

  it('is not said of what is sent, on another branch or not known yet', () => {
    expect([statusOf(scene, 5), statusOf(scene, 11), statusOf({ ...scene, lens: null }, 1)]).toEqual([null, null, null]);
  });
});
