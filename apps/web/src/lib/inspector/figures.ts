import { fmt, t } from '../i18n/index.ts';

/** Rows of the tables of usage, and those that only a whole path has. */
export const COUNTS = ['entries', 'messages', 'prompts', 'answers', 'toolCalls', 'errors'] as const;
export const USAGE = ['calls', 'input', 'output', 'cacheRead', 'cacheWrite', 'tokens', 'cost'] as const;

/** A number of the statistics in words: unknown is not zero. */
export function figure(value: number | null, isCost = false): string {
  if (value === null) return t('inspector.unknown');
  if (isCost) return fmt.cost(value);
  return value >= 100_000 ? fmt.compact(value) : fmt.number(value);
}

/** How a sum reads that some calls did not add to, because the file does not say theirs: `≥ 1,200`. */
export function atLeast(value: number | null, unknown: number, isCost = false): string {
  return value !== null && unknown > 0 ? `≥ ${figure(value, isCost)}` : figure(value, isCost);
}
