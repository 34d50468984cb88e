import { describe, expect, it, vi } from 'vitest';

import { DrawTurns } from '../src/lib/transcript/draw-turns.ts';

const task = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

function ask(turns: DrawTurns, names: readonly number[], place = 1_000) {
  const drawn: number[] = [];
  const wishes = new Map(
    names.map((name) => [
      name,
      turns.ask(
        () => drawn.push(name),
        () => Math.abs(name - place),
      ),
    ]),
  );
  return { drawn, takeBack: (name: number) => wishes.get(name)?.() };
}

describe('turns to be drawn', () => {
  it('are there at once for a few', () => {
    expect(ask(new DrawTurns(), [1, 2, 3]).drawn).toEqual([1, 2, 3]);
  });

  it('come one task after another for many, the nearest first, and the place itself does not wait', async () => {
    const { drawn } = ask(
      new DrawTurns(),
      Array.from({ length: 20 }, (_, i) => i),
      10,
    );
    expect(drawn).toEqual([0, 1, 2, 3, 10]);
    await task();
    expect(drawn.slice(5).toSorted((a, b) => a - b)).toEqual([8, 9, 11, 12]);
    await vi.waitFor(() => expect(drawn).toHaveLength(20));
    expect(new Set(drawn).size).toBe(20);
  });

  it('are given again in each task, and are not kept for who has gone', async () => {
    const turns = new DrawTurns();
    const first = ask(turns, [1, 2, 3, 4, 5, 6]);
    first.takeBack(5);
    await task();
    await task();
    expect(first.drawn).toEqual([1, 2, 3, 4, 6]);
    await task();
    expect(ask(turns, [7, 8, 9]).drawn).toEqual([7, 8, 9]);
  });
});
