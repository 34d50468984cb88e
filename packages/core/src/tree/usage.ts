import { assistant } from '../entries/roles/assistant.ts';
import { branchSummary } from '../entries/branch-summary.ts';
import { compaction } from '../entries/compaction.ts';
import { modelUsage } from '../entries/model-usage.ts';
import { usage as usageEntry } from '../entries/usage.ts';
import type { Outline } from '../outline/outline.ts';

/** What calls of models amount to. null: the file does not say; with some unknown, the sum of the known. */
export interface UsageTally {
  /** Calls that were counted, each once. */
  calls: number;
  input: number | null;
  output: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  /** input + output + cacheRead + cacheWrite */
  tokens: number | null;
  /** USD */
  cost: number | null;
  /** Calls of which the file states no tokens, and no cost. */
  unknownUsage: number;
  unknownCost: number;
}

export function emptyUsage(): UsageTally {
  return {
    calls: 0,
    input: null,
    output: null,
    cacheRead: null,
    cacheWrite: null,
    tokens: null,
    cost: null,
    unknownUsage: 0,
    unknownCost: 0,
  };
}

export function addUsage(tally: UsageTally, outline: Outline, row: number): void {
  const usage = outline.usage(row);
  const tokens = usage === null ? null : outline.tokens(row);
  tally.calls++;
  if (tokens === null) tally.unknownUsage++;
  if (usage === null || usage.cost === null) tally.unknownCost++;
  if (usage === null) return;
  tally.input = plus(tally.input, usage.input);
  tally.output = plus(tally.output, usage.output);
  tally.cacheRead = plus(tally.cacheRead, usage.cacheRead);
  tally.cacheWrite = plus(tally.cacheWrite, usage.cacheWrite);
  tally.cost = plus(tally.cost, usage.cost);
  tally.tokens = plus(tally.tokens, tokens);
}

/** Adds figure to figure; unknown and unknown stay unknown. */
export function plus(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : a + b;
}

/** What a call was for. */
export type CallPurpose = 'talk' | 'compaction' | 'summary' | 'side';

/** What the model call behind a row was for; null where there was none. */
export function callPurpose(outline: Outline, row: number): CallPurpose | null {
  if (outline.role(row) === assistant.role) return 'talk';
  switch (outline.type(row)) {
    case compaction.type:
      return 'compaction';
    case branchSummary.type:
      return outline.has(row, 'emptySummary') && outline.usage(row) === null ? null : 'summary';
    case usageEntry.type:
    case modelUsage.type:
      return 'side';
    default:
      // Tools may call models themselves, and say so in their results.
      return outline.usage(row) === null ? null : 'talk';
  }
}

/**
 * Records that state the usage of a call that another record states as well → the row that counts for it: the one
 * with most tokens, of equals the last. Answers are the same by the provider's id; entries by their id and time.
 */
export function repeatedCalls(outline: Outline): Map<number, number> {
  const best = new Map<string, number>();
  const losers = new Map<number, string>();
  const enter = (key: string, row: number): void => {
    const rival = best.get(key);
    if (rival === undefined) best.set(key, row);
    else {
      const wins = (outline.tokens(row) ?? -1) >= (outline.tokens(rival) ?? -1);
      losers.set(wins ? rival : row, key);
      if (wins) best.set(key, row);
    }
  };
  for (let row = 0; row < outline.rowCount; row++) {
    const responseId = outline.responseId(row);
    if (responseId !== '') enter(`response ${responseId}`, row);
    else if (outline.has(row, 'duplicateId')) {
      const first = firstWithSameId(outline, row);
      if (first < 0) continue;
      const key = `entry ${String(first)}`;
      if (!best.has(key)) enter(key, first);
      enter(key, row);
    }
  }
  return new Map(Array.from(losers, ([row, key]) => [row, best.get(key)!]));
}

/** The first record of a repeated id, when it is the same entry and not another one that drew the same id; else -1. */
function firstWithSameId(outline: Outline, row: number): number {
  const first = outline.rowOf(outline.id(row).replace(/~\d+$/, ''));
  const same = first >= 0 && outline.type(first) === outline.type(row) && outline.role(first) === outline.role(row);
  return same && outline.time(first) === outline.time(row) ? first : -1;
}
