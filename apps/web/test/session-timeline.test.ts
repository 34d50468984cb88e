// @vitest-environment node
import { FLAG } from '@stemma/core/pure';
import { describe, expect, it } from 'vitest';

import { needSeconds, timeScale, timeTicks } from '../src/lib/session/time-scale.ts';
import { BAR, barPaths, rowAtX, rowByKey, timelineOf } from '../src/lib/session/timeline.ts';
import { chainRows, treeOf, type Row } from './tree-builders.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('the scale of time', () => {
  it('is even within a stretch', () => {
    const scale = timeScale(Float64Array.of(0, 10 * MINUTE, 20 * MINUTE), 100);
    expect([0, 10 * MINUTE, 20 * MINUTE].map((time) => scale.x(time))).toEqual([0, 50, 100]);
    expect(scale.time(25)).toBe(5 * MINUTE);
  });

  it('gives a pause the same room, be it an hour or a year', () => {
    const at = (pause: number) => {
      const scale = timeScale(Float64Array.of(0, 10 * MINUTE, 10 * MINUTE + pause, 20 * MINUTE + pause), 214);
      return [10 * MINUTE, 10 * MINUTE + pause].map((time) => scale.x(time));
    };
    expect(at(HOUR)).toEqual([100, 114]);
    expect(at(9000 * HOUR)).toEqual([100, 114]);
  });

  it('keeps most of the width for what was done, however many pauses there are', () => {
    const times = Float64Array.from({ length: 5000 }, (_, i) => i * HOUR);
    const scale = timeScale(times, 1000);
    expect(scale.x(times.at(-1)!)).toBeLessThanOrEqual(1000.001);
    expect(scale.stretches.reduce((sum, { left, right }) => sum + right - left, 0)).toBeGreaterThan(690);
  });

  it('answers a time in a pause with the nearer end', () => {
    const scale = timeScale(Float64Array.of(0, 10 * MINUTE, 10 * HOUR, 10 * HOUR + 10 * MINUTE), 214);
    expect(scale.time(102)).toBe(10 * MINUTE);
    expect(scale.time(113)).toBe(10 * HOUR);
  });

  it('gives a short session the whole width, with seconds to tell its ticks apart', () => {
    const short = timeScale(Float64Array.of(0, 20_000, 40_000), 800);
    expect(short.x(40_000)).toBe(800);
    expect(needSeconds(timeTicks(short, 800, 110))).toBe(true);
    const long = timeScale(Float64Array.of(0, 20 * MINUTE), 800);
    expect(needSeconds(timeTicks(long, 800, 110))).toBe(false);
  });

  it('holds for one entry and for none', () => {
    expect(timeScale(Float64Array.of(7 * HOUR), 100).x(7 * HOUR)).toBe(0);
    expect(timeScale(new Float64Array(0), 100).time(50)).toBe(0);
  });

  it('writes times where stretches begin and within long ones, never over one another', () => {
    const times = Float64Array.of(0, 5 * HOUR, ...Array.from({ length: 50 }, (_, i) => 5 * HOUR + i * 10 * MINUTE));
    const scale = timeScale(times.toSorted(), 800);
    const ticks = timeTicks(scale, 800, 100);
    expect(ticks.length).toBeGreaterThan(2);
    ticks.slice(1).forEach((tick, i) => expect(tick.x - ticks[i]!.x).toBeGreaterThanOrEqual(100));
  });
});

/** Ten entries a minute apart on the shown branch, five others beside the last five. */
const rows: Row[] = [...chainRows(10), ...Array.from({ length: 5 }, (_, i) => ({ parent: i === 0 ? 4 : 9 + i }))];

function timeline(change: (columns: ReturnType<typeof treeOf>['columns']) => void = () => undefined, width = 90) {
  const { columns, rowsOnPath } = treeOf(rows, 9);
  const time = rows.map((_, row) => (row < 10 ? row : row - 5) * MINUTE);
  const changed = { ...columns, time: time as (number | null)[], type: [...columns.type], flags: [...columns.flags] };
  change(changed);
  const scene = { columns: changed, onPath: rowsOnPath, labels: new Map([[3, 'checkpoint']]) };
  return { line: timelineOf(scene, width), onPath: rowsOnPath };
}
const sum = (counts: Uint32Array): number => counts.reduce((all, count) => all + count, 0);

describe('the timeline', () => {
  it('counts the entries of the shown branch apart from the others', () => {
    const { line } = timeline();
    expect([sum(line.active), sum(line.others)]).toEqual([10, 5]);
    expect(line.active[0]).toBe(1);
    expect(line.others[0]).toBe(0);
    expect(line.most).toBe(2);
    const [active, others] = barPaths(line, 30, 20);
    expect(active.split('M').length - 1).toBe(10);
    expect(others.split('M').length - 1).toBe(5);
  });

  it('leaves out what has no time, and takes times that are out of order', () => {
    const { line } = timeline(({ time }) => {
      const times = time as (number | null)[];
      times[2] = null;
      times[0] = 8.5 * MINUTE;
    });
    expect(line.rows.length).toBe(14);
    expect([...line.rows].indexOf(0)).toBeGreaterThan(5);
  });

  it('marks compactions, labels and turns that failed', () => {
    const { line } = timeline(({ type, flags }) => {
      (type as string[])[5] = 'compaction';
      (flags as number[])[7] = FLAG.error;
    });
    expect(line.marks).toEqual({ compaction: [50], label: [30], error: [70] });
  });

  it('means the entry of the shown branch when one is near, else the nearest of all', () => {
    const { line, onPath } = timeline();
    expect(rowAtX(line, onPath, 51)).toBe(5);
    const { line: far, onPath: path } = timeline(({ time }) => {
      (time as number[])[14] = 15 * MINUTE;
    });
    expect(rowAtX(far, path, 90)).toBe(14);
    expect(rowAtX(far, path, 5000)).toBe(14);
    expect(rowAtX(far, path, -50)).toBe(0);
  });

  it('has nothing to point at without times', () => {
    const { line, onPath } = timeline(({ time }) => (time as (number | null)[]).fill(null));
    expect([line.rows.length, rowAtX(line, onPath, 10), rowByKey(line, onPath, 3, 'Home')]).toEqual([0, -1, -1]);
  });

  it('moves by keys from bar to bar of the shown branch', () => {
    const { line, onPath } = timeline();
    const press = (row: number, key: string): number => rowByKey(line, onPath, row, key);
    expect([press(4, 'ArrowRight'), press(4, 'ArrowLeft')]).toEqual([5, 3]);
    expect([press(4, 'Home'), press(4, 'End')]).toEqual([0, 9]);
    expect([press(9, 'ArrowRight'), press(0, 'ArrowLeft')]).toEqual([-1, -1]);
    expect(press(0, 'PageUp')).toBe(6);
    expect(press(12, 'ArrowLeft')).toBeLessThan(8);
    expect(press(4, 'x')).toBe(-1);
  });

  it('is made in time for 60,000 entries, with bars as many as fit', () => {
    const { columns, rowsOnPath } = treeOf(chainRows(60_000));
    const begin = performance.now();
    const line = timelineOf({ columns, onPath: rowsOnPath, labels: new Map() }, 1400);
    expect(performance.now() - begin).toBeLessThan(1000);
    expect(line.active.length).toBeLessThanOrEqual(1400 / BAR + 1);
    expect(sum(line.active)).toBe(60_000);
  });
});
