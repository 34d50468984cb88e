import type { CompactionReport, Compactions } from '@stemma/api/schemas';
import { describe, expect, it } from 'vitest';

import { ApiError } from '../src/lib/api/errors.ts';
import { CompactionList } from '../src/lib/transcript/compaction-list.svelte.ts';
import { PictureState } from '../src/lib/transcript/parts/picture.svelte.ts';

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const report = (row: number): CompactionReport => ({ entryId: `c${row}`, row }) as CompactionReport;

/** A server with five compactions, two a page; fails while `down` is set. */
function fakeServer() {
  const server = { down: false, asked: [] as (string | undefined)[], signals: [] as AbortSignal[] };
  const load = async (cursor: string | undefined, signal: AbortSignal): Promise<Compactions> => {
    server.asked.push(cursor);
    server.signals.push(signal);
    await Promise.resolve();
    if (server.down) throw new ApiError('unreachable', 'down', 0);
    const from = Number(cursor ?? 0);
    const items = [0, 1, 2, 3, 4].slice(from, from + 2).map(report);
    return { items, total: 5, nextCursor: from + 2 < 5 ? String(from + 2) : null };
  };
  return { server, load };
}

describe('CompactionList', () => {
  it('goes on page by page until all are there', async () => {
    const { server, load } = fakeServer();
    const list = new CompactionList(load);
    await settle();
    expect(list.items?.map((item) => item.row)).toEqual([0, 1]);
    expect([list.total, list.hasMore]).toEqual([5, true]);
    await list.more();
    await list.more();
    expect(list.items?.map((item) => item.row)).toEqual([0, 1, 2, 3, 4]);
    expect(list.hasMore).toBe(false);
    expect(server.asked).toEqual([undefined, '2', '4']);
  });

  it('asks once for two presses at a time, and again after an error', async () => {
    const { server, load } = fakeServer();
    const list = new CompactionList(load);
    await settle();
    server.down = true;
    await Promise.all([list.more(), list.more()]);
    expect(list.error).toBeInstanceOf(ApiError);
    expect(list.items).toHaveLength(2);
    server.down = false;
    await list.more();
    expect(list.error).toBeNull();
    expect(list.items).toHaveLength(4);
    expect(server.asked).toEqual([undefined, '2', '2']);
  });

  it('forgets an answer that comes after it was closed', async () => {
    const { server, load } = fakeServer();
    const list = new CompactionList(load);
    list.close();
    await settle();
    expect(server.signals[0]?.aborted).toBe(true);
    expect([list.items, list.error]).toEqual([null, null]);
  });
});

describe('PictureState', () => {
  it.each([
    ['blob_missing', 'missing'],
    ['blob_corrupt', 'corrupt'],
    ['unreachable', 'failed'],
  ])('%s is said as %s', async (code, words) => {
    let seen = (_: { isIntersecting: boolean }[]): void => undefined;
    const Observer = class {
      constructor(callback: typeof seen) {
        seen = callback;
      }
      observe(): void {}
      disconnect(): void {}
    };
    const before = globalThis.IntersectionObserver;
    globalThis.IntersectionObserver = Observer as unknown as typeof IntersectionObserver;
    const picture = new PictureState({ image: () => Promise.reject(new ApiError(code, 'no', 404)) }, 'k', 'e', 0);
    picture.watch(document.createElement('figure'));
    seen([{ isIntersecting: true }]);
    await settle();
    globalThis.IntersectionObserver = before;
    expect([picture.url, picture.missing]).toEqual([null, words]);
  });
});
