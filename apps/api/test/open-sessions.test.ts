import { afterEach, describe, expect, it, vi } from 'vitest';

import type { SessionFile, SessionReader, SessionRoot } from '@stemma/core';

import { OpenSessions, type OpenSessionsOptions } from '../src/sessions/open-sessions.ts';

/** A reader that decodes when told to. */
class FakeReader {
  complete = false;
  closed = false;
  refreshes = 0;
  revision = 'r1';
  readonly epoch = 'e1';
  readonly outline: { rowCount: number };
  readonly ready: Promise<void>;
  finish!: () => void;
  fail!: (error: Error) => void;
  nextRefresh: () => Promise<'same' | 'appended'> = async () => 'same';

  constructor(rows: number) {
    this.outline = { rowCount: rows };
    this.ready = new Promise((resolve, reject) => {
      this.finish = () => {
        this.complete = true;
        resolve();
      };
      this.fail = reject;
    });
  }

  async refresh(): Promise<'same' | 'appended'> {
    this.refreshes++;
    return this.nextRefresh();
  }

  close(): void {
    this.closed = true;
  }
}

let closing: OpenSessions | null = null;
afterEach(() => {
  closing?.close();
  closing = null;
  vi.useRealTimers();
});

function setUp(options: Partial<OpenSessionsOptions> & { rows?: number; known?: (key: string) => boolean } = {}) {
  const readers: Record<string, FakeReader[]> = {};
  const sessions = new OpenSessions({
    find: async (key) => {
      if (options.known !== undefined && !options.known(key)) return undefined;
      return { root: {} as SessionRoot, file: { key, fingerprint: 'f1' } as SessionFile };
    },
    open: (_root, file) => {
      const reader = new FakeReader(options.rows ?? 10);
      (readers[file.key] ??= []).push(reader);
      return reader as unknown as SessionReader;
    },
    ...options,
  });
  closing = sessions;
  const openAndFinish = (key: string) =>
    sessions.use(key, async () => {
      readers[key]!.at(-1)!.finish();
      await readers[key]!.at(-1)!.ready;
    });
  return { sessions, readers, openAndFinish };
}

