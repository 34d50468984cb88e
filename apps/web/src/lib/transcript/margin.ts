import type { ToolCallItem, TranscriptItem, Turn, Usage } from '@stemma/core/pure';

import type { CountedStatus } from '../tree/run-lens.ts';

export interface MarginFacts {
  /** Who speaks: empty for the reader, a role for others; null for what is said elsewhere. */
  who: string | null;
  /** Epoch ms. */
  time: number | null;
  model: string | null;
  /** Provider and model in full. */
  modelTitle: string;
  /** `up`: everything that was sent, cached or not. Null where the file says nothing. */
  usage: (Usage & { up: number | null }) | null;
}

/** The sum of what is known; null when nothing is. */
export function sumKnown(...values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function usageOf(turn: Turn | undefined): MarginFacts['usage'] {
  const usage = turn?.usage;
  if (!usage) return null;
  const up = sumKnown(usage.input, usage.cacheRead, usage.cacheWrite);
  // A turn that failed at once reports zeros: nothing to read.
  return sumKnown(up, usage.output, usage.cost) ? { ...usage, up } : null;
}

/** How long a tool ran in ms, as far as the times of call and result tell; from its beginning, where a log has that. */
export function toolTime(item: ToolCallItem): number | null {
  const from = item.log?.begun ?? item.time;
  if (from === null || item.result?.time == null) return null;
  const ms = item.result.time - from;
  return ms >= 0 ? ms : null;
}

/** What stands in the margin beside an entry, from its first block. */
export function marginOf(item: TranscriptItem): MarginFacts {
  const turn = item.kind === 'assistant' || item.kind === 'toolCall' ? item.turn : undefined;
  const quiet = item.kind === 'settings' || item.kind === 'notice';
  return {
    who: item.kind === 'user' ? (item.role === 'user' ? '' : item.role) : null,
    time: quiet ? null : item.time,
    model: turn?.model ?? null,
    modelTitle: [turn?.provider, turn?.model].filter((part) => part != null).join('/'),
    usage: usageOf(turn),
  };
}

/** Whether the margin names a status other than folded: where it is not what everybody expects of such a block. */
export function marksStatus(item: TranscriptItem, status: CountedStatus): boolean {
  const isAside = item.kind === 'settings' || item.kind === 'notice';
  return status === 'dropped' || status === 'adjusted' || ((status === 'neverSent' || status === 'notYet') && !isAside);
}
