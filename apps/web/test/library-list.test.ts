import type { SessionsPage, SummaryRow } from '@stemma/api/schemas';
import { beforeEach, describe, expect, it } from 'vitest';

import type { Api } from '../src/lib/api/client.ts';
import { ApiError } from '../src/lib/api/errors.ts';
import { parseFilter } from '../src/lib/library/filter.ts';
import { SessionList } from '../src/lib/library/session-list.svelte.ts';
import { summaryRow } from './library-rows.ts';

const filter = parseFilter(new URLSearchParams());

/** A server over `rows`, newest first as they stand; a cursor is the key after which a page begins. */
class Server {
  rows: SummaryRow[] = [];
  asked: { cursor: string | undefined; q: string | undefined }[] = [];
  failing = false;
  /** Resolves requests by hand when set. */
  gate: Promise<void> | null = null;

  readonly sessions: Api['sessions'] = async (query = {}, signal): Promise<SessionsPage> => {
    const { cursor, limit = 50, q } = query;
    this.asked.push({ cursor, q });
    await this.gate;
    signal?.throwIfAborted();
    if (this.failing) throw new ApiError('storage_io', 'broken', 500);
    const matching = this.rows.filter((row) => q === undefined || row.title === q);
    const start = cursor === undefined ? 0 : matching.findIndex((row) => row.key === cursor) + 1;
    const items = matching.slice(start, start + limit);
    const last = items.at(-1);
    const nextCursor = start + limit < matching.length && last !== undefined ? last.key : null;
    return { items, total: matching.length, nextCursor };
  };
}

const make = (count: number): SummaryRow[] => Array.from({ length: count }, (_, index) => summaryRow({ key: `k${index}` }));
const keys = (list: SessionList): string[] => list.rows.map((row) => row.key);

let server: Server;
let list: SessionList;

beforeEach(() => {
  server = new Server();
  server.rows = make(1650);
  list = new SessionList(server);
});

describe('a list of sessions', () => {
  it('knows the total after its first page', async () => {
    expect(list.phase).toBe('loading');
    await list.show(filter);
    expect(list.phase).toBe('ready');
    expect(list.total).toBe(1650);
    expect(list.rows.length).toBe(100);
  });

  it('reads on up to the row that is wanted, and no further', async () => {
    await list.show(filter);
    await list.ensure(650);
    expect(list.rows.length).toBe(1100);
    await list.ensure(1000);
    expect(server.asked.length).toBe(3);
  });

  it('reads to the end, every row once and in order', async () => {
    await list.show(filter);
    await list.ensure(9999);
    expect(keys(list)).toEqual(server.rows.map((row) => row.key));
    await list.ensure(9999);
    expect(server.asked.length).toBe(5);
  });

  it('asks each page once when several places want it at the same time', async () => {
    await list.show(filter);
    await Promise.all([list.ensure(150), list.ensure(160), list.ensure(700)]);
    expect(server.asked.length).toBe(3);
    expect(list.rows.length).toBe(1100);
  });

  it('is empty and ready when nothing matches', async () => {
    await list.show({ ...filter, q: 'no such' });
    expect(list).toMatchObject({ phase: 'ready', total: 0, rows: [] });
  });
});

describe('another filter', () => {
  it('replaces the rows, and what was still being asked comes to nothing', async () => {
    server.rows = [...make(10), summaryRow({ key: 'other', title: 'x' })];
    let open = (): void => undefined;
    server.gate = new Promise((resolve) => (open = resolve));
    const first = list.show(filter);
    server.gate = null;
    await list.show({ ...filter, q: 'x' });
    open();
    await first;
    expect(keys(list)).toEqual(['other']);
    expect(list.total).toBe(1);
  });

  it('keeps the old rows until the new ones are there', async () => {
    await list.show(filter);
    const pending = list.show({ ...filter, q: 'x' });
    expect(list.phase).toBe('loading');
    expect(list.rows.length).toBe(100);
    await pending;
    expect(list.rows.length).toBe(0);
  });
});

describe('refreshing', () => {
  beforeEach(async () => {
    await list.show(filter);
    await list.ensure(1200);
    server.asked = [];
  });

  it('brings new figures of the visible page only, and keeps the rest', async () => {
    server.rows = server.rows.map((row) => ({ ...row, entryCount: 7 }));
    await list.refresh(200, 210);
    expect(server.asked.length).toBe(1);
    expect(list.rows[200]?.entryCount).toBe(7);
    expect(list.rows[0]?.entryCount).toBeNull();
    expect(list.rows.length).toBe(1600);
  });

  it('reads over a page’s edge', async () => {
    await list.refresh(90, 110);
    expect(server.asked.length).toBe(2);
    expect(list.rows.length).toBe(1600);
  });

  it('neither repeats nor loses a row when a session comes in at the top', async () => {
    server.rows = [summaryRow({ key: 'new' }), ...server.rows];
    await list.refresh(0, 20);
    expect(keys(list)).toEqual(server.rows.slice(0, list.rows.length).map((row) => row.key));
    expect(list.total).toBe(1651);
    await list.ensure(9999);
    expect(keys(list)).toEqual(server.rows.map((row) => row.key));
  });

  it('follows a list that has become short', async () => {
    server.rows = server.rows.slice(0, 30);
    await list.refresh(1100, 1120);
    await list.refresh(0, 29);
    expect(list.total).toBe(30);
    expect(list.rows.length).toBe(30);
  });
});

describe('failing', () => {
  it('at the first page says so, and trying again goes on', async () => {
    server.failing = true;
    await list.show(filter);
    expect(list.phase).toBe('failed');
    expect(list.error).toMatchObject({ code: 'storage_io' });
    server.failing = false;
    await list.retry();
    expect(list).toMatchObject({ phase: 'ready', error: null });
  });

  it('at a later page keeps what is there', async () => {
    await list.show(filter);
    server.failing = true;
    await list.ensure(1000);
    expect(list.phase).toBe('ready');
    expect(list.rows.length).toBe(100);
    expect(list.error).not.toBeNull();
    server.failing = false;
    await list.retry();
    expect(list.rows.length).toBeGreaterThan(1000);
    expect(list.error).toBeNull();
  });
});
