import { describe, expect, it } from 'vitest';

import { decodeLens } from '../src/lib/session/lens.svelte.ts';
import { SessionView } from '../src/lib/session/session-view.svelte.ts';
import type { SessionAddress } from '../src/lib/session/source.ts';
import { chain, FakeAddress, FakeServer, type FakeEntry } from './session-fakes.svelte.ts';

/** a0 … a5, and b0, b1 hanging on a1: b1 is newer than the session's own leaf a5 only by its row. */
const forked: FakeEntry[] = [
  ...chain(6),
  { id: 'b0', parent: 'a1', role: 'user' },
  { id: 'b1', parent: 'b0', role: 'assistant' },
];

async function open(
  entries: FakeEntry[],
  at: Partial<SessionAddress> = {},
  change: (server: FakeServer) => void = () => undefined,
) {
  const server = new FakeServer(entries);
  server.leafId = 'a5';
  change(server);
  const address = new FakeAddress(at);
  const waits: number[] = [];
  const wait = async (ms: number): Promise<void> => void waits.push(ms);
  const view = new SessionView('k', { source: server, address, wait });
  await view.load();
  return { view, server, address, waits };
}

const ids = (view: SessionView, rows: readonly number[]): string[] => rows.map((row) => view.columns.id[row] ?? '?');

describe('the outline', () => {
  it('is there with its last row, whatever else is still on its way', async () => {
    const server = new FakeServer(forked);
    const never = (): Promise<never> => new Promise(() => undefined);
    const source = { ...server, session: never, context: never, outline: server.outline };
    const view = new SessionView('k', { source, address: new FakeAddress(), wait: async () => undefined });
    void view.load();
    await expect.poll(() => view.outline?.count).toBe(forked.length);
    expect([view.progress, view.detail, view.error]).toEqual([null, null, null]);
  });
});

