/** What an event says, in words that do not depend on whether the harness or ours tells it. */
import type { SessionEntry } from '../../src/entries/entry.ts';

type Json = Record<string, unknown>;

export interface HarnessEvent {
  type: string;
  seq: number;
  time: number;
  data: Json;
  ignorable?: boolean;
  surfaceOp?: unknown;
}

const record = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const blocks = (value: unknown): Json[] => (Array.isArray(value) ? value.map(record) : []);

/** Of an event as the harness reads it back. */
export function essenceOfEvent({ type, seq, time, data, ignorable }: HarnessEvent): unknown {
  const at = { id: String(seq), time };
  const message = record(data['message']);
  switch (type) {
    case 'user/message': {
      const { kind, plugin } = record(data['source']);
      return {
        ...at,
        says: kind === 'user' ? 'user' : String(plugin ?? kind),
        content: blocks(data['content']).map(harnessBlock),
      };
    }
    case 'assistant/message': {
      const { provider, model } = record(message['source']);
      const { inputTokens, outputTokens, cacheReadTokens } = record(data['usage']);
      const usage = [inputTokens, outputTokens, cacheReadTokens];
      return { ...at, says: 'assistant', from: [provider, model], usage, content: blocks(message['content']).map(harnessBlock) };
    }
    case 'tool/result': {
      const [block = {}] = blocks(message['content']);
      const { toolCallId, isError, content } = block;
      return { ...at, says: 'toolResult', toolCallId, isError: isError === true, content: blocks(content).map(harnessBlock) };
    }
    case 'request/header': {
      const { provider, model, reasoningEffort } = record(record(data['header'])['config']);
      return { ...at, asks: [provider, model, reasoningEffort], prompt: record(data['header'])['system'] };
    }
    case 'compaction/summary':
      return { ...at, condenses: data['shadowedTokenCount'], content: blocks(data['summary']).map(harnessBlock) };
    case 'session/title':
      return { ...at, title: data['title'] };
    default:
      return { ...at, event: type, data, ignorable };
  }
}

/** Of an entry that we made of it. */
export function essenceOfEntry(entry: SessionEntry): unknown {
  const raw = entry as unknown as Json;
  const at = { id: entry.id, time: Date.parse(entry.timestamp) };
  const message = record(raw['message']);
  const content = blocks(message['content'] ?? raw['content']).map(ourBlock);
  switch (entry.type as string) {
    case 'custom_message':
      return { ...at, says: raw['customType'], content };
    case 'request':
      return {
        ...at,
        asks: [raw['provider'], raw['modelId'], raw['thinkingLevel']],
        prompt: record(raw['systemMessage'])['content'],
      };
    case 'compaction':
      return { ...at, condenses: raw['tokensBefore'], content: [['text', raw['summary']]] };
    case 'title_change':
      return { ...at, title: raw['title'] };
    case 'event':
      return { ...at, event: raw['event'], data: raw['data'], ignorable: raw['ignorable'] };
    default:
      return { ...at, ...saidBy(message), content };
  }
}

function saidBy(message: Json): Json {
  const { role } = message;
  if (role === 'toolResult') return { says: role, toolCallId: message['toolCallId'], isError: message['isError'] };
  if (role !== 'assistant') return { says: role };
  const { input, output, cacheRead } = record(message['usage']);
  return { says: role, from: [message['provider'], message['model']], usage: [input, output, cacheRead] };
}

function harnessBlock({ type, text, id, name, arguments: args }: Json): unknown {
  return type === 'tool-call' ? ['call', id, name, JSON.parse(String(args))] : [type, text];
}

function ourBlock({ type, text, thinking, id, name, arguments: args }: Json): unknown {
  if (type === 'toolCall') return ['call', id, name, args];
  return type === 'thinking' ? ['reasoning', thinking] : [type, text];
}
