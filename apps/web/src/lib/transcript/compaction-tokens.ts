import { fmt, t } from '../i18n/index.ts';

/** The tokens before and after a compaction as the file states them; empty where it states neither. */
export function compactionTokens(before: number | null, after: number | null): string {
  if (before === null && after === null) return '';
  if (before !== null && after !== null) {
    return t('transcript.tokensFromTo', { before: fmt.compact(before), after: fmt.compact(after) });
  }
  return before === null
    ? t('transcript.tokensAfterOnly', { after: fmt.compact(after) })
    : t('transcript.tokensBeforeOnly', { before: fmt.compact(before) });
}
