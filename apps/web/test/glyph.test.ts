import type { Shape } from '@stemma/api/schemas';
import { describe, expect, it } from 'vitest';

import { GLYPH_HEIGHT, GLYPH_WIDTH, glyphGeometry } from '../src/lib/glyph/glyph.ts';

const trunk = { parent: -1, from: 0, to: 1, slot: 0 };
const shape = (lanes: Shape['lanes'], ticks: number[] = []): Shape => ({ lanes: [trunk, ...lanes], ticks, more: 0 });

/** Every number of a path, as x and y in turn where the commands say so. */
function extent(path: string): { xs: number[]; ys: number[] } {
  const xs: number[] = [];
  const ys: number[] = [];
  for (const [, command, rest = ''] of path.matchAll(/([MCH])([^MCH]*)/g)) {
    const numbers = rest.trim().split(/\s+/).map(Number);
    numbers.forEach((value, index) => (command === 'H' || index % 2 === 0 ? xs : ys).push(value));
  }
  return { xs, ys };
}

describe('the glyph', () => {
  it('is a trunk with the leaf at its end when nothing branches', () => {
    const drawing = glyphGeometry(shape([]));
    expect(drawing.branches).toEqual([]);
    expect(extent(drawing.trunk).xs.at(-1)).toBe(drawing.leaf.x);
    expect(drawing.leaf.y).toBe(GLYPH_HEIGHT / 2);
  });

  it('draws branches of positive slots above and of negative ones below', () => {
    const [above = '', below = ''] = glyphGeometry(
      shape([
        { parent: 0, from: 0.2, to: 0.6, slot: 1 },
        { parent: 0, from: 0.4, to: 0.9, slot: -1 },
      ]),
    ).branches;
    expect(extent(above).ys.at(-1)).toBeLessThan(GLYPH_HEIGHT / 2);
    expect(extent(below).ys.at(-1)).toBeGreaterThan(GLYPH_HEIGHT / 2);
  });

  it('lets a branch of a branch leave from its parent’s line, not from the trunk', () => {
    const [first = '', second = ''] = glyphGeometry(
      shape([
        { parent: 0, from: 0.2, to: 0.8, slot: 1 },
        { parent: 1, from: 0.5, to: 0.9, slot: 2 },
      ]),
    ).branches;
    expect(extent(second).ys[0]).toBe(extent(first).ys.at(-1));
  });

  it('starts a further root on its own line', () => {
    const [root = ''] = glyphGeometry(shape([{ parent: -1, from: 0.5, to: 0.7, slot: -2 }])).branches;
    expect(new Set(extent(root).ys).size).toBe(1);
    expect(root).not.toContain('C');
  });

  it('shows the shortest branch, and stays in its box whatever the numbers are', () => {
    const lanes = Array.from({ length: 30 }, (_, index) => ({
      parent: index % 3 === 0 ? 99 : 0,
      from: index / 30,
      to: index === 4 ? 7 : index / 30,
      slot: index % 2 === 0 ? index : -index,
    }));
    for (const branch of glyphGeometry(shape(lanes, [-1, 0.5, 2])).branches) {
      const { xs, ys } = extent(branch);
      expect(Math.max(...xs) - Math.min(...xs)).toBeGreaterThanOrEqual(3);
      expect(Math.min(...xs, ...ys)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...xs)).toBeLessThanOrEqual(GLYPH_WIDTH);
      expect(Math.max(...ys)).toBeLessThanOrEqual(GLYPH_HEIGHT);
    }
  });

  it('puts compactions on the trunk in order', () => {
    const { ticks, leaf } = glyphGeometry(shape([], [0.25, 0.75, 1]));
    expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
    expect(ticks.at(-1)).toBe(leaf.x);
  });

  it('draws a plain trunk of a shape without lanes', () => {
    expect(glyphGeometry({ lanes: [], ticks: [], more: 0 })).toMatchObject({ branches: [], ticks: [] });
  });
});
