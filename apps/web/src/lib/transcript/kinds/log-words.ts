import { t } from '../../i18n/index.ts';

/** Words that logs of events have for what happened, and ours for them. */
const WORDS = {
  'allowed-once': 'allowedOnce',
  rejected: 'rejected',
  cancelled: 'cancelled',
  unavailable: 'unavailable',
  blocked: 'blocked',
  block: 'blocked',
  'max-tokens': 'maxTokens',
  interrupted: 'interrupted',
  aborted: 'aborted',
  'aborted-user': 'abortedByUser',
  'aborted-parent': 'abortedByParent',
  'aborted-disposed': 'abortedByClosing',
  'aborted-legacy': 'aborted',
  'aborted-hook': 'abortedByHook',
  error: 'error',
  forked: 'forked',
  approvals: 'approvals',
  permissions: 'permissions',
  sandbox: 'sandbox',
  agent: 'agent',
  'plan-on': 'planOn',
  'plan-off': 'planOff',
  create: 'created',
  complete: 'completed',
} as const;

/** A word of a log in the reader's language; one that nobody knows stays as it is. */
export function logWord(word: string): string {
  const known: Readonly<Record<string, (typeof WORDS)[keyof typeof WORDS]>> = WORDS;
  return Object.hasOwn(known, word) ? t(`transcript.word.${known[word]!}`) : word;
}
