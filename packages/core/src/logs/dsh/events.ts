import { compaction } from '../../entries/compaction.ts';
import { customMessage } from '../../entries/custom-message.ts';
import type { RawRecord } from '../../entries/entry.ts';
import { event as eventEntry } from '../../entries/event.ts';
import { message } from '../../entries/message.ts';
import { asArray, asNumber, asRecord, asString, isRecord } from '../../entries/read.ts';
import { request } from '../../entries/request.ts';
import { assistant } from '../../entries/roles/assistant.ts';
import { system } from '../../entries/roles/system.ts';
import { toolResult } from '../../entries/roles/tool-result.ts';
import { developer, user } from '../../entries/roles/user.ts';
import { titleChange } from '../../entries/title-change.ts';
import { contentOf, textOf, usageOf } from './content.ts';
import { AnswerPieces } from './stream.ts';

/** The fields of an entry that its event gives: all but id, parent and time. */
type Mapper = (data: RawRecord, event: RawRecord) => RawRecord;

/** Name of an answer that broke off, which is made of its pieces: no event has it. */
export const PARTIAL_ANSWER = 'assistant/partial';
const TOOL_RESULT = 'tool/result';

/** Events that are entries of a kind that other sessions have, too. Every other one is an `event` entry. */
const MAPPERS: ReadonlyMap<string, Mapper> = new Map<string, Mapper>([
  ['user/message', userMessage],
  ['assistant/message', assistantMessage],
  [TOOL_RESULT, toolMessage],
  ['system/message', (data) => withPlace({ type: message.type, message: { ...inner(data), role: system.role } }, data)],
  ['developer/message', (data) => withPlace({ type: message.type, message: { ...inner(data), role: developer.role } }, data)],
  ['request/header', requestHeader],
  ['compaction/summary', compactionSummary],
  ['session/title', (data) => ({ type: titleChange.type, title: data['title'], source: data['source'] })],
  ['tool/code-dispatch', withContent],
  ['tool/ptc-dispatch', withContent],
  ['assistant/attempt', (data, event) => ({ ...plain(data, event), content: piecesOf(data['stream']) })],
]);

/** Entries that stand in the model's context, unless something replaces them. */
const SURFACE: ReadonlySet<string> = new Set([
  'user/message',
  'assistant/message',
  TOOL_RESULT,
  'system/message',
  'developer/message',
]);

/** The entry of an event, without id, parent and time; a new object, as the message in it is. */
export function fieldsOf(event: RawRecord): RawRecord {
  const name = asString(event['type']) ?? '';
  const fields = (MAPPERS.get(name) ?? plain)(asRecord(event['data']), event);
  const replaces = SURFACE.has(name) ? replacedBy(event['surfaceOp']) : null;
  if (replaces !== null) fields['replaces'] = replaces;
  return fields;
}

/** Is it, as an event, part of what the model sees? */
export function isOnSurface(event: RawRecord): boolean {
  return SURFACE.has(asString(event['type']) ?? '');
}

/** An event that has no counterpart elsewhere, whole. */
function plain(data: RawRecord, event: RawRecord): RawRecord {
  const { ignorable } = event;
  return withPlace(
    {
      type: eventEntry.type,
      event: event['type'],
      data: event['data'],
      ...(ignorable === undefined ? {} : { ignorable }),
    },
    data,
  );
}

/** An event that holds the content of a result: its pictures are found like those of every entry. */
function withContent(data: RawRecord, event: RawRecord): RawRecord {
  return { ...plain(data, event), content: contentOf(data['content'] ?? []) };
}

/** Turn and step, where the event has them. */
function withPlace(fields: RawRecord, { turn, step }: RawRecord): RawRecord {
  if (typeof turn === 'number') fields['turn'] = turn;
  if (typeof step === 'number') fields['step'] = step;
  return fields;
}

/** The nodes that an event takes the place of, from the first to the last, by their ids; null for none. */
function replacedBy(op: unknown): { from: string; to: string } | null {
  if (!isRecord(op) || op['op'] !== 'replace') return null;
  const from = asNumber(op['startSeq'] ?? op['start']);
  const to = asNumber(op['endSeq'] ?? op['end']);
  return from === null || to === null ? null : { from: String(from), to: String(to) };
}