describe('the shown branch', () => {
  it('is the session’s own without an address', async () => {
    const { view } = await open(forked);
    expect(ids(view, view.pathRows)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5']);
    expect(view.selectedRow).toBe(-1);
    expect([...view.onPath]).toEqual([1, 1, 1, 1, 1, 1, 0, 0]);
  });

  it('is restored from a deep link with leaf, entry and tab', async () => {
    const { view } = await open(forked, { leaf: 'b1', entry: 'b0', tab: 'sees' });
    expect(ids(view, view.pathRows)).toEqual(['a0', 'a1', 'b0', 'b1']);
    expect(ids(view, [view.selectedRow])).toEqual(['b0']);
    expect(view.address.tab).toBe('sees');
    expect(view.notices).toEqual([]);
  });

  it('holds the entry of a deep link that names no leaf', async () => {
    const { view } = await open(forked, { entry: 'b0' });
    expect(ids(view, [view.leafRow])).toEqual(['b1']);
  });

  it('falls back with a notice when the address names what is not there', async () => {
    const { view } = await open(forked, { leaf: 'gone', entry: 'lost' });
    expect(ids(view, [view.leafRow])).toEqual(['a5']);
    expect(view.selectedRow).toBe(-1);
    expect(view.error).toBeNull();
    expect(view.notices).toEqual([
      { what: 'leaf', id: 'gone' },
      { what: 'entry', id: 'lost' },
    ]);
  });

  it('changes with showPathOf, as a new address to come back from', async () => {
    const { view, address } = await open(forked, { tab: 'facts' });
    view.showPathOf(6);
    expect(address.now).toEqual({ leaf: 'b1', entry: 'b0', tab: 'facts', view: null });
    expect(ids(view, view.pathRows)).toEqual(['a0', 'a1', 'b0', 'b1']);
    view.showPathOf(1);
    expect(address.now).toEqual({ leaf: 'b1', entry: 'a1', tab: 'facts', view: null });
    expect(address.written).toEqual(['push', 'replace']);
  });
});

describe('the view of the transcript', () => {
  it('is a step in the history and stays with what is selected', async () => {
    const { view, address } = await open(forked, { tab: 'facts' });
    view.setTranscriptView('model');
    view.setTranscriptView('model');
    view.showPathOf(1);
    expect(address.now).toEqual({ leaf: null, entry: 'a1', tab: 'facts', view: 'model' });
    expect(address.written).toEqual(['push', 'replace']);
    view.setTranscriptView(null);
    expect(address.now.view).toBeNull();
  });
});

describe('the selection', () => {
  it('stays on the shown branch when an entry off it is selected', async () => {
    const { view, address } = await open(forked);
    view.select(6);
    expect(address.now).toEqual({ leaf: 'a5', entry: 'b0', tab: null, view: null });
    expect(ids(view, [view.leafRow, view.selectedRow])).toEqual(['a5', 'b0']);
  });

  it('asks the transcript to scroll, again for the same row, and not when told so', async () => {
    const { view } = await open(forked);
    view.select(2);
    const first = view.reveal;
    view.select(2);
    expect(view.reveal).not.toBe(first);
    expect(view.reveal.row).toBe(2);
    const second = view.reveal;
    view.select(3, { scroll: false });
    expect(view.reveal).toBe(second);
    expect(view.selectedRow).toBe(3);
  });

  it('walks from prompt to prompt and stops at the ends', async () => {
    const { view } = await open(forked);
    const seen = [];
    for (const step of ['prev', 'prev', 'prev', 'prev', 'next', 'next', 'next'] as const) {
      if (step === 'prev') view.prevPrompt();
      else view.nextPrompt();
      seen.push(ids(view, [view.selectedRow])[0]);
    }
    expect(seen).toEqual(['a4', 'a2', 'a0', 'a0', 'a2', 'a4', 'a4']);
  });
});

describe('loading', () => {
  it('asks for the rest while the server still reads, and shows how far it is', async () => {
    const progress: (number | undefined)[] = [];
    const server = new FakeServer(chain(10));
    server.known = [0, 4, 4];
    server.pageSize = 3;
    const wait = async (): Promise<void> => void progress.push(view.progress?.bytes);
    const view = new SessionView('k', { source: server, address: new FakeAddress(), wait });
    const loading = view.load();
    expect(view.outline).toBeNull();
    await loading;
    expect(server.asked.map((query) => query.from)).toEqual([0, 0, 3, 4, 7]);
    expect(progress).toEqual([0]);
    expect(view.progress).toBeNull();
    expect(view.columns.count).toBe(10);
    expect([...view.columns.parent]).toEqual([-1, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('asks only for new rows on the next load, and keeps the columns when there are none', async () => {
    const { view, server } = await open(forked);
    const before = view.columns;
    await view.load();
    expect(view.columns).toBe(before);
    server.entries = [...forked, { id: 'a6', parent: 'a5' }];
    server.asked = [];
    await view.load();
    expect(server.asked).toEqual([{ from: 8, epoch: 'e1' }]);
    expect(view.columns.count).toBe(9);
    expect(view.rowOf('a6')).toBe(8);
  });

  it('begins again when the epoch has changed', async () => {
    const { view, server } = await open(forked);
    server.epoch = 'e2';
    server.entries = chain(3, 'n');
    server.leafId = 'n2';
    await view.load();
    expect(view.epoch).toBe('e2');
    expect(view.columns.id).toEqual(['n0', 'n1', 'n2']);
    expect(ids(view, view.pathRows)).toEqual(['n0', 'n1', 'n2']);
  });

  it('can be stopped and taken up again', async () => {
    const server = new FakeServer(chain(4));
    server.known = [0];
    const wait = async (_: number, signal: AbortSignal): Promise<void> => {
      view.stop();
      signal.throwIfAborted();
    };
    const view = new SessionView('k', { source: server, address: new FakeAddress(), wait });
    await view.load();
    expect(view.stopped).toBe(true);
    expect(view.error).toBeNull();
    expect(view.outline).toBeNull();
    await view.load();
    expect(view.stopped).toBe(false);
    expect(view.columns.count).toBe(4);
  });

  it('keeps a failure as state', async () => {
    const failure = new Error('no');
    const { view } = await open(forked, {}, (server) => (server.failOutline = failure));
    expect(view.error).toBe(failure);
    expect(view.progress).toBeNull();
  });
});

describe('the lens', () => {
  it('has room for a key a compaction', () => {
    const lensKeys = Array.from({ length: 600 }, (_, at) => ({ status: 'folded' as const, compactionId: `c${at}` }));
    const lens = decodeLens({ lens: lensKeys.map((_, at) => [at, 1, at]), lensKeys }, 600);
    expect(lens.keys[lens.status[599] ?? -1]?.compactionId).toBe('c599');
  });

  const flush = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

  it('is fetched when first read, once a leaf', async () => {
    const { view, server } = await open(forked, {}, (fake) => {
      fake.lens = {
        lens: [
          [0, 2, 1],
          [2, 4, 0],
        ],
        lensKeys: [{ status: 'sent' }, { status: 'folded', compactionId: 'c' }],
      };
    });
    expect(server.contextsAsked).toEqual([]);
    expect(view.lens).toBeNull();
    expect(view.lens).toBeNull();
    await flush();
    expect(server.contextsAsked).toEqual(['a5']);
    expect([...(view.lens?.status ?? [])]).toEqual([1, 1, 0, 0, 0, 0, -1, -1]);
    view.showPathOf(7);
    expect(view.lens).toBeNull();
    await flush();
    expect(server.contextsAsked).toEqual(['a5', 'b1']);
    expect(view.lens?.keys[1]).toEqual({ status: 'folded', compactionId: 'c' });
  });
});

describe('a long outline', () => {
  it('is asked for in pages, three at a time, and put together in order', async () => {
    const long = chain(17_001);
    let now = 0;
    let most = 0;
    const { view, server } = await open(long, {}, (fake) => {
      const { outline } = fake;
      fake.outline = async (key, query, signal) => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, query?.from === 5000 ? 20 : 1));
        now--;
        return outline(key, query, signal);
      };
      fake.pageSize = 5000;
    });
    expect(server.asked.map(({ from }) => from).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([0, 5000, 10_000, 15_000]);
    expect(most).toBe(3);
    expect(view.columns.id).toEqual(long.map(({ id }) => id));
    expect(view.rowOf('a17000')).toBe(17_000);
  });

  it('begins anew when the file is rewritten between two pages', async () => {
    const { view } = await open(chain(12_000), {}, (fake) => {
      fake.pageSize = 5000;
      const { outline } = fake;
      fake.outline = async (key, query, signal) => {
        if (query?.from === 10_000 && fake.epoch === 'e1') {
          fake.epoch = 'e2';
          fake.entries = chain(7000, 'z');
        }
        return outline(key, query, signal);
      };
    });
    expect([view.epoch, view.columns.count, view.columns.id[6999]]).toEqual(['e2', 7000, 'z6999']);
  });
});
