import { describe, expect, it, vi } from 'vitest';

import { jsonText, Slices } from '../src/http/json-text.ts';

const numbers = (count: number): Slices => new Slices(count, (from, to) => Array.from({ length: to - from }, (_, i) => from + i));

describe('jsonText', () => {
  it.each([0, 1, 1_999, 2_000, 2_001, 10_000])('writes %i items as JSON.stringify would', async (count) => {
    const text = await jsonText({ a: 'x', columns: { n: numbers(count), m: numbers(3) }, none: undefined, b: null });
    const all = Array.from({ length: count }, (_, i) => i);
    expect(text).toBe(JSON.stringify({ a: 'x', columns: { n: all, m: [0, 1, 2] }, b: null }));
  });

  it('writes an empty object', async () => {
    expect(await jsonText({})).toBe('{}');
    expect(await jsonText({ gone: undefined })).toBe('{}');
  });

  it('writes what JSON cannot hold as an array does', async () => {
    const odd = new Slices(3, () => [Number.NaN, undefined, 'x\ud83d']);
    expect(await jsonText({ odd })).toBe('{"odd":[null,null,"x\\ud83d"]}');
  });

  it('gives the event loop back while it writes', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      let turns = 0;
      let writing = true;
      const takeTurn = (): void => {
        turns++;
        if (writing) setImmediate(takeTurn);
      };
      setImmediate(takeTurn);
      const slow = new Slices(40_000, (from, to) => {
        vi.advanceTimersByTime(50);
        return Array.from({ length: to - from }, (_, i) => from + i);
      });
      await jsonText({ slow });
      writing = false;
      // Twenty slices of 50 ms each: others have their turn after every one.
      expect(turns).toBeGreaterThanOrEqual(20);
    } finally {
      vi.useRealTimers();
    }
  });
});
