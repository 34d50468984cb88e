import type { TranscriptQuery } from '@stemma/api/schemas';
import type { TranscriptItem } from '@stemma/core/pure';
import { describe, expect, it } from 'vitest';

import type { ListState } from '../src/lib/transcript/list.svelte.ts';
import { nextList } from '../src/lib/transcript/make-list.ts';
import type { TranscriptState } from '../src/lib/transcript/state.svelte.ts';
import { chainRows, columnsOf } from './tree-builders.ts';

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));

/** A server for a chain of entries `e0`, `e1`, …; those in `calls` are tool calls, answered once `answered` is set. */
function fakeServer(calls: readonly string[] = []) {
  const server = { count: 0, answered: false, asked: [] as TranscriptQuery[] };
  const transcript = async (_key: string, query: TranscriptQuery) => {
    server.asked.push(query);
    const from = query.after === undefined ? 0 : Number(query.after.slice(1)) + 1;
    const covers = Array.from({ length: server.count }, (_, i) => `e${i}`).slice(from, from + (query.limit ?? 60));
    const items = covers.map((entryId) =>
      calls.includes(entryId)
        ? { id: `${entryId}#0`, entryId, kind: 'toolCall', result: server.answered ? { text: 'done' } : null }
        : { id: `${entryId}#0`, entryId, kind: 'user' },
    ) as unknown as TranscriptItem[];
    return { covers, items };
  };
  return { server, transcript: { key: 'k', api: { transcript } } as unknown as TranscriptState };
}

function listOf(given: ReturnType<typeof fakeServer>, count: number, previous?: ListState, change: string[] = []): ListState {
  given.server.count = count;
  const columns = columnsOf(chainRows(count));
  const named = { ...columns, id: columns.id.map((id, row) => change[row] ?? id) };
  const rows = Array.from({ length: count }, (_, row) => row);
  return nextList(given.transcript, named, rows, { leaf: `e${count - 1}` }, -1, previous ?? null);
}

/** A virtual list of elements of 50 px, 10 of them on the screen. */
function handleAt(list: ListState, offset: number) {
  const scrolled: number[] = [];
  list.attach({
    findItemIndex: (px) => Math.floor(px / 50),
    getScrollOffset: () => offset,
    getViewportSize: () => 500,
    getItemOffset: (index) => index * 50,
    getScrollSize: () => list.elements.length * 50,
    scrollToIndex: (index) => void scrolled.push(index),
  });
  return scrolled;
}

describe('a transcript whose path grows', () => {
  it('says how many entries came below a reader who stands further up, until they are reached', () => {
    const given = fakeServer();
    const list = listOf(given, 70);
    handleAt(list, 100);
    listOf(given, 73, list);
    listOf(given, 75, list);
    expect(list.fresh).toBe(5);
    handleAt(list, 75 * 50 - 500);
    list.moved();
    expect(list.fresh).toBe(0);
    listOf(given, 80, list);
    expect(list.fresh).toBe(0);
  });

  it('is the same list with more at its end, and asks for the new entries only', async () => {
    const given = fakeServer();
    const list = listOf(given, 70);
    list.store.want(0, 70, true);
    await settle();
    given.server.asked = [];
    const { mounting } = list;
    expect(listOf(given, 75, list)).toBe(list);
    expect([list.groups.count, list.elements.length, list.mounting]).toEqual([75, 75, mounting]);
    list.store.want(65, 75, true);
    await settle();
    expect(given.server.asked).toEqual([{ leaf: 'e74', after: 'e69', limit: 5 }]);
    expect(list.store.at(74)).toHaveLength(1);
    expect(list.store.at(3)).toHaveLength(1);
  });

  it('asks again for calls that had no result, and shows them meanwhile', async () => {
    const given = fakeServer(['e8']);
    const list = listOf(given, 9);
    list.store.want(0, 9, true);
    await settle();
    given.server.answered = true;
    listOf(given, 10, list);
    expect(list.store.at(8)).toMatchObject([{ result: null }]);
    list.store.want(0, 10, true);
    await settle();
    expect(list.store.at(8)).toMatchObject([{ result: { text: 'done' } }]);
  });

  it('keeps the place of a reader in the middle, and takes one at the end along', async () => {
    const given = fakeServer();
    const list = listOf(given, 100);
    const scrolled = handleAt(list, 2_000);
    await settle();
    scrolled.length = 0;
    listOf(given, 103, list);
    await settle();
    expect(scrolled).toEqual([]);
    const atEnd = handleAt(list, 103 * 50 - 500);
    await settle();
    atEnd.length = 0;
    listOf(given, 106, list);
    await settle();
    expect(atEnd.at(-1)).toBe(105);
  });

  it('is another list when the path does not begin with the old one', () => {
    const given = fakeServer();
    const list = listOf(given, 10);
    expect(listOf(given, 10, list)).toBe(list);
    expect(listOf(given, 9, list)).not.toBe(list);
    expect(listOf(given, 12, list, ['x0'])).not.toBe(list);
  });
});
