import type { SessionEntry, RawRecord } from '../entries/entry.ts';
import type { AgentMessage } from '../entries/messages.ts';
import type { Outline } from '../outline/outline.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { materialise } from './materialise.ts';
import { planContext, verdictsOf, type ContextPlan, type Verdict } from './plan.ts';
import type { ContextStatus } from './types.ts';

/** What a model call at a leaf carries, from the outline alone. */
export function modelContext(outline: Outline, leafRow: number, shapes: Shapes): ContextPlan {
  return planContext(outline, leafRow, shapes.context, { transcript: false, collapse: false, keepDangling: false });
}

export type LoadEntries = (rows: readonly number[]) => Promise<SessionEntry[]>;

/** The messages `from … from + limit` of a plan, with their bodies. */
export async function contextMessages(
  plan: ContextPlan,
  shapes: Shapes,
  load: LoadEntries,
  from: number,
  limit: number,
): Promise<AgentMessage[]> {
  const emissions = plan.emissions.slice(from, from + limit);
  const rows = new Set<number>();
  for (const { row, editRow } of emissions) {
    rows.add(row);
    if (editRow !== undefined) rows.add(editRow);
  }
  const wanted = [...rows];
  const bodies = await load(wanted);
  const byRow = new Map(wanted.map((row, i) => [row, bodies[i] as unknown as RawRecord]));
  const options = { makers: shapes.context.makers, emptyForNull: shapes.emptyForNull, transcript: false };
  return emissions.map((emission) => materialise(emission, (row) => byRow.get(row)!, options));
}

/** The lens: the verdict on every entry as runs of rows with the same answer. */
export interface Lens {
  /** [first row, rows, index into `keys`], in file order. */
  runs: [number, number, number][];
  keys: Verdict[];
  counts: Partial<Record<ContextStatus, number>>;
}

export function contextLens(outline: Outline, plan: ContextPlan): Lens {
  const lens: Lens = { runs: [], keys: [], counts: {} };
  const indexOf = new Map<string, number>();
  for (const [row, verdict] of verdictsOf(outline, plan).entries()) {
    const name = `${verdict.status}|${verdict.reason ?? ''}|${String(verdict.compactionRow ?? '')}`;
    let key = indexOf.get(name);
    if (key === undefined) {
      key = lens.keys.length;
      indexOf.set(name, key);
      lens.keys.push(verdict);
    }
    lens.counts[verdict.status] = (lens.counts[verdict.status] ?? 0) + 1;
    const last = lens.runs.at(-1);
    if (last !== undefined && last[2] === key) last[1]++;
    else lens.runs.push([row, 1, key]);
  }
  return lens;
}
