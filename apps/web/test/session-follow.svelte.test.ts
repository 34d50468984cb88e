import { describe, expect, it, vi } from 'vitest';

import { Follower, type Visibility } from '../src/lib/session/follower.ts';
import { SessionView } from '../src/lib/session/session-view.svelte.ts';
import type { SessionAddress } from '../src/lib/session/source.ts';
import { chain, FakeAddress, FakeServer } from './session-fakes.svelte.ts';

const never = new AbortController().signal;

async function open(at: Partial<SessionAddress> = {}) {
  const server = new FakeServer([...chain(4), { id: 'b0', parent: 'a1', role: 'user' }]);
  server.leafId = 'a3';
  const address = new FakeAddress(at);
  const view = new SessionView('k', { source: server, address, wait: async () => undefined });
  await view.load();
  const append = (id: string, parent: string): void => {
    server.entries = [...server.entries, { id, parent, role: 'user' }];
    server.leafId = id;
  };
  return { view, server, address, append, leaf: () => view.columns.id[view.leafRow] };
}

describe('a session that grows', () => {
  it('is asked for the new rows only, and nothing moves while there are none', async () => {
    const { view, server } = await open();
    const { outline, detail } = view;
    server.asked = [];
    await view.refresh(never);
    expect(server.asked).toEqual([{ from: 5, epoch: 'e1' }]);
    expect(view.outline).toBe(outline);
    expect(view.detail).toBe(detail);
  });

  it('goes on at the leaf that was shown', async () => {
    const { view, append, leaf } = await open();
    append('a4', 'a3');
    await view.refresh(never);
    expect(leaf()).toBe('a4');
    expect(view.pathRows).toEqual([0, 1, 2, 3, 5]);
    expect(view.rowOf('a4')).toBe(5);
    expect(view.news).toBe(0);
  });

  it('goes on also where the address named that leaf, and keeps the selection', async () => {
    const { view, append, address, leaf } = await open({ leaf: 'a3', entry: 'a2' });
    append('a4', 'a3');
    await view.refresh(never);
    expect(leaf()).toBe('a4');
    expect(address.now).toEqual({ leaf: null, entry: 'a2', tab: null, view: null });
    expect(address.written).toEqual(['replace']);
  });

  it('leaves another branch as it is, and counts what came', async () => {
    const { view, append, leaf } = await open({ leaf: 'b0' });
    append('a4', 'a3');
    await view.refresh(never);
    append('a5', 'a4');
    append('a6', 'a5');
    await view.refresh(never);
    expect(leaf()).toBe('b0');
    expect(view.news).toBe(3);
    view.showOwnLeaf();
    expect([leaf(), view.news]).toEqual(['a6', 0]);
  });

  it('begins anew when the file was rewritten', async () => {
    const { view, server, leaf } = await open();
    server.epoch = 'e2';
    server.entries = chain(2, 'z');
    server.leafId = 'z1';
    await view.refresh(never);
    expect(view.columns.id).toEqual(['z0', 'z1']);
    expect([view.epoch, leaf(), view.rowOf('a0')]).toEqual(['e2', 'z1', -1]);
    expect([view.rewritten, view.news]).toEqual([true, 0]);
  });

  it('shows labels and compactions of the same moment as the rows', async () => {
    const { view, server, append } = await open();
    append('a4', 'a3');
    server.detail.labels = [{ entryId: 'a4', row: 5, label: 'done', time: null }];
    await view.refresh(never);
    expect(view.labels.get(5)).toBe('done');
  });

  it('is not lost when the look at it was broken off', async () => {
    const { view, append, server, leaf } = await open();
    append('a4', 'a3');
    const abort = new AbortController();
    const { session } = server;
    server.session = async () => {
      abort.abort();
      return session();
    };
    await view.refresh(abort.signal);
    expect(leaf()).toBe('a3');
    server.session = session;
    await view.refresh(never);
    expect(leaf()).toBe('a4');
  });

  it('stays as it is when the server does not answer', async () => {
    const { view, server, leaf } = await open();
    server.failOutline = new Error('gone');
    await expect(view.refresh(never)).rejects.toThrow('gone');
    expect([leaf(), view.error]).toEqual(['a3', null]);
  });
});

/** A page that can be hidden. */
class Page extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';
  show(state: DocumentVisibilityState): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

function follow(look: () => Promise<void>) {
  const page = new Page();
  const waits: { ms: number; go: () => void }[] = [];
  const wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      waits.push({ ms, go: resolve });
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const follower = new Follower({ look, wait, page: page as unknown as Visibility });
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  const turn = async (): Promise<void> => {
    waits.at(-1)?.go();
    await settle();
  };
  return { follower, page, waits, turn, settle };
}

describe('the follower', () => {
  it('looks every two seconds until it is stopped', async () => {
    const look = vi.fn(async () => undefined);
    const { follower, waits, turn } = follow(look);
    follower.start();
    follower.start();
    await turn();
    await turn();
    expect(look).toHaveBeenCalledTimes(2);
    expect(waits.map(({ ms }) => ms)).toEqual([2000, 2000, 2000]);
    follower.stop();
    await turn();
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('rests while the page is hidden, and looks when it is seen again', async () => {
    const look = vi.fn(async () => undefined);
    const { follower, page, turn, settle } = follow(look);
    follower.start();
    page.show('hidden');
    await turn();
    expect(look).not.toHaveBeenCalled();
    page.show('visible');
    await settle();
    expect(look).toHaveBeenCalledTimes(1);
    follower.stop();
  });

  it('asks a server that does not answer ever less often, and as before once it does', async () => {
    let down = true;
    const { follower, waits, turn } = follow(async () => {
      if (down) throw new Error('no answer');
    });
    follower.start();
    for (let i = 0; i < 5; i++) await turn();
    down = false;
    await turn();
    expect(waits.map(({ ms }) => ms)).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 2000]);
    follower.stop();
  });
});
