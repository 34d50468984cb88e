import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { sessionShape, type SessionShape } from '../../src/pure.ts';
import { session } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

function shapeOf(build: ReturnType<typeof session>): SessionShape {
  const { outline } = decode(build);
  return sessionShape(outline, outline.leafRow);
}

describe('the shape of a session', () => {
  it('is empty without entries', () => {
    expect(shapeOf(session())).toEqual({ lanes: [], ticks: [], more: 0 });
  });

  it('is one lane over the whole length without branches', () => {
    expect(shapeOf(session().user('a').assistant('b'))).toEqual({
      lanes: [{ parent: -1, from: 0, to: 1, slot: 0 }],
      ticks: [],
      more: 0,
    });
  });

  it('puts a branch beside the trunk, from where it leaves to where it ends', () => {
    const { lanes } = shapeOf(session().user('1').user('2').user('3').user('4').at('e1').user('side').at('e4').user('5'));
    expect(lanes).toEqual([
      { parent: -1, from: 0, to: 1, slot: 0 },
      { parent: 0, from: 0.2, to: 0.4, slot: 1 },
    ]);
  });

  it('marks compactions of the active path only', () => {
    const build = session().user('1').compaction('s', 'e1').at('e1').compaction('side', 'e1').at('e2').user('3').user('4');
    expect(shapeOf(build).ticks).toEqual([0.5]);
  });

  it('draws at most a dozen lanes and counts the rest', () => {
    const build = session().user('root');
    for (let i = 0; i < 30; i++) build.at('e1').user(`branch ${String(i)}`);
    const { lanes, more } = shapeOf(build);
    expect([lanes.length, more]).toEqual([12, 18]);
  });

  it('gives a second root a lane without a parent', () => {
    expect(shapeOf(session().user('1').user('2').at(null).user('3').user('4')).lanes[1]).toEqual({
      parent: -1,
      from: 0,
      to: 1,
      slot: 1,
    });
  });

  it('has lanes within its length, each beginning on the lane that it leaves, none on top of another', () => {
    const choices = fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(choices, (rows) => {
        const build = session();
        rows.forEach(([choice, jump], i) => {
          if (jump) build.at(choice % (i + 1) === 0 ? null : `e${String(choice % (i + 1))}`);
          build.user(String(i));
        });
        const { lanes, more } = shapeOf(build);
        expect(lanes[0]).toMatchObject({ parent: -1, from: 0, slot: 0 });
        expect(Math.max(...lanes.map((lane) => lane.to))).toBeLessThanOrEqual(1);
        expect(lanes.length <= 12 && more >= 0).toBe(true);
        lanes.forEach(({ parent, from, to, slot }, index) => {
          expect(from < to || (from === 0 && to === 0)).toBe(true);
          expect(parent).toBeLessThan(index);
          if (index > 0) expect(slot).not.toBe(0);
          const on = lanes[parent];
          if (on !== undefined) expect(from >= on.from && from <= on.to + 0.001).toBe(true);
        });
      }),
    );
  });
});
