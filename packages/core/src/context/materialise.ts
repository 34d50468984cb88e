import { providerSummary, replacementHistory } from '../entries/compaction.ts';
import { replacementContent } from '../entries/context-edit.ts';
import { createContextNotesMessage, type MessageMakers } from '../entries/create-messages.ts';
import type { RawRecord } from '../entries/entry.ts';
import type { AgentMessage } from '../entries/messages.ts';
import { asArray, asRecord, isRecord } from '../entries/read.ts';
import { archiveView } from '../entries/snapcompact.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { system } from '../entries/roles/system.ts';
import { toolResult } from '../entries/roles/tool-result.ts';
import { user } from '../entries/roles/user.ts';
import type { Emission } from './plan.ts';

/** What stands in a transcript where an older compaction was. */
const SUPERSEDED_SUMMARY = '[superseded by a later compaction]';

const LISTS = new Set([user.role, assistant.role, toolResult.role]);

/** Options that change how bodies are turned into messages. */
export interface MaterialiseOptions {
  makers: MessageMakers;
  /** Null content of prompts, answers and results reads as an empty list, that of system messages as empty text. */
  emptyForNull: boolean;
  transcript: boolean;
}

/**
 * The message of one emission. Never changes the entry: what differs is copied.
 * @param bodyOf the entry of a row, in version 3 shape.
 */
export function materialise(emission: Emission, bodyOf: (row: number) => RawRecord, options: MaterialiseOptions): AgentMessage {
  const body = bodyOf(emission.row);
  const made = makeMessage(emission, body, options);
  const edited = emission.editRow === undefined ? made : withContent(made, replacementContent(bodyOf(emission.editRow)));
  return emission.stripCalls === undefined ? edited : withoutCalls(edited, new Set(emission.stripCalls), options.transcript);
}

function makeMessage(emission: Emission, body: RawRecord, options: MaterialiseOptions): AgentMessage {
  const { makers } = options;
  switch (emission.kind) {
    case 'message':
      return options.emptyForNull
        ? withoutNull(asRecord(body['message']) as AgentMessage)
        : (asRecord(body['message']) as AgentMessage);
    case 'systemCheckpoint':
      return asRecord(body['systemMessage']) as AgentMessage;
    case 'compactionSummary': {
      const message = makers.compactionSummary(body);
      if (emission.time !== undefined) message.timestamp = emission.time;
      if (emission.replay === true) message['providerPayload'] = replacementHistory(body) ?? providerSummary(body);
      const archive = emission.archive === undefined ? null : archiveView(body, emission.archive === 'limited');
      if (archive !== null && archive.blocks.length > 0) message['blocks'] = archive.blocks;
      if (archive !== null && archive.images.length > 0) message['images'] = archive.images;
      if (emission.superseded !== true) return message;
      const { shortSummary: _replaced, ...rest } = message;
      return { ...rest, summary: SUPERSEDED_SUMMARY };
    }
    case 'contextNotes':
      return createContextNotesMessage(body);
    default:
      return makers[emission.kind](body);
  }
}

function withoutNull(message: AgentMessage): AgentMessage {
  if (message.content !== null && message.content !== undefined) return message;
  if (LISTS.has(message.role)) return { ...message, content: [] };
  return message.role === system.role ? { ...message, content: '' } : message;
}

function withContent(message: AgentMessage, content: unknown): AgentMessage {
  const asBlocks = typeof content === 'string' && (message.role === assistant.role || message.role === toolResult.role);
  return {
    ...message,
    content: (asBlocks ? [{ type: 'text', text: content }] : content) as NonNullable<AgentMessage['content']>,
  };
}

/** The turn without the given calls: redacted thinking goes with them, since its signature covers the whole turn. */
function withoutCalls(message: AgentMessage, calls: ReadonlySet<string>, countStripped: boolean): AgentMessage {
  const content: Record<string, unknown>[] = [];
  let stripped = 0;
  for (const raw of asArray(message.content)) {
    if (!isRecord(raw)) continue;
    if (raw['type'] === 'toolCall' && calls.has(typeof raw['id'] === 'string' ? raw['id'] : '')) stripped++;
    else if (raw['type'] === 'thinking' && Boolean(raw['thinkingSignature'])) {
      const { thinkingSignature: _signature, ...rest } = raw;
      content.push(rest);
    } else if (raw['type'] !== 'redactedThinking') content.push(raw);
  }
  const copy: AgentMessage = { ...message, content: content as unknown as NonNullable<AgentMessage['content']> };
  if (countStripped) copy['strippedToolCalls'] = stripped;
  return copy;
}
