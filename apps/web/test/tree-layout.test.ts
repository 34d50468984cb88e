// @vitest-environment node
import { describe, expect, it } from 'vitest';

import { linkPath, layoutTree, type MapLayout } from '../src/lib/tree/layout.ts';
import { MAP } from '../src/lib/tree/measures.ts';
import { captionRow, type TreeModel } from '../src/lib/tree/tree-model.ts';
import { farPaths, indexMap, runAt, visibleRuns } from '../src/lib/tree/visible.ts';
import { chainRows, combRows, randomRows, treeOf, type Row } from './tree-builders.ts';

function lay(rows: readonly Row[], leafRow = rows.length - 1, openHeight?: (run: number) => number | undefined) {
  const made = treeOf(rows, leafRow);
  const layout = layoutTree(made.tree, { onPath: made.onPath, ...(openHeight && { openHeight }) });
  return { ...made, layout };
}

interface Box {
  run: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Bodies of all runs; an opened one is as wide as its card. */
function boxes(tree: TreeModel, layout: MapLayout, opened: ReadonlySet<number> = new Set()): Box[] {
  return Array.from({ length: tree.count }, (_, run) => ({
    run,
    left: layout.x[run]! - MAP.half,
    right: layout.x[run]! + (opened.has(run) ? MAP.card - MAP.half : MAP.half),
    top: layout.y[run]!,
    bottom: layout.bottom[run]!,
  }));
}

const overlap = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function overlaps(all: Box[]): [number, number][] {
  const found: [number, number][] = [];
  const sorted = all.toSorted((a, b) => a.top - b.top);
  sorted.forEach((box, at) => {
    for (let other = at + 1; other < sorted.length && sorted[other]!.top < box.bottom; other++) {
      if (overlap(box, sorted[other]!)) found.push([box.run, sorted[other]!.run]);
    }
  });
  return found;
}

/** Side links that pass a body which is neither their start nor their end. */
function crossings(tree: TreeModel, layout: MapLayout): number[] {
  const all = boxes(tree, layout);
  return all
    .filter(({ run }) => tree.parent[run]! >= 0 && layout.x[run] !== layout.x[tree.parent[run]!])
    .filter(({ run }) => {
      const parent = tree.parent[run]!;
      const link = {
        run,
        left: layout.x[parent]! + MAP.half,
        right: layout.x[run]!,
        top: layout.bottom[parent]!,
        bottom: layout.y[run]!,
      };
      return all.some((box) => box.run !== run && box.run !== parent && overlap(link, box) && box.top < link.top + 8);
    })
    .map(({ run }) => run);
}

const samples: [string, Row[]][] = [
  ['a chain', chainRows(50)],
  ['a comb', combRows(60, 30, 4)],
  ['a fan', [{ parent: -1 }, ...Array.from({ length: 40 }, () => ({ parent: 0 }))]],
  ...[1, 2, 3, 4, 5].map((seed): [string, Row[]] => [`random tree ${seed}`, randomRows(600, seed, 0.05 * seed)]),
];

describe.each(samples)('the map of %s', (_, rows) => {
  it('has no two capsules in one place, with and without opened ones', () => {
    const { tree, layout } = lay(rows);
    expect(overlaps(boxes(tree, layout))).toEqual([]);
    const opened = new Set([0, Math.floor(tree.count / 2), tree.count - 1]);
    const second = lay(rows, undefined, (run) => (opened.has(run) ? 300 : undefined));
    expect(overlaps(boxes(tree, second.layout, opened))).toEqual([]);
  });

  it('draws the shown path straight down at 0 and all else to the right', () => {
    const { tree, layout, onPath } = lay(rows, Math.floor(rows.length / 2));
    const path = [...onPath.keys()].filter((run) => onPath[run] === 1);
    expect(path.length).toBeGreaterThan(0);
    expect(path.every((run) => layout.x[run] === 0)).toBe(true);
    path.slice(1).forEach((run) => expect(layout.y[run]).toBeGreaterThan(layout.y[tree.parent[run]!]!));
    const beside = [...onPath.keys()].filter((run) => layout.laneOf[run] !== 0);
    expect(beside.every((run) => layout.x[run]! > 0)).toBe(true);
  });

  it('ties each run to the one that it continues, from above, over nothing else', () => {
    const { tree, layout } = lay(rows);
    for (let run = 0; run < tree.count; run++) {
      const parent = tree.parent[run]!;
      if (parent < 0) continue;
      const [, fromX, fromY, rest] = /^M(\S+) (\S+)([CV].*)$/.exec(linkPath(layout, parent, run)) ?? [];
      const ends = rest?.slice(1).split(' ').map(Number) ?? [];
      expect([Number(fromX), Number(fromY)]).toEqual([layout.x[parent], layout.bottom[parent]]);
      expect(ends.at(-1)).toBe(layout.y[run]);
      if (ends.length > 1) expect(ends.at(-2)).toBe(layout.x[run]);
      expect(layout.y[run]).toBeGreaterThan(layout.bottom[parent]!);
    }
    expect(crossings(tree, layout)).toEqual([]);
  });

  it('promises captions only room that is free', () => {
    const { tree, layout } = lay(rows);
    const bodies = boxes(tree, layout);
    const captions = bodies
      .filter(({ run }) => layout.room[run]! > 0)
      .map(({ run, top }) => {
        const middle = top + layout.height[run]! / 2;
        const left = layout.x[run]! + MAP.caption;
        return { run, left, right: left + layout.room[run]!, top: middle - 14, bottom: middle + 14 };
      });
    const hidden = captions.filter((caption) => bodies.some((box) => box.run !== caption.run && overlap(caption, box)));
    expect(hidden.map(({ run }) => run)).toEqual([]);
  });

  it('finds what is in view as a plain look at everything does', () => {
    const { tree, layout } = lay(rows);
    const index = indexMap(tree, layout);
    const views = [0, 0.3, 0.6, 0.95].map((share) => {
      const top = layout.totalHeight * share;
      const left = layout.width * share - 100;
      return { left, right: left + 360, top, bottom: top + 500 };
    });
    for (const view of views) {
      const found = new Set(visibleRuns(tree, layout, index, view));
      expect(found.size).toBe(visibleRuns(tree, layout, index, view).length);
      const inside = boxes(tree, layout).filter((box) => overlap(box, { ...view, run: -1 }));
      expect(inside.filter(({ run }) => !found.has(run))).toEqual([]);
    }
    for (let run = 0; run < tree.count; run += 7) {
      expect(runAt(tree, layout, index, layout.x[run]!, layout.y[run]! + layout.height[run]! / 2)).toBe(run);
    }
  });
});

describe('the map', () => {
  it('gives capsules a height by the logarithm of their entries', () => {
    const rows: Row[] = [{ parent: -1 }, ...chainRows(4).map((row) => ({ parent: row.parent + 1 }))];
    let parent = 0;
    for (let i = 0; i < 64; i++) {
      rows.push({ parent });
      parent = rows.length - 1;
    }
    const { tree, layout } = lay(rows);
    const heights = new Map(Array.from(tree.length, (length, run) => [length, layout.height[run]!]));
    expect(heights.get(64)! - heights.get(4)!).toBe(2 * (heights.get(4)! - heights.get(1)!));
  });

  it('stands compactions, labels and an inner leaf alone, and names a run by its first prompt', () => {
    const rows: Row[] = [
      { parent: -1, type: 'model_change', title: 'setting' },
      { parent: 0, role: 'assistant', title: 'answer' },
      { parent: 1, role: 'user', title: 'prompt' },
      { parent: 2, type: 'compaction' },
      { parent: 3, role: 'user' },
      { parent: 4, role: 'assistant' },
      { parent: 5, role: 'user' },
      { parent: 6, role: 'assistant', flags: 2 },
    ];
    const { tree, columns } = treeOf(rows, 6, new Map([[4, 'checkpoint']]));
    expect([...tree.first]).toEqual([0, 3, 4, 5, 6, 7]);
    expect(tree.kind).toEqual(['run', 'compaction', 'label', 'run', 'run', 'run']);
    expect(tree.end).toEqual(['open', 'open', 'open', 'open', 'open', 'aborted']);
    expect(captionRow(tree, columns, 0)).toBe(2);
    expect([...tree.rows]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('draws few things when seen from far away', () => {
    const { tree, layout, onPath } = lay(combRows(10_000, 9_000, 1));
    const index = indexMap(tree, layout);
    const runs = visibleRuns(tree, layout, index, { left: -50, right: 4000, top: 0, bottom: layout.totalHeight });
    expect(runs.length).toBe(tree.count);
    const paths = farPaths(tree, layout, onPath, runs, layout.totalHeight / 700);
    expect(paths.bodies[0].length + paths.links[0].length).toBeLessThan(200_000);
  });
});

describe('large sessions', () => {
  const layOut = (rows: Row[]): { runs: number; width: number } => {
    const { tree, onPath } = treeOf(rows);
    const layout = layoutTree(tree, { onPath });
    indexMap(tree, layout);
    return { runs: tree.count, width: layout.width };
  };

  // Depth that overflows a stack, or work that is quadratic, does not come to its end here; times are the bench's.
  it.each([
    ['60,000 entries in a chain', () => chainRows(60_000), 1],
    ['20,000 entries, 500 branches', () => combRows(10_000, 500, 20), 1000],
    ['a comb on a trunk of 10,000', () => combRows(10_000, 9_999, 1), 19_999],
    ['500 branches from one entry', () => [...chainRows(10_000), ...Array.from({ length: 500 }, () => ({ parent: 40 }))], 502],
    ['420,000 entries', () => randomRows(420_000, 7, 0.02), 8000],
  ])('%s are laid out', { timeout: 20_000 }, (_, make, leastRuns) => {
    const { runs, width } = layOut(make());
    expect(width).toBeGreaterThan(0);
    expect(runs).toBeGreaterThanOrEqual(leastRuns);
  });
});
