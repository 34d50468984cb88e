import type { AgentMessage } from '../entries/messages.ts';

/** What became of an entry in the model's view from some leaf. */
export const CONTEXT_STATUSES = ['sent', 'folded', 'otherBranch', 'neverSent', 'adjusted', 'dropped'] as const;
export type ContextStatus = (typeof CONTEXT_STATUSES)[number];

/** Why an entry has its status, where the status alone does not say it. */
export const REASON_CODES = [
  // neverSent
  'setting', // a model, thinking level, tier, mode or tool change
  'annotation', // a label, title, usage record or the like
  'extension_state', // a custom entry
  'unknown_type',
  'empty_summary',
  'excluded_by_user', // a command run with !!
  'unusable_content',
  'after_leaf', // a descendant of the leaf
  // folded
  'older_compaction', // a compaction that a later one replaced
  'before_reset',
  'provider_replay', // replaced by the provider's own history
  'system_checkpoint', // a system message that the compaction carries already
  // adjusted
  'unanswered_calls_removed',
  'content_replaced', // by a context_edit
  // dropped
  'only_unanswered_calls',
  'aborted_turn',
  'error_turn',
  'result_of_dropped_turn',
  'retry_recovery',
  'dropped_by_edit',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

export interface Explanation {
  id: string;
  status: ContextStatus;
  reason?: ReasonCode;
  compactionId?: string;
}

export type ContextRules = 'musepi' | 'pi' | 'dsh';

export interface ContextOptions {
  /** The whole history for display, never for a model. */
  transcript?: boolean;
  /** Whose rules; `musepi` by default. The app uses those of the session's shapes. */
  rules?: ContextRules;
  /** With `transcript`: show what the last compaction kept, then its summary, then the rest. */
  collapseCompactedHistory?: boolean;
  /** With `transcript`: leave unanswered tool calls in their turns. */
  keepDanglingToolCalls?: boolean;
}

export interface ContextSettings {
  thinkingLevel: string;
  serviceTier: Record<string, string> | null;
  /** role → "provider/id" */
  models: Record<string, string>;
  model: { provider: string; modelId: string } | null;
  injectedTtsrRules: string[];
  mode: string;
  modeData?: unknown;
}

export interface SessionContext extends ContextSettings {
  messages: AgentMessage[];
  /** Transcript only, parallel to `messages`: is it explained that the provider's cache missed here? */
  cacheMissExplainedAt?: boolean[];
}
