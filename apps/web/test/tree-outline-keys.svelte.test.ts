import { beforeEach, describe, expect, it } from 'vitest';

import { SessionView } from '../src/lib/session/session-view.svelte.ts';
import { outlineKey } from '../src/lib/tree/outline-keys.ts';
import { OutlineState } from '../src/lib/tree/outline-state.svelte.ts';
import { chain, FakeAddress, FakeServer, type FakeEntry } from './session-fakes.svelte.ts';

/** a0 … a5; b0 … b2 on a1; c0, c1 on b0. In the list: a0 … a5, b0, b1, b2, c0, c1. */
const entries: FakeEntry[] = [
  ...chain(6).map((entry) => ({ ...entry, role: 'user' })),
  { id: 'b0', parent: 'a1', role: 'user' },
  { id: 'b1', parent: 'b0', role: 'user' },
  { id: 'b2', parent: 'b1', role: 'user' },
  { id: 'c0', parent: 'b0', role: 'user' },
  { id: 'c1', parent: 'c0', role: 'user', type: 'label' },
];

async function open() {
  const server = new FakeServer(entries);
  server.leafId = 'a5';
  const view = new SessionView('k', { source: server, address: new FakeAddress() });
  await view.load();
  const outline = new OutlineState(view);
  const key = (name: string): boolean => outlineKey({ key: name, ctrlKey: false, metaKey: false, altKey: false }, outline);
  const at = (): string => view.columns.id[outline.rows[outline.activePlace]!] ?? '?';
  const press = (...names: string[]): string[] => names.map((name) => (key(name), at()));
  const listed = (): string => outline.rows.map((row) => view.columns.id[row]).join(' ');
  return { view, outline, key, press, listed };
}

describe('the keys of the outline', () => {
  beforeEach(() => localStorage.clear());

  it('walk, and stop at the ends', async () => {
    const { press } = await open();
    expect(press('Home', 'ArrowUp', 'ArrowDown', 'End', 'ArrowDown')).toEqual(['a0', 'a0', 'a1', 'c0', 'c0']);
  });

  it('go from branch to branch, and fold and unfold where one begins', async () => {
    const { press, listed, outline } = await open();
    expect(press('ArrowLeft')).toEqual(['a2']);
    expect(press('ArrowRight', 'ArrowRight')).toEqual(['b0', 'b1']);
    // Left folds what is open, then goes to the branch before it.
    expect(press('ArrowLeft')).toEqual(['b1']);
    expect(listed()).toBe('a0 a1 a2 a3 a4 a5 b0 b1 c0');
    expect(press('ArrowLeft', 'ArrowLeft')).toEqual(['b0', 'b0']);
    expect(outline.foldAt(outline.activePlace)).toBe(true);
    expect(listed()).toBe('a0 a1 a2 a3 a4 a5 b0');
    expect(press('ArrowLeft', 'End')).toEqual(['a2', 'b0']);
    // The fold inside is still there.
    press('ArrowRight');
    expect(listed()).toBe('a0 a1 a2 a3 a4 a5 b0 b1 c0');
  });

  it('stand at the fold that hides the entry', async () => {
    const { outline, view, press } = await open();
    view.select(view.rowOf('b2'));
    expect(press('Home')).toEqual(['a0']);
    outline.toggleFold(outline.placeOf(view.rowOf('b0')));
    expect(outline.rows[outline.selectedPlace]).toBe(view.rowOf('b0'));
  });

  it.each([
    ['t', 'noTools'],
    ['u', 'prompts'],
    ['l', 'labelled'],
    ['a', 'all'],
  ])('%s chooses %s, and again the default', async (name, filter) => {
    const { outline, key } = await open();
    expect(key(name)).toBe(true);
    expect(outline.filter).toBe(filter);
    key(name);
    expect(outline.filter).toBe('default');
  });

  it('go round the filters with o and O', async () => {
    const { outline, key } = await open();
    key('O');
    expect(outline.filter).toBe('all');
    key('o');
    key('o');
    expect(outline.filter).toBe('noTools');
    expect(key('x')).toBe(false);
    key('d');
    expect(outline.filter).toBe('default');
  });

  it('open what is folded when the filter or the search changes', async () => {
    const { outline, key, listed } = await open();
    outline.toggleFold(0);
    expect(listed()).toBe('a0');
    key('u');
    expect(listed()).toContain('c0');
    outline.toggleFold(0);
    outline.query = 'b';
    expect(listed()).toBe('b0 b1 b2');
    outline.query = '';
    expect(listed()).toContain('c0');
    key('d');
  });

  it('leave keys with modifiers to the browser', async () => {
    const { outline } = await open();
    expect(outlineKey({ key: 't', ctrlKey: true, metaKey: false, altKey: false }, outline)).toBe(false);
  });

  it('choose the entry and its branch with Enter', async () => {
    const { view, press } = await open();
    press('End', 'Enter');
    expect(view.columns.id[view.selectedRow]).toBe('c0');
    expect(view.columns.id[view.leafRow]).toBe('c1');
  });
});
