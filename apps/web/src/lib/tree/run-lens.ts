import { toldStatus, type ToldStatus } from '../inspector/words.ts';
import type { Lens, LensKey } from '../session/lens.svelte.ts';
import type { TreeModel } from './tree-model.ts';

/** What became of the entries of each run in the model's view. */
export interface RunLens {
  /** Entries with a status, by run. */
  readonly counts: Readonly<Record<CountedStatus, Int32Array>>;
  /** Share of the run, from its beginning, at which the folded part begins and ends; 0 and 0 without one. */
  readonly from: Float64Array;
  readonly to: Float64Array;
}

/** What is said of a run. "Sent" and "on another branch" go without saying. */
export const COUNTED = ['folded', 'dropped', 'adjusted', 'neverSent', 'notYet'] as const;
export type CountedStatus = (typeof COUNTED)[number];

/** What a key is counted as; null for what goes without saying. */
export function countedStatus(key: Pick<LensKey, 'status' | 'reason'>): CountedStatus | null {
  const told: ToldStatus = toldStatus(key);
  return COUNTED.find((counted) => counted === told) ?? null;
}

/** One pass over all rows. */
export function runLens(tree: TreeModel, lens: Lens | null): RunLens | null {
  if (lens === null) return null;
  const counts = Object.fromEntries(COUNTED.map((status) => [status, new Int32Array(tree.count)])) as Record<
    CountedStatus,
    Int32Array
  >;
  const from = new Float64Array(tree.count);
  const to = new Float64Array(tree.count);
  const statusOf = lens.keys.map((key) => {
    const status = countedStatus(key);
    return status === null ? null : counts[status];
  });
  for (let run = 0; run < tree.count; run++) {
    const begin = tree.start[run]!;
    const end = tree.start[run + 1]!;
    for (let at = begin; at < end; at++) {
      const count = statusOf[lens.status[tree.rows[at]!] ?? -1];
      if (!count) continue;
      count[run]!++;
      if (count !== counts.folded) continue;
      if (count[run] === 1) from[run] = (at - begin) / (end - begin);
      to[run] = (at + 1 - begin) / (end - begin);
    }
  }
  return { counts, from, to };
}

/** Height between two lines of the hatch, in pixels. */
const STEP = 4;
/** Free of lines around the number in the middle of a capsule. */
const CLEAR = 9;

/** Hatching inside a capsule of half width `half` from `top` down: an SVG path of short lines, between two shares of its height. */
export function hatchPath(x: number, top: number, height: number, half: number, from: number, to: number): string {
  const radius = Math.min(half, height / 2);
  const middle = height / 2;
  let path = '';
  for (let y = STEP; y < height - STEP / 2; y += STEP) {
    if (y < from * height || y > to * height) continue;
    const rounding = Math.max(0, radius - y, y - (height - radius));
    const reach = Math.sqrt(Math.max(0, radius * radius - rounding * rounding)) - 2.5 - (radius - half);
    if (reach < 3) continue;
    if (Math.abs(y - middle) < CLEAR) continue;
    path += `M${x - reach} ${top + y}h${2 * reach}`;
  }
  return path;
}
