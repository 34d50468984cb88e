import { branchSummary } from '../entries/branch-summary.ts';
import { compaction } from '../entries/compaction.ts';
import { contentBlocks } from '../entries/content.ts';
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

/**
 * What is missing to the last turn of a path when its process ended under it: one tool result with `isError` for each
 * call that has none, in the order of the calls. Empty where the turn is complete, was aborted, or somebody has spoken since.
 * The messages have no `timestamp`: whoever writes them knows when.
 * @param entries in file order  @param leafId null: nothing; unknown: the last entry
 */
export function interruptedTurnClosers(
  entries: readonly SessionEntry[],
  leafId: string | null,
  byId: { get(id: string): SessionEntry | undefined } = new Map(entries.map((entry) => [entry.id, entry])),
): AgentMessage[] {
  if (leafId === null) return [];
  const answered = new Set<string>();
  const seen = new Set<SessionEntry>();
  let at = byId.get(leafId) ?? entries.at(-1);
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    if (TALK.has(at.type)) return [];
    if (at.type === message.type) {
      const inner = asRecord((at as { message?: unknown }).message);
      if (inner['role'] === assistant.role) return closersOf(inner, answered);
      if (inner['role'] !== toolResult.role) return [];
      answered.add(asString(inner['toolCallId']) ?? '');
    }
    at = typeof at.parentId === 'string' ? byId.get(at.parentId) : undefined;
  }
  return [];
}

function closersOf(turn: Record<string, unknown>, answered: ReadonlySet<string>): AgentMessage[] {
  if (GIVEN_UP.has(asString(turn['stopReason']) ?? '')) return [];
  const closers: AgentMessage[] = [];
  for (const block of contentBlocks(turn['content'])) {
    const call = asRecord(block);
    const toolCallId = asString(call['id']);
    if (call['type'] !== 'toolCall' || toolCallId === null || answered.has(toolCallId)) continue;
    closers.push({
      role: toolResult.role,
      toolCallId,
      toolName: asString(call['name']) ?? '',
      content: [{ type: 'text', text: NOTICE }],
      isError: true,
    });
  }
  return closers;
}
