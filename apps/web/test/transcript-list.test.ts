import type { TranscriptQuery } from '@stemma/api/schemas';
import type { TranscriptItem } from '@stemma/core/pure';
import { describe, expect, it } from 'vitest';

import type { OutlineColumns } from '../src/lib/session/columns.ts';
import { groupPath } from '../src/lib/transcript/groups.ts';
import { EARLIER, LATER, ListState, type Handle } from '../src/lib/transcript/list.svelte.ts';
import { TranscriptStore } from '../src/lib/transcript/store.svelte.ts';

const ROW_PX = 50;

/** A list over a chain of `count` user entries; entries whose number `isEmpty` accepts give no item. */
function makeList(count: number, group: number, isEmpty: (index: number) => boolean = () => false) {
  const rows = Array.from({ length: count }, (_, i) => i);
  const ids = rows.map((row) => `e${row}`);
  const columns = {
    count,
    type: rows.map(() => 'message'),
    role: rows.map(() => 'user'),
    flags: rows.map(() => 0),
  } as unknown as OutlineColumns;
  const load = async (query: TranscriptQuery) => {
    const from = query.after === undefined ? 0 : Number(query.after.slice(1)) + 1;
    const covers = ids.slice(from, from + (query.limit ?? 60));
    const items = covers
      .filter((id) => !isEmpty(Number(id.slice(1))))
      .map((entryId) => ({ id: entryId, entryId }) as TranscriptItem);
    return { covers, items };
  };
  const store = new TranscriptStore({ ids, load, query: {}, settleMs: 0 });
  return new ListState(groupPath(columns, rows), store, group);
}

/** A virtual list whose elements are all equally high. */
class FakeHandle implements Handle {
  scrolled: { index: number; align: string | undefined }[] = [];
  offset = 0;
  findItemIndex = (offset: number): number => Math.floor(offset / ROW_PX);
  getScrollOffset = (): number => this.offset;
  getViewportSize = (): number => 500;
  getItemOffset = (index: number): number => index * ROW_PX;
  scrollToIndex = (index: number, options?: { align?: string }): void => {
    this.scrolled.push({ index, align: options?.align });
    this.offset = index * ROW_PX;
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

describe('ListState', () => {
  it('begins at the end, or at the entry that it is given', async () => {
    const end = makeList(100, -1);
    const handle = new FakeHandle();
    end.attach(handle);
    await settle();
    expect(handle.scrolled.at(-1)).toEqual({ index: 99, align: 'end' });

    const middle = makeList(100, 40);
    const other = new FakeHandle();
    middle.attach(other);
    await settle();
    expect(other.scrolled.at(-1)).toEqual({ index: 40, align: 'start' });
    expect(middle.shown).toEqual({ first: 40, last: 50 });
  });

  it('loads the items before it moves there', async () => {
    const list = makeList(1_000, 0);
    const handle = new FakeHandle();
    list.attach(handle);
    await settle();
    await list.reveal(700, 'start');
    expect(list.store.at(700)).toBeDefined();
    expect(handle.scrolled.at(-1)?.index).toBe(700);
  });

  it('shows a long path through a window with ways out, and moves it for a jump', async () => {
    const list = makeList(60_000, -1);
    expect(list.window).toEqual({ start: 40_000, end: 60_000 });
    expect(list.elements).toHaveLength(20_001);
    expect(list.elements[0]).toBe(EARLIER);
    const handle = new FakeHandle();
    list.attach(handle);
    await list.reveal(1_000, 'start');
    expect(list.window).toEqual({ start: 0, end: 20_000 });
    expect(list.elements.at(-1)).toBe(LATER);
    list.attach(handle);
    await settle();
    expect(handle.scrolled.at(-1)).toEqual({ index: 1_000, align: 'start' });
    expect(list.store.at(1_000)).toBeDefined();
  });

  it('counts the way out when it scrolls to a group', async () => {
    const list = makeList(60_000, 30_000);
    const handle = new FakeHandle();
    list.attach(handle);
    await settle();
    expect(list.elements[handle.scrolled.at(-1)!.index]).toBe(30_000);
  });

  it('walks past entries that show nothing', async () => {
    const list = makeList(60, 0, (index) => index > 3 && index < 8);
    list.attach(new FakeHandle());
    await settle();
    expect(list.neighbour(3, 1)).toBe(8);
    expect(list.neighbour(8, -1)).toBe(3);
    expect(list.neighbour(59, 1)).toBe(-1);
    expect([list.isEmpty(4), list.isEmpty(3)]).toEqual([true, false]);
  });

  it('does not move once the reader has taken over', async () => {
    const list = makeList(1_000, 0);
    const handle = new FakeHandle();
    list.attach(handle);
    await settle();
    const before = handle.scrolled.length;
    const wish = list.reveal(700, 'start');
    list.release();
    await wish;
    expect(handle.scrolled).toHaveLength(before);
  });
});

describe('a list after another', () => {
  it('begins where the one before stood, unless that was the end', async () => {
    const before = makeList(200, 50);
    before.attach(new FakeHandle());
    await settle();
    expect(before.placeRow).toBe(50);
    const atEnd = makeList(200, -1);
    const handle = new FakeHandle();
    atEnd.attach(handle);
    await settle();
    expect(atEnd.placeRow).toBe(-1);
  });
});
