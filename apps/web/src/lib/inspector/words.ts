import type { ContextStatus, ReasonCode } from '@stemma/core/pure';

import { t } from '../i18n/index.ts';
import type { LensKey } from '../session/lens.svelte.ts';

/** A status as it is told: what comes after the asked entry is not sent yet, which is not the same as never. */
export type ToldStatus = ContextStatus | 'notYet';

/** What a key of the context lens is told as. */
export function toldStatus({ status, reason }: Pick<LensKey, 'status' | 'reason'>): ToldStatus {
  return reason === 'after_leaf' ? 'notYet' : status;
}

/** A status of the context lens in one or two words. */
export function statusText(status: ToldStatus): string {
  return t(`inspector.status.${status}`);
}

/** A reason in plain words. */
export function reasonWords(reason: ReasonCode): string {
  return t(`inspector.reason.${reason}`);
}

const ROLES = [
  'user',
  'assistant',
  'toolResult',
  'compactionSummary',
  'branchSummary',
  'system',
  'custom',
  'bashExecution',
] as const;

/** The role of a message in a word or two; roles that are not known stay as they are. */
export function roleText(role: string): string {
  const known = ROLES.find((name) => name === role);
  return known === undefined ? role : t(`inspector.role.${known}`);
}

/**
 * Why an entry has its status, to stand beside it: the reason, else the compaction that folded it, else the status in more
 * words. `compactions` are those of the file in order; their numbers are what the tree shows.
 */
export function reasonText(key: LensKey, compactions: readonly { entryId: string }[]): string {
  if (key.reason !== undefined) return reasonWords(key.reason);
  if (key.status !== 'folded' || key.compactionId === undefined) return t(`inspector.statusLong.${key.status}`);
  return t('inspector.intoCompaction', { n: compactionNumber(key.compactionId, compactions) });
}

/** The number of a compaction in the file, from 1; its id where the file's list does not hold it. */
export function compactionNumber(entryId: string, compactions: readonly { entryId: string }[]): string {
  const index = compactions.findIndex((compaction) => compaction.entryId === entryId);
  return index < 0 ? entryId : String(index + 1);
}
