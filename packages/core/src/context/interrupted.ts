import { branchSummary } from '../entries/branch-summary.ts';
import { compaction } from '../entries/compaction.ts';
import { contentBlocks } from '../entries/content.ts';
import { event } from '../entries/event.ts';
import { customMessage } from '../entries/custom-message.ts';
import type { SessionEntry } from '../entries/entry.ts';
import { message } from '../entries/message.ts';
import type { AgentMessage } from '../entries/messages.ts';
import { asRecord, asString } from '../entries/read.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { toolResult } from '../entries/roles/tool-result.ts';

/** Stop reasons of turns that ended, though not well: nobody waits for their calls. */
const GIVEN_UP: ReadonlySet<string> = new Set(['aborted', 'error']);

/** Entries that stand in the conversation, so that a result could not follow its call any more. */
const TALK: ReadonlySet<string> = new Set([compaction.type, branchSummary.type, customMessage.type]);

const NOTICE = 'The session ended before this tool call was answered. It may have run in part.';

/** What is known of a call from a log of events: nothing, or that it was begun. */
const NOT_STARTED = {
  code: 'TOOL_NOT_STARTED',
  text: 'The session ended before this tool was started. Call it again if it is still needed.',
};
const OUTCOME_UNKNOWN = {
  code: 'TOOL_OUTCOME_UNKNOWN',
  text:
    'The session ended while this tool was running, so nobody knows what it did. Call it again only if that does no harm; ' +
    'otherwise look what has happened, or ask.',
};
/** With these nobody waits for the calls of a step any more. */
const STEP_ENDS: ReadonlySet<string> = new Set(['step/end', 'turn/end']);

/**
 * What is missing to the last turn of a path when its process ended under it: one tool result with `isError` for each
 * call that has none, in the order of the calls. Empty where the turn is complete, was aborted, or somebody has spoken since.
 * Of a log of events they say whether the call was begun. The messages have no `timestamp`: whoever writes them knows when.
 * @param entries in file order  @param leafId null: nothing; unknown: the last entry
 */
export function interruptedTurnClosers(
  entries: readonly SessionEntry[],
  leafId: string | null,
  byId: { get(id: string): SessionEntry | undefined } = new Map(entries.map((entry) => [entry.id, entry])),
): AgentMessage[] {
  if (leafId === null) return [];
  const answered = new Set<string>();
  const begun = new Set<string>();
  let isLog = false;
  const seen = new Set<SessionEntry>();
  let at = byId.get(leafId) ?? entries.at(-1);
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    if (TALK.has(at.type)) return [];
    if (at.type === event.type) {
      const { event: name, data } = at as { event?: unknown; data?: unknown };
      if (STEP_ENDS.has(asString(name) ?? '')) return [];
      if (name === 'tool/call') begun.add(asString(asRecord(data)['callId']) ?? '');
      isLog = true;
    }
    if (at.type === message.type) {
      const inner = asRecord((at as { message?: unknown }).message);
      // Only entries of a log of events know their turn; nothing need follow the answer that ends it.
      isLog ||= typeof (at as { turn?: unknown }).turn === 'number';
      if (inner['role'] === assistant.role) return closersOf(inner, answered, isLog ? begun : null);
      if (inner['role'] !== toolResult.role) return [];
      answered.add(asString(inner['toolCallId']) ?? '');
    }
    at = typeof at.parentId === 'string' ? byId.get(at.parentId) : undefined;
  }
  return [];
}

/** @param begun calls that were begun; null where the session does not say */
function closersOf(
  turn: Record<string, unknown>,
  answered: ReadonlySet<string>,
  begun: ReadonlySet<string> | null,
): AgentMessage[] {
  if (GIVEN_UP.has(asString(turn['stopReason']) ?? '')) return [];
  const closers: AgentMessage[] = [];
  for (const block of contentBlocks(turn['content'])) {
    const call = asRecord(block);
    const toolCallId = asString(call['id']);
    if (call['type'] !== 'toolCall' || toolCallId === null || answered.has(toolCallId)) continue;
    const known = begun === null ? null : begun.has(toolCallId) ? OUTCOME_UNKNOWN : NOT_STARTED;
    closers.push({
      role: toolResult.role,
      toolCallId,
      toolName: asString(call['name']) ?? '',
      content: [{ type: 'text', text: known?.text ?? NOTICE }],
      ...(known === null ? {} : { details: { error: { code: known.code } } }),
      isError: true,
    });
  }
  return closers;
}
