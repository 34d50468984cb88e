import type { TranscriptQuery } from '@stemma/api/schemas';
import type { NoticeItem } from '@stemma/core/pure';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { TranscriptStore, type StoreOptions } from '../src/lib/transcript/store.svelte.ts';

const notice = (entryId: string): NoticeItem => ({
  id: `${entryId}#0`,
  entryId,
  row: 0,
  time: null,
  kind: 'notice',
  notice: 'label',
  value: entryId,
  targetId: null,
});

/** A server with `count` entries `e0`, `e1`, …; odd ones have no item. `cut` is the most entries that fit in an answer. */
function fakeServer(count: number, cut = 1_000) {
  const ids = Array.from({ length: count }, (_, i) => `e${i}`);
  const asked: TranscriptQuery[] = [];
  const signals: AbortSignal[] = [];
  const load: StoreOptions['load'] = async (query, signal) => {
    asked.push(query);
    signals.push(signal);
    await Promise.resolve();
    const from = query.after === undefined ? ids.indexOf(query.around ?? '') : ids.indexOf(query.after) + 1;
    const covers = ids.slice(from, from + Math.min(cut, query.limit ?? 60));
    return { covers, items: covers.filter((id) => Number(id.slice(1)) % 2 === 0).map(notice) };
  };
  return { ids, asked, signals, load };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

afterEach(() => vi.useRealTimers());

describe('TranscriptStore', () => {
  it('loads what is shown and its neighbours, and knows entries without items', async () => {
    const server = fakeServer(1_000);
    const store = new TranscriptStore({ ...server, query: { leaf: 'e999' }, pageSize: 50, settleMs: 0 });
    store.want(500, 520);
    await settle();
    expect(store.at(500)).toEqual([notice('e500')]);
    expect(store.at(501)).toEqual([]);
    expect(store.at(450)).toBeDefined();
    expect(store.at(599)).toBeDefined();
    expect(store.at(600)).toBeUndefined();
    expect(server.asked.map((query) => query.after)).toEqual(['e499', 'e549', 'e449']);
    expect(server.asked[0]).toMatchObject({ leaf: 'e999', limit: 50 });
  });

  it('loads both ends of a path', async () => {
    const server = fakeServer(130);
    const store = new TranscriptStore({ ...server, query: {}, pageSize: 60, settleMs: 0 });
    store.want(0, 5);
    await settle();
    store.want(129, 130);
    await settle();
    expect([store.at(0), store.at(129)]).toEqual([[notice('e0')], []]);
    expect(store.at(130)).toBeUndefined();
    expect(server.asked.at(-1)).toMatchObject({ after: 'e119', limit: 10 });
  });

  it('asks for the rest when an answer was cut short', async () => {
    const server = fakeServer(60, 25);
    const store = new TranscriptStore({ ...server, query: {}, settleMs: 0 });
    store.want(0, 10);
    await settle();
    expect(server.asked.map((query) => query.after ?? query.around)).toEqual(['e0', 'e24', 'e49']);
    expect(store.at(59)).toBeDefined();
  });

  it('does not ask twice for what it has', async () => {
    const server = fakeServer(60);
    const store = new TranscriptStore({ ...server, query: {}, settleMs: 0 });
    store.want(0, 10);
    await settle();
    store.want(5, 30);
    await settle();
    expect(server.asked).toHaveLength(1);
  });

  it('keeps about as many entries as it may', async () => {
    const server = fakeServer(10_000);
    const store = new TranscriptStore({ ...server, query: {}, pageSize: 50, capacity: 500, settleMs: 0 });
    for (let at = 0; at < 10_000; at += 500) {
      store.want(at, at + 10);
      await settle();
    }
    const kept = server.ids.filter((_, index) => store.at(index) !== undefined).length;
    expect(kept).toBeGreaterThan(100);
    expect(kept).toBeLessThanOrEqual(500);
    expect(store.at(9_500)).toBeDefined();
    expect(store.at(0)).toBeUndefined();
  });

  it('aborts requests for places that were left', async () => {
    const server = fakeServer(10_000);
    const never: StoreOptions['load'] = (query, signal) => {
      if (query.after === undefined) return server.load(query, signal);
      server.signals.push(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    };
    const store = new TranscriptStore({ ...server, load: never, query: {}, settleMs: 0 });
    store.want(6_000, 6_010);
    const arrived = store.ready(6_000);
    store.want(0, 10);
    await arrived;
    await settle();
    expect(server.signals.slice(0, 2).map((signal) => signal.aborted)).toEqual([true, true]);
    expect(store.errorAt(6_000)).toBeNull();
    expect(store.at(0)).toBeDefined();
    store.close();
  });

  it('shows an error at its place and tries again when told to', async () => {
    const server = fakeServer(60);
    let broken = true;
    const load: StoreOptions['load'] = (query, signal) =>
      broken ? Promise.reject(new Error('down')) : server.load(query, signal);
    const store = new TranscriptStore({ ...server, load, query: {}, settleMs: 0 });
    store.want(0, 10);
    await store.ready(0);
    expect(store.errorAt(0)?.message).toBe('down');
    broken = false;
    store.retry();
    await store.ready(0);
    expect(store.errorAt(0)).toBeNull();
    expect(store.at(0)).toBeDefined();
  });

  it('ends with an error, not an endless loop, when an answer covers nothing that was asked for', async () => {
    const load: StoreOptions['load'] = () => Promise.resolve({ covers: ['other'], items: [] });
    const store = new TranscriptStore({ ids: ['a', 'b'], load, query: {}, settleMs: 0 });
    store.want(0, 2);
    await store.ready(0);
    expect(store.errorAt(0)).toBeInstanceOf(Error);
  });

  it('asks only for the place where scrolling ends', async () => {
    vi.useFakeTimers();
    const server = fakeServer(10_000);
    const store = new TranscriptStore({ ...server, query: {}, settleMs: 40 });
    for (let at = 0; at < 9_000; at += 600) store.want(at, at + 10);
    await vi.advanceTimersByTimeAsync(100);
    expect(server.asked.every((query) => Number(query.after?.slice(1)) > 8_000)).toBe(true);
  });
});
