import { describe, expect, it } from 'vitest';

import { SessionView } from '../src/lib/session/session-view.svelte.ts';
import { fitText } from '../src/lib/tree/fit-text.ts';
import { MapState, WINDOW } from '../src/lib/tree/map-state.svelte.ts';
import { miniPaths } from '../src/lib/tree/minimap.ts';
import { nodeName } from '../src/lib/tree/node-text.ts';
import { chain, FakeAddress, FakeServer, type FakeEntry } from './session-fakes.svelte.ts';
import { combRows, treeOf } from './tree-builders.ts';
import { layoutTree } from '../src/lib/tree/layout.ts';

/** a0 … a99; b0 … b9 on a9; c0 on b4. Runs: a0–a9, a10–a99, b0–b4, b5–b9, c0. */
const entries: FakeEntry[] = [
  ...chain(100),
  ...chain(10, 'b').map((entry) => ({ ...entry, parent: entry.parent ?? 'a9' })),
  { id: 'c0', parent: 'b4', role: 'user', title: 'Another way' },
];

async function open(change: (server: FakeServer) => void = () => undefined) {
  const server = new FakeServer(entries);
  server.leafId = 'a99';
  change(server);
  const view = new SessionView('k', { source: server, address: new FakeAddress() });
  await view.load();
  const map = new MapState(view);
  const firsts = (): string[] => Array.from(map.tree.first, (row) => view.columns.id[row] ?? '');
  return { map, view, run: (id: string): number => map.runOf(view.rowOf(id)), firsts };
}

