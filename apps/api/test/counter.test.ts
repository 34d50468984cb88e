import type { SessionReader } from '@stemma/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { Counter } from '../src/library/counter.ts';
import { Library } from '../src/library/library.ts';
import { OpenSessions } from '../src/sessions/open-sessions.ts';
import { countedOf, fakeRoot, sessionFile } from './fakes.ts';

interface Reading {
  key: string;
  finish: () => void;
  fail: (error: Error) => void;
  closed: boolean;
}

/** A library of the given files (key → time), and readers that decode when told to. */
async function setUp(files: Record<string, number>) {
  const { root, state } = fakeRoot(Object.entries(files).map(([key, modifiedMs]) => sessionFile(key, { modifiedMs })));
  const library = new Library({ roots: [{ root, demo: false, home: '' }] });
  const readings: Reading[] = [];
  const sessions = new OpenSessions({
    find: (key) => library.find(key),
    open: (_root, file) => {
      const reading: Partial<Reading> = { key: file.key, closed: false };
      const reader = {
        complete: false,
        outline: { rowCount: 1 },
        epoch: 'e',
        revision: 'r',
        progress: { bytes: 400, totalBytes: 1_000 },
      };
      const ready = new Promise<void>((resolve, reject) => {
        reading.finish = () => {
          reader.complete = true;
          resolve();
        };
        reading.fail = reject;
      });
      readings.push(reading as Reading);
      return {
        ...reader,
        get complete() {
          return reader.complete;
        },
        ready,
        refresh: async () => 'same',
        close: () => (reading.closed = true),
      } as unknown as SessionReader;
    },
    onDecoded: (session) => counter.take(session),
  });
  const errors: unknown[] = [];
  const count = vi.fn(() => countedOf(5));
  const counter = new Counter(library, sessions, count, (error) => errors.push(error));
  await library.scan();
  onTestFinished(() => {
    counter.close();
    sessions.close();
  });
  const next = async (index: number): Promise<Reading> => {
    await vi.waitFor(() => expect(readings.length).toBeGreaterThan(index));
    return readings[index]!;
  };
  return { library, sessions, counter, count, readings, next, errors, state };
}

describe('Counter', () => {
  it('counts one at a time, newest first, and frees each', async () => {
    const { counter, next, readings, library } = await setUp({ old: 1, new: 3, middle: 2 });
    counter.wake();
    for (const [i, key] of ['new', 'middle', 'old'].entries()) {
      const reading = await next(i);
      expect(reading.key).toBe(key);
      expect(readings.filter(({ closed }) => !closed)).toHaveLength(1);
      reading.finish();
    }
    await counter.settled();
    expect(readings.every(({ closed }) => closed)).toBe(true);
    expect([...library.rows.values()].every(({ row }) => row.entryCount === 5)).toBe(true);
  });

  it('does not read an unchanged session again', async () => {
    const { counter, next, readings, library } = await setUp({ a: 1 });
    counter.wake();
    (await next(0)).finish();
    await counter.settled();
    await library.scan();
    counter.wake();
    await counter.settled();
    expect(readings).toHaveLength(1);
  });

  it('waits while people do', async () => {
    const { counter, sessions, readings } = await setUp({ a: 1, b: 2 });
    let release!: () => void;
    const person = sessions.use('a', () => new Promise<void>((resolve) => (release = resolve)));
    counter.wake();
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(readings.map(({ key }) => key)).toEqual(['a']);
    release();
    await person;
    await vi.waitFor(() => expect(readings.map(({ key }) => key)).toEqual(['a', 'b']));
  });

  it('takes the counts of what somebody else has opened, and leaves it open', async () => {
    const { counter, sessions, readings, library, count } = await setUp({ a: 1 });
    await sessions.use('a', async ({ reader }) => {
      readings[0]!.finish();
      await reader.ready;
    });
    expect(library.rows.get('a')!.row.entryCount).toBe(5);
    counter.wake();
    await counter.settled();
    expect(count).toHaveBeenCalledTimes(1);
    expect(readings).toHaveLength(1);
    expect(readings[0]!.closed).toBe(false);
  });

  it('passes over what cannot be read, once', async () => {
    const { counter, next, readings, errors, library } = await setUp({ bad: 2, good: 1 });
    counter.wake();
    (await next(0)).fail(new Error('EIO'));
    (await next(1)).finish();
    await counter.settled();
    expect(errors).toHaveLength(1);
    expect(library.rows.get('bad')!.row.entryCount).toBeNull();
    expect(counter.progress()).toMatchObject({ done: 2, total: 2, running: false });
    counter.wake();
    await counter.settled();
    expect(readings).toHaveLength(2);
  });

  it('counts a session that grows, but not all the time', async () => {
    const { counter, next, readings, library, state } = await setUp({ a: 1 });
    counter.wake();
    const first = await next(0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    first.finish();
    await counter.settled();
    const entry = library.rows.get('a')!;
    expect(entry.countAfter).toBeGreaterThan(Date.now());
    state.files = [{ ...state.files[0]!, fingerprint: 'f2', sizeBytes: 1_100 }];
    await library.scan();
    counter.wake();
    await counter.settled();
    expect(readings).toHaveLength(1);
    library.rows.get('a')!.countAfter = 0;
    counter.wake();
    (await next(1)).finish();
    await counter.settled();
    expect(library.rows.get('a')!.countedAt).toBe('f2');
  });

  it('tells how far it is, the session that it reads included', async () => {
    const { counter, next } = await setUp({ a: 2, b: 1 });
    expect(counter.progress()).toEqual({ done: 0, total: 2, bytesDone: 0, bytesTotal: 2_000, rate: null, running: false });
    counter.wake();
    await next(0);
    expect(counter.progress()).toMatchObject({ done: 0, bytesDone: 400, running: true });
    (await next(0)).finish();
    await next(1);
    expect(counter.progress()).toMatchObject({ done: 1, bytesDone: 1_400 });
  });

  it('ends at close', async () => {
    const { counter, next, sessions, readings } = await setUp({ a: 2, b: 1 });
    counter.wake();
    const reading = await next(0);
    counter.close();
    sessions.close();
    reading.fail(new Error('closed'));
    await counter.settled();
    expect(readings).toHaveLength(1);
    expect(readings[0]!.closed).toBe(true);
  });
});
