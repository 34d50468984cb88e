import * as format from './format.ts';
import { formatTag, t } from './language.svelte.ts';

/**
 * The formatters in the current language; reactive like `t`. Unknown values (`null`) are a dash.
 * Times are epoch ms, costs USD, durations ms.
 */
export const DASH = '–';

type Maybe = number | null | undefined;
const known = (value: Maybe, write: (value: number) => string): string => (value == null ? DASH : write(value));

export const number = (value: Maybe): string => known(value, (v) => format.formatNumber(formatTag(), v));
export const compact = (value: Maybe): string => known(value, (v) => format.formatCompact(formatTag(), v));
export const bytes = (value: Maybe): string => known(value, (v) => format.formatBytes(formatTag(), v));
/** `1.24M tok` */
export const tokens = (value: Maybe): string =>
  known(value, (v) => t('common.tokens', { n: format.formatCompact(formatTag(), v) }));
export const cost = (value: Maybe): string => known(value, (v) => format.formatCost(formatTag(), v));
export const percent = (share: Maybe): string => known(share, (v) => format.formatPercent(formatTag(), v));
export const duration = (ms: Maybe): string => known(ms, (v) => format.formatDuration(formatTag(), v));
export const dateTime = (time: Maybe): string => known(time, (v) => format.formatDateTime(formatTag(), v));
export const clockTime = (time: Maybe): string => known(time, (v) => format.formatClock(formatTag(), v));
export const day = (time: Maybe, now: number): string => known(time, (v) => format.formatDay(formatTag(), v, now));
export const month = (time: Maybe): string => known(time, (v) => format.formatMonth(formatTag(), v));
/** Pass `clock.now` of `state/clock.svelte.ts` to have it move on. */
export const relative = (time: Maybe, now: number): string => known(time, (v) => format.formatRelative(formatTag(), v, now));