describe('the map of a session', () => {
  it('has a run for each stretch between branch points and walks them, the shown branch first', async () => {
    const { map, view, firsts } = await open();
    expect(firsts().toSorted()).toEqual(['a0', 'a10', 'b0', 'b5', 'c0']);
    expect(Array.from(map.walk.order, (run) => view.columns.id[map.tree.first[run]!])).toEqual(['a0', 'a10', 'b0', 'b5', 'c0']);
  });

  it('selects the first entry of a clicked run and shows its branch', async () => {
    const { map, view, run } = await open();
    map.choose({ run: run('b5'), row: -1 });
    expect(view.columns.id[view.selectedRow]).toBe('b5');
    expect(view.columns.id[view.leafRow]).toBe('b9');
    expect(map.layout.x[run('b5')]).toBe(0);
    expect(map.layout.x[run('a10')]).toBeGreaterThan(0);
    expect(map.selectedRun).toBe(run('b5'));
  });

  it('passes over settings at the beginning of a clicked run', async () => {
    const { map, view, run } = await open((server) => {
      server.entries = entries.map((entry) => (entry.id === 'b5' ? { ...entry, type: 'label', role: '' } : entry));
    });
    map.choose({ run: run('b5'), row: -1 });
    expect(view.columns.id[view.selectedRow]).toBe('b6');
  });

  it('opens a long run in windows, where the selection is', async () => {
    const { map, view, run } = await open();
    view.select(view.rowOf('a60'));
    const before = map.layout.height[run('a10')]!;
    map.toggle(run('a10'));
    const shown = map.window(run('a10'))!;
    expect(shown.rows.length).toBe(WINDOW);
    expect(shown.rows.includes(view.rowOf('a60'))).toBe(true);
    expect(shown.earlier + shown.rows.length + shown.later).toBe(90);
    expect(map.layout.height[run('a10')]).toBeGreaterThan(before);
    map.page(run('a10'), 1);
    expect(map.window(run('a10'))).toMatchObject({ earlier: 80, later: 0 });
    map.page(run('a10'), 1);
    map.page(run('a10'), -1);
    map.page(run('a10'), -1);
    map.page(run('a10'), -1);
    expect(map.window(run('a10'))!.earlier).toBe(0);
    map.toggle(run('a10'));
    expect(map.window(run('a10'))).toBeNull();
    expect(map.layout.height[run('a10')]).toBe(before);
  });

  it('keeps a run open when another branch is shown', async () => {
    const { map, view, run } = await open();
    map.toggle(run('b0'));
    view.showPathOf(view.rowOf('c0'));
    expect(map.isOpen(run('b0'))).toBe(true);
    expect(map.isOpen(run('a0'))).toBe(false);
  });

  it('walks by keys: down and up the branch, in and out of runs, aside at branch points', async () => {
    const { map, view } = await open();
    const at = (): string => {
      const { run, row } = map.focus;
      return row >= 0 ? `in ${view.columns.id[row]}` : (view.columns.id[map.tree.first[run]!] ?? '');
    };
    const press = (...keys: string[]): string[] => keys.map((key) => (map.move(key), at()));
    expect(at()).toBe('a10');
    expect(press('Home', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowLeft')).toEqual(['a0', 'a10', 'b0', 'a10', 'a0']);
    // Right opens, then goes in; left goes out, then closes, then goes to the parent.
    expect(press('ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowUp', 'ArrowUp')).toEqual(['a0', 'in a0', 'in a1', 'in a0', 'a0']);
    expect(press('ArrowDown', 'ArrowLeft', 'ArrowLeft')).toEqual(['in a0', 'a0', 'a0']);
    expect(map.isOpen(map.focus.run)).toBe(false);
    expect(press('End', 'ArrowDown', 'ArrowLeft', 'ArrowLeft')).toEqual(['c0', 'c0', 'b0', 'a0']);
    map.toggle(map.focus.run);
    map.move('ArrowUp');
    expect(press('ArrowDown', 'Home')).toEqual(['in a0', 'a0']);
    map.choose();
    expect(view.columns.id[view.selectedRow]).toBe('a0');
  });

  it('goes into the next opened run from below by its last entry', async () => {
    const { map, view, run } = await open();
    map.toggle(run('a0'));
    map.setFocus({ run: run('a10'), row: -1 });
    map.move('ArrowUp');
    expect(view.columns.id[map.focus.row]).toBe('a9');
  });

  it('brackets what the last compaction of the shown branch kept', async () => {
    const { map, view } = await open((server) => {
      server.entries = entries.map((entry) => (entry.id === 'a50' ? { ...entry, type: 'compaction', role: '' } : entry));
      server.detail.compactions = [{ entryId: 'a50', row: 50, keptRow: 40, tokensBefore: 148_000, tokensAfter: 31_000 }];
    });
    const top = map.layout.y[map.runOf(40)]!;
    expect(map.bracket!.top).toBeGreaterThan(top + (map.layout.height[map.runOf(40)]! * 30) / 40);
    expect(map.bracket!.bottom).toBe(map.layout.y[map.runOf(50)]);
    view.showPathOf(view.rowOf('c0'));
    expect(map.bracket).toBeNull();
  });

  it('brackets what the selected compaction kept, else what the one in force kept', async () => {
    const { map, view } = await open((server) => {
      server.entries = entries.map((entry) =>
        ['a50', 'a80'].includes(entry.id) ? { ...entry, type: 'compaction', role: '' } : entry,
      );
      server.detail.compactions = [
        { entryId: 'a50', row: 50, keptRow: 40, tokensBefore: 148_000, tokensAfter: 31_000 },
        { entryId: 'a80', row: 80, keptRow: 70, tokensBefore: 150_000, tokensAfter: null },
      ];
    });
    expect(map.bracket!.bottom).toBe(map.layout.y[map.runOf(80)]);
    view.select(50);
    expect(map.bracket!.bottom).toBe(map.layout.y[map.runOf(50)]);
    view.select(60);
    expect(map.bracket!.bottom).toBe(map.layout.y[map.runOf(80)]);
  });

  it('says in words what is drawn', async () => {
    const { map, run } = await open((server) => {
      server.detail.labels = [{ entryId: 'c0', row: 110, label: 'spare', time: null }];
    });
    expect(nodeName(map, run('c0'))).toBe('Another way, label spare, 1 entry');
    expect(nodeName(map, run('a0'))).toBe('a0, 10 entries, on the shown branch, 2 branches leave here');
    expect(nodeName(map, run('a99'))).toContain('leaf of the shown branch');
  });
});

describe('the overview', () => {
  it('stays short for any tree', () => {
    const { tree, onPath } = treeOf(combRows(10_000, 9_999, 1));
    const mini = miniPaths(tree, layoutTree(tree, { onPath }), 48, 76);
    expect(mini.side.length).toBeLessThan(20_000);
    expect(mini.path).toMatch(/^M0 0V\d+$/);
  });
});

describe('fitText', () => {
  const advance = (character: string): number => ((character.codePointAt(0) ?? 0) > 255 && character !== '…' ? 12 : 6);

  it('cuts at the width and never within a character', () => {
    expect(fitText('redirect loop', 78, advance)).toBe('redirect loop');
    expect(fitText('redirect loop', 77, advance)).toBe('redirect lo…');
    expect(fitText('redirect loop', 60, advance)).toBe('redirect…');
    expect(fitText('修复登录页面', 60, advance)).toBe('修复登录…');
    expect(fitText('😀😀😀', 31, advance)).toBe('😀😀…');
    expect(fitText('redirect', 15, advance)).toBe('');
  });
});
