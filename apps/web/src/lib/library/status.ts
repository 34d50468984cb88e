import type { SummaryRow } from '@stemma/api/schemas';

import type { IconName } from '../ui/icons.ts';

/** The mark before a session: a shape, a colour, and the dictionary key of its words. null for nothing to say. */
export interface StatusMark {
  readonly icon: IconName;
  readonly tone: 'rubric' | 'error' | 'quiet';
  readonly key: `common.live.${NonNullable<SummaryRow['live']>}` | `common.status.${SummaryRow['status']}`;
}

const LIVE_ICONS = { running: 'leaf', waiting: 'pending', paused: 'stopped' } as const;
const STATUS_MARKS: Readonly<Record<SummaryRow['status'], Pick<StatusMark, 'icon' | 'tone'> | null>> = {
  complete: null,
  interrupted: { icon: 'interrupted', tone: 'quiet' },
  aborted: { icon: 'stopped', tone: 'quiet' },
  error: { icon: 'error', tone: 'error' },
  pending: { icon: 'pending', tone: 'quiet' },
  unknown: { icon: 'question', tone: 'quiet' },
};

/** What stands before a session: what it does now goes before how it ended. A complete one needs no mark. */
export function statusMark(row: Pick<SummaryRow, 'status' | 'live'>): StatusMark | null {
  if (row.live !== null) return { icon: LIVE_ICONS[row.live], tone: 'rubric', key: `common.live.${row.live}` };
  const mark = STATUS_MARKS[row.status];
  return mark === null ? null : { ...mark, key: `common.status.${row.status}` };
}
