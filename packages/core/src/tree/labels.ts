import { label } from '../entries/label.ts';
import type { Outline } from '../outline/outline.ts';

export interface ResolvedLabel {
  /** Row of the labelled entry. */
  row: number;
  label: string;
  /** When it was set, epoch ms. */
  time: number | null;
}

/** Labels in force by the row of their target: for each target the last label of the file counts, on any branch. */
export function resolveLabels(outline: Outline): Map<number, ResolvedLabel> {
  const labels = new Map<number, ResolvedLabel>();
  for (const at of outline.targetRows()) {
    if (outline.type(at) !== label.type) continue;
    const row = outline.resolve(outline.target(at) ?? '');
    if (row < 0) continue;
    if (outline.has(at, 'clears')) labels.delete(row);
    else labels.set(row, { row, label: outline.name(at), time: outline.time(at) });
  }
  return labels;
}