describe('OpenSessions', () => {
  it('opens a session once for requests that come together', async () => {
    const { sessions, readers } = setUp();
    const seen = await Promise.all([1, 2, 3].map(() => sessions.use('a', async (session) => session)));
    expect(readers['a']).toHaveLength(1);
    expect(new Set(seen).size).toBe(1);
    expect(sessions.foreground).toBe(0);
  });

  it('answers session_not_found, and closes a reader whose file has gone', async () => {
    let known = true;
    const { sessions, readers, openAndFinish } = setUp({ known: () => known });
    await openAndFinish('a');
    known = false;
    await expect(sessions.use('a', async () => 1)).rejects.toMatchObject({ code: 'session_not_found' });
    expect(readers['a']![0]!.closed).toBe(true);
    expect(sessions.size).toBe(0);
    expect(sessions.foreground).toBe(0);
  });

  it('closes the least recently asked beyond the limit', async () => {
    const { sessions, readers, openAndFinish } = setUp({ maxSessions: 2 });
    await openAndFinish('a');
    await openAndFinish('b');
    await sessions.use('a', async () => undefined);
    await openAndFinish('c');
    expect([readers['a'], readers['b'], readers['c']].map((list) => list![0]!.closed)).toEqual([false, true, false]);
    expect(sessions.size).toBe(2);
  });

  it('bounds the rows of all of them, but always holds the one asked last', async () => {
    const { sessions, readers, openAndFinish } = setUp({ maxRows: 25, rows: 10 });
    for (const key of ['a', 'b', 'c']) await openAndFinish(key);
    expect(sessions.size).toBe(2);
    expect(readers['a']![0]!.closed).toBe(true);
    const large = setUp({ maxRows: 25, rows: 100 });
    await large.openAndFinish('x');
    expect(large.sessions.size).toBe(1);
    large.sessions.close();
  });

  it('never closes what a request still uses', async () => {
    const { sessions, readers, openAndFinish } = setUp({ maxSessions: 1 });
    let release!: () => void;
    const held = sessions.use('a', () => new Promise<void>((resolve) => (release = resolve)));
    await vi.waitFor(() => expect(sessions.size).toBe(1));
    await openAndFinish('b');
    expect(readers['a']![0]!.closed).toBe(false);
    release();
    await held;
    expect(sessions.size).toBe(1);
  });

  it('asks the disk at most every 250 ms, and once for requests that come together', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { sessions, readers, openAndFinish } = setUp();
    await openAndFinish('a');
    const reader = readers['a']![0]!;
    await sessions.use('a', async () => undefined);
    expect(reader.refreshes).toBe(0);
    vi.advanceTimersByTime(300);
    await Promise.all([1, 2, 3].map(() => sessions.use('a', async () => undefined)));
    expect(reader.refreshes).toBe(1);
    vi.advanceTimersByTime(300);
    await sessions.use('a', async () => undefined);
    expect(reader.refreshes).toBe(2);
  });

  it('tells of every state that is decoded', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const onDecoded = vi.fn();
    const { sessions, readers, openAndFinish } = setUp({ onDecoded });
    await openAndFinish('a');
    expect(onDecoded).toHaveBeenCalledTimes(1);
    const reader = readers['a']![0]!;
    vi.advanceTimersByTime(300);
    await sessions.use('a', async () => undefined);
    expect(onDecoded).toHaveBeenCalledTimes(1);
    reader.nextRefresh = async () => {
      reader.revision = 'r2';
      return 'appended';
    };
    vi.advanceTimersByTime(300);
    await sessions.use('a', async () => undefined);
    expect(onDecoded).toHaveBeenCalledTimes(2);
  });

  it('opens anew after a reader has failed', async () => {
    const { sessions, readers } = setUp();
    const failed = sessions.use('a', async ({ reader }) => {
      readers['a']![0]!.fail(new Error('disk'));
      await reader.ready;
    });
    await expect(failed).rejects.toThrow('disk');
    await sessions.use('a', async () => undefined);
    expect(readers['a']).toHaveLength(2);
  });

  it('stops a decoding that nobody has asked about for 15 seconds', async () => {
    vi.useFakeTimers();
    const { sessions, readers, openAndFinish } = setUp();
    await sessions.use('slow', async () => undefined);
    await openAndFinish('done');
    await vi.advanceTimersByTimeAsync(14_000);
    expect(readers['slow']![0]!.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(readers['slow']![0]!.closed).toBe(true);
    expect(readers['done']![0]!.closed).toBe(false);
  });

  it('does not stop a decoding that a request waits for', async () => {
    vi.useFakeTimers();
    const { sessions, readers } = setUp();
    const waiting = sessions.use('slow', ({ reader }) => reader.ready);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(readers['slow']![0]!.closed).toBe(false);
    readers['slow']![0]!.finish();
    await waiting;
  });

  it('frees a borrowed reader unless somebody has asked for it meanwhile', async () => {
    const { sessions, readers } = setUp();
    await sessions.borrow('a', async () => readers['a']![0]!.finish());
    expect(readers['a']![0]!.closed).toBe(true);
    expect(sessions.size).toBe(0);

    await sessions.borrow('b', async () => {
      await sessions.use('b', async () => undefined);
      readers['b']![0]!.finish();
    });
    expect(readers['b']).toHaveLength(1);
    expect(readers['b']![0]!.closed).toBe(false);
  });

  it('does not count borrowing as people waiting', async () => {
    const { sessions } = setUp();
    await sessions.borrow('a', async () => expect(sessions.foreground).toBe(0));
    await sessions.use('a', async () => expect(sessions.foreground).toBe(1));
  });

  it('computes a derived result once for each state', async () => {
    const { sessions, readers } = setUp();
    const compute = vi.fn(() => ({}));
    const ask = () => sessions.use('a', async (session) => session.derived('x', compute));
    expect(await ask()).toBe(await ask());
    expect(compute).toHaveBeenCalledTimes(1);
    readers['a']![0]!.revision = 'r2';
    await ask();
    expect(compute).toHaveBeenCalledTimes(2);
  });

  it('closes everything at the end and opens nothing more', async () => {
    const { sessions, readers, openAndFinish } = setUp();
    await openAndFinish('a');
    sessions.close();
    expect(readers['a']![0]!.closed).toBe(true);
    await expect(sessions.use('b', async () => 1)).rejects.toMatchObject({ code: 'storage_closed' });
  });
});
