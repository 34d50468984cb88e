import type { Context } from '@stemma/api/schemas';
import { CONTEXT_STATUSES } from '@stemma/core/pure';

import type { LensKey } from '../session/lens.svelte.ts';
import { toldStatus, type ToldStatus } from './words.ts';

/** What a context is made of, in the order of the bar. */
export const PARTS = [
  'system',
  'summaries',
  'prompts',
  'answers',
  'toolCalls',
  'toolResults',
  'images',
  'commands',
  'other',
] as const satisfies readonly (keyof Context['parts'])[];

export interface Part {
  name: (typeof PARTS)[number];
  tokens: number;
  /** Share of all tokens, 0 … 1. */
  share: number;
}

/** Parts with tokens, in the order of the bar. */
export function partsOf(parts: Context['parts']): Part[] {
  const total = PARTS.reduce((sum, name) => sum + parts[name], 0);
  return PARTS.filter((name) => parts[name] > 0).map((name) => ({ name, tokens: parts[name], share: parts[name] / total }));
}

export interface ReasonTally {
  /** One of the keys with this reason. */
  key: LensKey;
  entries: number;
  /** How many compactions did it, where it was a compaction. */
  compactions: number;
}
export interface StatusTally {
  status: ToldStatus;
  entries: number;
  /** By reason, most first. */
  reasons: ReasonTally[];
}

/** How many entries are not sent as they are, by status and reason; statuses that do not occur are left out. */
export function tallyLens(context: Pick<Context, 'lens' | 'lensKeys'>): StatusTally[] {
  const byKey = context.lensKeys.map(() => 0);
  for (const [, rows, key] of context.lens) byKey[key] = (byKey[key] ?? 0) + rows;
  const tallies = new Map<ToldStatus, StatusTally>();
  for (const [index, key] of context.lensKeys.entries()) {
    const entries = byKey[index] ?? 0;
    if (entries === 0 || key.status === 'sent') continue;
    const status = toldStatus(key);
    const tally = tallies.get(status) ?? { status, entries: 0, reasons: [] };
    tallies.set(status, tally);
    tally.entries += entries;
    addReason(tally.reasons, key, entries);
  }
  for (const tally of tallies.values()) tally.reasons.sort((a, b) => b.entries - a.entries);
  return [...CONTEXT_STATUSES, 'notYet' as const].flatMap((status) => tallies.get(status) ?? []);
}

function addReason(reasons: ReasonTally[], key: LensKey, entries: number): void {
  const known = reasons.find((reason) => reason.key.reason === key.reason);
  const compactions = key.compactionId === undefined ? 0 : 1;
  if (known === undefined) reasons.push({ key, entries, compactions });
  else {
    known.entries += entries;
    known.compactions += compactions;
  }
}
