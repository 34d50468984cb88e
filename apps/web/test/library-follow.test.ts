import type { Health } from '@stemma/api/schemas';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Api } from '../src/lib/api/client.ts';
import { ApiError } from '../src/lib/api/errors.ts';
import { parseFilter } from '../src/lib/library/filter.ts';
import { Library } from '../src/lib/library/library.svelte.ts';
import { summaryRow } from './library-rows.ts';

const filter = parseFilter(new URLSearchParams());
const health = (done: number, total = 3): Health => ({
  ok: true,
  version: '1',
  demo: false,
  sessions: total,
  problems: 0,
  indexing: { done, total, bytesDone: done, bytesTotal: total, rate: null, running: done < total },
});

let done: number;
let broken: boolean;
let looks: number;
const source: Pick<Api, 'health' | 'roots' | 'projects' | 'sessions'> = {
  health: () => {
    looks++;
    return broken ? Promise.reject(new ApiError('unreachable', '', 0)) : Promise.resolve(health(done));
  },
  roots: () => Promise.resolve({ items: [], looked: [] }),
  projects: () => Promise.resolve({ items: [] }),
  sessions: () => {
    if (broken) return Promise.reject(new ApiError('unreachable', '', 0));
    const items = [0, 1, 2].map((index) => summaryRow({ key: `k${index}`, entryCount: index < done ? 5 : null }));
    return Promise.resolve({ items, total: 3, nextCursor: null });
  },
};
const counted = (library: Library): number => library.list.rows.filter((row) => row.entryCount !== null).length;

let library: Library;
let end: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  done = 1;
  broken = false;
  looks = 0;
  library = new Library(source);
  end = library.start();
  library.open(filter, '');
  await vi.advanceTimersByTimeAsync(0);
});

afterEach(() => {
  end();
  vi.useRealTimers();
});

describe('while the server counts', () => {
  it('the figures fill in, and after the last one it is asked no more', async () => {
    expect(counted(library)).toBe(1);
    done = 2;
    await vi.advanceTimersByTimeAsync(1500);
    expect(counted(library)).toBe(2);
    done = 3;
    await vi.advanceTimersByTimeAsync(1500);
    expect(counted(library)).toBe(3);
    const before = looks;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(looks).toBe(before);
  });

  it('it is not asked any more once the page is left', async () => {
    end();
    const before = looks;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(looks).toBe(before);
  });
});

describe('a server that goes away', () => {
  it('is said, keeps the rows, and is found again', async () => {
    broken = true;
    await vi.advanceTimersByTimeAsync(1500);
    expect(library.unreachable).toBe(true);
    expect(library.list.rows.length).toBe(3);
    broken = false;
    await vi.advanceTimersByTimeAsync(1500);
    expect(library.unreachable).toBe(false);
  });

  it('was away at the start: the list comes by itself', async () => {
    end();
    broken = true;
    library = new Library(source);
    end = library.start();
    library.open(filter, '');
    await vi.advanceTimersByTimeAsync(0);
    expect(library.list.phase).toBe('failed');
    broken = false;
    await vi.advanceTimersByTimeAsync(1500);
    expect(library.list.phase).toBe('ready');
  });
});

describe('coming back', () => {
  it('to the same address keeps place and rows; another address starts anew', async () => {
    library.row = 2;
    library.offset = 112;
    library.open(filter, '');
    expect(library).toMatchObject({ row: 2, offset: 112 });
    expect(library.list.phase).toBe('ready');
    library.open({ ...filter, sort: 'cost' }, 'sort=cost');
    expect(library).toMatchObject({ row: 0, offset: 0, query: 'sort=cost' });
    await vi.advanceTimersByTimeAsync(0);
    expect(library.list.phase).toBe('ready');
  });

  it('to the tab reads the visible rows anew', async () => {
    done = 3;
    await vi.advanceTimersByTimeAsync(1500);
    done = 2;
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(0);
    expect(counted(library)).toBe(2);
  });
});
