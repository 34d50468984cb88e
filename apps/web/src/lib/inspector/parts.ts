import type { Context } from '@stemma/api/schemas';
import { CONTEXT_STATUSES } from '@stemma/core/pure';

import type { LensKey } from '../session/lens.svelte.ts';

/** The kinds of message that a context is made of, in the order of the bar. */
export const PARTS = ['system', 'summary', 'prompt', 'answer', 'tool', 'other'] as const;
export type PartName = (typeof PARTS)[number];

export interface Part {
  name: PartName;
  messages: number;
  tokens: number;
  /** Share of all tokens, 0 … 1. */
  share: number;
}

const PART_OF: Readonly<Record<string, PartName>> = {
  system: 'system',
  developer: 'system',
  compactionSummary: 'summary',
  branchSummary: 'summary',
  user: 'prompt',
  assistant: 'answer',
  toolResult: 'tool',
};

export function partOf(role: string): PartName {
  return (Object.hasOwn(PART_OF, role) ? PART_OF[role] : undefined) ?? 'other';
}

/** Messages and tokens by kind; kinds that do not occur are left out. */
export function partsOf(messages: Context['messages']): Part[] {
  const sums = new Map<PartName, { messages: number; tokens: number }>();
  let total = 0;
  for (const { role, tokens } of messages) {
    const name = partOf(role);
    const sum = sums.get(name) ?? { messages: 0, tokens: 0 };
    sum.messages++;
    sum.tokens += tokens;
    total += tokens;
    sums.set(name, sum);
  }
  return PARTS.flatMap((name) => {
    const sum = sums.get(name);
    return sum === undefined ? [] : [{ name, ...sum, share: total === 0 ? 0 : sum.tokens / total }];
  });
}

export interface StatusTally {
  status: LensKey['status'];
  entries: number;
  /** By reason, most first. */
  reasons: { key: LensKey; entries: number }[];
}

/** How many entries are not sent as they are, by status and reason; statuses that do not occur are left out. */
export function tallyLens(context: Pick<Context, 'lens' | 'lensKeys'>): StatusTally[] {
  const byKey = context.lensKeys.map(() => 0);
  for (const [, rows, key] of context.lens) byKey[key] = (byKey[key] ?? 0) + rows;
  return CONTEXT_STATUSES.filter((status) => status !== 'sent').flatMap((status) => {
    const reasons = context.lensKeys
      .map((key, index) => ({ key, entries: byKey[index] ?? 0 }))
      .filter((reason) => reason.key.status === status && reason.entries > 0)
      .sort((a, b) => b.entries - a.entries);
    const entries = reasons.reduce((sum, reason) => sum + reason.entries, 0);
    return entries === 0 ? [] : [{ status, entries, reasons }];
  });
}
