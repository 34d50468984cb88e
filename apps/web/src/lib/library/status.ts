import type { SummaryRow } from '@stemma/api/schemas';

import { t } from '../i18n/index.ts';
import type { IconName } from '../ui/icons.ts';

/** The mark before a session: a shape, a colour, and the dictionary keys of its words. */
export interface StatusMark {
  readonly icon: IconName;
  readonly tone: 'live' | 'error' | 'quiet';
  readonly key: `common.live.${NonNullable<SummaryRow['live']>}` | `common.status.${SummaryRow['status']}`;
  /** How it ended so far, where it is live and that is worth a word. */
  readonly ended: `common.status.${SummaryRow['status']}` | null;
}

const LIVE_ICONS = { running: 'leaf', waiting: 'pending', paused: 'paused' } as const;
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
  const mark = STATUS_MARKS[row.status];
  const status = mark === null ? null : (`common.status.${row.status}` as const);
  if (row.live !== null) return { icon: LIVE_ICONS[row.live], tone: 'live', key: `common.live.${row.live}`, ended: status };
  return mark === null || status === null ? null : { ...mark, key: status, ended: null };
}

/** The words of a mark: "interrupted · paused". */
export function markText({ key, ended }: StatusMark): string {
  return ended === null ? t(key) : `${t(ended)} · ${t(key)}`;
}
