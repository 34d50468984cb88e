import { kindOf } from '../tree/kinds.ts';
import type { Scene } from '../tree/scene.svelte.ts';
import { timeScale, type TimeScale } from './time-scale.ts';

export type MarkKind = 'compaction' | 'label' | 'error';

export interface Timeline {
  readonly scale: TimeScale;
  /** Rows with a known time, earliest first. */
  readonly rows: Int32Array;
  /** Pixels from the left, by place in `rows`. */
  readonly xs: Float64Array;
  /** Entries in each bar: on the shown branch, and on others. */
  readonly active: Uint32Array;
  readonly others: Uint32Array;
  /** Entries in the fullest bar. */
  readonly most: number;
  /** Pixels of what stands out, each pixel once. */
  readonly marks: Readonly<Record<MarkKind, readonly number[]>>;
}

/** Pixels from one bar to the next. */
export const BAR = 6;
/** So far from the pointer an entry is still meant. */
const REACH = 8;

type TimelineScene = Pick<Scene, 'columns' | 'onPath' | 'labels'>;

/** What the timeline shows in `width` pixels. Linear, but for sorting where times are out of order. */
export function timelineOf({ columns, onPath, labels }: TimelineScene, width: number): Timeline {
  const rows = byTime(columns.time);
  const times = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) times[at] = columns.time[rows[at]!] ?? 0;
  const scale = timeScale(times, width);
  const bars = Math.max(1, Math.ceil((width + 1) / BAR));
  const active = new Uint32Array(bars);
  const others = new Uint32Array(bars);
  const marks: Record<MarkKind, Set<number>> = { compaction: new Set(), label: new Set(), error: new Set() };
  const xs = scale.xs(times);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    const x = xs[at]!;
    (onPath[row] === 1 ? active : others)[barOf(x, bars)]!++;
    const kind = kindOf(columns, row);
    if (kind === 'compaction' || kind === 'error') marks[kind].add(Math.round(x));
    if (labels.has(row)) marks.label.add(Math.round(x));
  }
  let most = 1;
  for (let bar = 0; bar < bars; bar++) most = Math.max(most, active[bar]! + others[bar]!);
  const { compaction, label, error } = marks;
  return { scale, rows, xs, active, others, most, marks: { compaction: [...compaction], label: [...label], error: [...error] } };
}

const barOf = (x: number, bars: number): number => Math.min(bars - 1, Math.max(0, Math.floor(x / BAR)));

function byTime(time: readonly (number | null)[]): Int32Array {
  const rows = new Int32Array(time.length);
  let count = 0;
  let ordered = true;
  for (let row = 0; row < time.length; row++) {
    if (time[row] == null) continue;
    ordered &&= count === 0 || time[rows[count - 1]!]! <= time[row]!;
    rows[count++] = row;
  }
  const known = rows.subarray(0, count);
  return ordered ? known : known.sort((a, b) => time[a]! - time[b]! || a - b);
}

/** First place in `xs` (ascending) that is not left of `x`. */
function placeAt(xs: Float64Array, x: number): number {
  let low = 0;
  let high = xs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle]! < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The entry that a pixel means: the nearest on the shown branch, if one is near, else the nearest of all; -1 without any. */
export function rowAtX({ rows, xs }: Timeline, onPath: Uint8Array, x: number): number {
  const from = placeAt(xs, x - REACH);
  let nearest = -1;
  let best = Infinity;
  for (let at = from; at < xs.length && xs[at]! <= x + REACH; at++) {
    const far = Math.abs(xs[at]! - x) + (onPath[rows[at]!] === 1 ? 0 : 2 * REACH);
    if (far < best) [best, nearest] = [far, at];
  }
  if (nearest >= 0) return rows[nearest]!;
  const after = Math.min(placeAt(xs, x), xs.length - 1);
  const before = Math.max(0, after - 1);
  return rows[Math.abs((xs[before] ?? 0) - x) < Math.abs((xs[after] ?? 0) - x) ? before : after] ?? -1;
}

/** Bars that a key moves by; a sign says the direction. */
const MOVES: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -Infinity,
  End: Infinity,
};

/** Where a key moves the selection along the shown branch: an entry some bars away; -1 where the key does not move. */
export function rowByKey({ rows, xs }: Timeline, onPath: Uint8Array, row: number, key: string): number {
  const bars = MOVES[key];
  if (bars === undefined) return -1;
  const direction = Math.sign(bars);
  const here = rows.indexOf(row);
  const x = here < 0 ? (direction > 0 ? -Infinity : Infinity) : Math.floor(xs[here]! / BAR);
  let found = -1;
  for (let at = here < 0 ? (direction > 0 ? 0 : rows.length - 1) : here; at >= 0 && at < rows.length; at += direction) {
    if (onPath[rows[at]!] !== 1) continue;
    const away = (Math.floor(xs[at]! / BAR) - x) * direction;
    if (away > 0) found = rows[at]!;
    if (away >= Math.abs(bars)) break;
  }
  return found;
}

/** The bars as two SVG paths of upright lines on the line at `base`: those of the shown branch, and the others on top of them. */
export function barPaths({ active, others, most }: Timeline, base: number, height: number): [active: string, others: string] {
  let path = '';
  let side = '';
  const tall = (count: number): number => Math.sqrt(count / most) * height;
  for (let bar = 0; bar < active.length; bar++) {
    const total = active[bar]! + others[bar]!;
    if (total === 0) continue;
    const x = bar * BAR + BAR / 2;
    const top = Math.max(1.5, tall(total));
    const split = (top * active[bar]!) / total;
    if (active[bar]! > 0) path += `M${x} ${base}v${-split.toFixed(1)}`;
    if (others[bar]! > 0) side += `M${x} ${(base - split).toFixed(1)}v${-(top - split).toFixed(1)}`;
  }
  return [path, side];
}
