import { FLAG } from '@stemma/core/pure';
import { describe, expect, it } from 'vitest';

import type { OutlineColumns } from '../src/lib/session/columns.ts';
import { estimateHeight, groupPath, headOf, rowsOf } from '../src/lib/transcript/groups.ts';
import { windowAround, windowFor } from '../src/lib/transcript/window.ts';

/** Columns of a chain; `u` user, `a` answer, `c` answer with calls, `r` tool result, `s` setting, `q` event that shows nothing. */
function chain(kinds: string): OutlineColumns {
  const list = [...kinds];
  return {
    count: list.length,
    id: list.map((_, i) => `e${i}`),
    parent: Int32Array.from(list, (_, i) => i - 1),
    type: list.map((kind) => (kind === 's' ? 'model_change' : kind === 'q' ? 'event' : 'message')),
    role: list.map((kind) => ({ u: 'user', a: 'assistant', c: 'assistant', r: 'toolResult' })[kind] ?? ''),
    title: list.map(() => ''),
    time: list.map(() => null),
    bytes: list.map(() => 500),
    tokens: list.map(() => null),
    flags: list.map((kind) => (kind === 'c' ? FLAG.hasToolCalls : kind === 'q' ? FLAG.quiet : 0)),
  };
}

const all = (columns: OutlineColumns): number[] => columns.id.map((_, row) => row);

describe('groupPath', () => {
  it('puts tool results into the group of the call before them', () => {
    const columns = chain('ucrrsra');
    const groups = groupPath(columns, all(columns));
    expect(Array.from({ length: groups.count }, (_, g) => rowsOf(groups, g))).toEqual([[0], [1, 2, 3], [4, 5], [6]]);
    expect([...groups.groupOf]).toEqual([0, 1, 1, 1, 2, 2, 3]);
    expect(headOf(groups, 1)).toBe(1);
    expect(headOf(groups, 4)).toBe(-1);
  });

  it('puts events that show nothing into the group before them, so that they take no place', () => {
    const columns = chain('quqcqrqa');
    const groups = groupPath(columns, all(columns));
    expect(Array.from({ length: groups.count }, (_, g) => rowsOf(groups, g))).toEqual([[0], [1, 2], [3, 4, 5, 6], [7]]);
  });

  it('shows a result that no call precedes', () => {
    const columns = chain('rur');
    expect(groupPath(columns, all(columns)).count).toBe(3);
  });

  it('knows only the rows of the path', () => {
    const columns = chain('uaua');
    const groups = groupPath(columns, [0, 1, 3]);
    expect([...groups.groupOf]).toEqual([0, 1, -1, 2]);
  });

  it('takes 60,000 entries at once', () => {
    const columns = chain('ucra'.repeat(15_000));
    expect(groupPath(columns, all(columns)).count).toBe(45_000);
  });

  it('estimates long texts higher than short ones, and settings as a line', () => {
    const columns = { ...chain('uus'), bytes: [200, 4_000, 4_000] };
    expect(estimateHeight(columns, 1)).toBeGreaterThan(estimateHeight(columns, 0));
    expect(estimateHeight(columns, 2)).toBe(28);
  });
});

describe('list window', () => {
  it('is the whole list where it fits', () => {
    expect(windowAround(500, 400, 1_000)).toEqual({ start: 0, end: 500 });
  });

  it('lies around the index and inside the list', () => {
    expect(windowAround(60_000, 30_000)).toEqual({ start: 20_000, end: 40_000 });
    expect(windowAround(60_000, 10)).toEqual({ start: 0, end: 20_000 });
    expect(windowAround(60_000, 59_999)).toEqual({ start: 40_000, end: 60_000 });
  });

  it('moves only when the index is outside or the list has changed its length', () => {
    const current = { start: 20_000, end: 40_000 };
    expect(windowFor(current, 60_000, 39_999)).toBe(current);
    expect(windowFor(current, 60_000, 40_000)).toEqual({ start: 30_000, end: 50_000 });
    expect(windowFor({ start: 0, end: 10 }, 12, 5)).toEqual({ start: 0, end: 12 });
    expect(windowFor({ start: 0, end: 12 }, 10, 5)).toEqual({ start: 0, end: 10 });
  });
});
