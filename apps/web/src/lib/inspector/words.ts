import type { ContextStatus, ReasonCode } from '@stemma/core/pure';

import { t } from '../i18n/index.ts';
import type { LensKey } from '../session/lens.svelte.ts';

/** A status of the context lens in one or two words. */
export function statusText(status: ContextStatus): string {
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
 * Why an entry has its status: the reason, else the compaction that folded it, else the status itself. `compactions`
 * are those of the file in order; their numbers are what the tree shows.
 */
export function reasonText(key: LensKey, compactions: readonly { entryId: string }[]): string {
  if (key.reason !== undefined) return reasonWords(key.reason);
  if (key.status !== 'folded' || key.compactionId === undefined) return t(`inspector.statusLong.${key.status}`);
  const index = compactions.findIndex((compaction) => compaction.entryId === key.compactionId);
  return t('inspector.foldedInto', { n: index < 0 ? key.compactionId : String(index + 1) });
}