function userMessage(data: RawRecord, event: RawRecord): RawRecord {
  const { content, source } = data;
  const by = asRecord(source);
  const isReplacement = replacedBy(event['surfaceOp']) !== null;
  if (by['kind'] === user.role && !isReplacement) {
    return { type: message.type, message: { ...data, role: user.role, content: contentOf(content) } };
  }
  const producer = asString(by['plugin']) ?? asString(by['kind']) ?? '';
  // What takes the place of others is for the model; people read what was said.
  return { type: customMessage.type, customType: producer, content: contentOf(content), display: !isReplacement, details: by };
}

function assistantMessage(data: RawRecord, event: RawRecord): RawRecord {
  const { usage, interrupted } = data;
  const { content, source, ...rest } = messageIn(data);
  const by = asRecord(source);
  const blocks = contentOf(content);
  const calls = asArray(blocks).some((block) => asRecord(block)['type'] === 'toolCall');
  const inside: RawRecord = {
    ...rest,
    role: assistant.role,
    content: blocks,
    ...(typeof by['provider'] === 'string' ? { provider: by['provider'] } : {}),
    ...(typeof by['model'] === 'string' ? { model: by['model'] } : {}),
    stopReason: interrupted === true ? 'aborted' : calls ? 'toolUse' : 'stop',
  };
  // A copy that takes the place of others has cost nothing.
  const used = replacedBy(event['surfaceOp']) === null ? usageOf(usage) : undefined;
  if (used !== undefined) inside['usage'] = used;
  return withPlace({ type: message.type, message: inside }, data);
}

/** Until format 3 a result is a user's message with one block; then it is a message of its own. */
function toolResultOf(data: RawRecord): { from: RawRecord; toolCallId: unknown } {
  const raw = messageIn(data);
  const block = asArray(raw['content']).find((part) => asRecord(part)['type'] === 'tool-result');
  const from = isRecord(block) ? block : raw;
  return { from, toolCallId: from['toolCallId'] ?? asRecord(raw['source'])['callId'] };
}

/** The call that an event answers; null where it answers none. */
export function answeredCall({ type, data }: RawRecord): string | null {
  return type === TOOL_RESULT ? asString(toolResultOf(asRecord(data)).toolCallId) : null;
}

function toolMessage(data: RawRecord): RawRecord {
  const { from, toolCallId } = toolResultOf(data);
  const { error, meta } = data;
  const inside: RawRecord = {
    role: toolResult.role,
    toolCallId,
    toolName: '',
    content: contentOf(from['content'] ?? []),
    isError: from['isError'] === true || error !== undefined,
  };
  if (error !== undefined || meta !== undefined) {
    inside['details'] = { ...(error === undefined ? {} : { error }), ...(meta === undefined ? {} : { meta }) };
  }
  return withPlace({ type: message.type, message: inside }, data);
}

/** The message of an event. In the first logs of format 0 its fields stand among those of the event. */
function messageIn(data: RawRecord): RawRecord {
  if (isRecord(data['message'])) return data['message'];
  const { content, provenance, callId, isError } = data;
  return { content, source: { ...asRecord(provenance), callId }, ...(isError === undefined ? {} : { isError }) };
}

function inner(data: RawRecord): RawRecord {
  const raw = messageIn(data);
  return { ...raw, content: contentOf(raw['content']) };
}

function requestHeader(data: RawRecord): RawRecord {
  const header = asRecord(data['header']);
  const { provider, model, reasoningEffort } = asRecord(header['config']);
  const { system: prompt, tools, ...rest } = header;
  const systemMessage =
    typeof prompt === 'string' || Array.isArray(tools)
      ? {
          systemMessage: {
            role: system.role,
            content: typeof prompt === 'string' ? prompt : textOf(prompt),
            ...(Array.isArray(tools) ? { toolsAdded: tools as unknown[] } : {}),
          },
        }
      : {};
  return {
    type: request.type,
    provider,
    modelId: model,
    ...(reasoningEffort === undefined ? {} : { thinkingLevel: reasoningEffort }),
    ...systemMessage,
    reason: data['reason'],
    header: rest,
  };
}

function compactionSummary(data: RawRecord): RawRecord {
  const { summary, shadowedTokenCount, usage, provider, model, ...details } = data;
  const used = usageOf(usage);
  return {
    type: compaction.type,
    summary: textOf(summary),
    tokensBefore: shadowedTokenCount,
    ...(used === undefined ? {} : { usage: used }),
    ...(typeof provider === 'string' ? { provider } : {}),
    ...(typeof model === 'string' ? { model } : {}),
    details,
  };
}

function piecesOf(stream: unknown): RawRecord[] {
  const pieces = new AnswerPieces();
  for (const record of asArray(stream)) if (isRecord(record)) pieces.add(record);
  return pieces.content();
}
