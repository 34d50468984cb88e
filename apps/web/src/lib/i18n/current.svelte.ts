import * as format from './format.ts';
import { formatTag, t } from './language.svelte.ts';

/** What stands for a value that is not known. */
const DASH = '–';

type Maybe = number | null | undefined;
const known = (value: Maybe, write: (value: number) => string): string => (value == null ? DASH : write(value));

/**
 * The formatters in the current language; reactive like `t`. Unknown values (`null`) are a dash.
 * Times are epoch ms, costs USD, durations ms.
 */
export const fmt = {
  DASH,
  number: (value: Maybe): string => known(value, (v) => format.formatNumber(formatTag(), v)),
  compact: (value: Maybe): string => known(value, (v) => format.formatCompact(formatTag(), v)),
  bytes: (value: Maybe): string => known(value, (v) => format.formatBytes(formatTag(), v)),
  /** `1.24M tok` */
  tokens: (value: Maybe): string => known(value, (v) => t('common.tokens', { n: format.formatCompact(formatTag(), v) })),
  cost: (value: Maybe): string => known(value, (v) => format.formatCost(formatTag(), v)),
  percent: (share: Maybe): string => known(share, (v) => format.formatPercent(formatTag(), v)),
  duration: (ms: Maybe): string => known(ms, (v) => format.formatDuration(formatTag(), v)),
  dateTime: (time: Maybe): string => known(time, (v) => format.formatDateTime(formatTag(), v)),
  clockTime: (time: Maybe): string => known(time, (v) => format.formatClock(formatTag(), v)),
  clockSeconds: (time: Maybe): string => known(time, (v) => format.formatClockSeconds(formatTag(), v)),
  day: (time: Maybe, now: number): string => known(time, (v) => format.formatDay(formatTag(), v, now)),
  month: (time: Maybe): string => known(time, (v) => format.formatMonth(formatTag(), v)),
  /** Pass `clock.now` of `state/clock.svelte.ts` to have it move on. */
  relative: (time: Maybe, now: number): string => known(time, (v) => format.formatRelative(formatTag(), v, now)),
};
