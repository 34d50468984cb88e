import type { RawRecord } from '../../entries/entry.ts';
import { asArray, asRecord, asString, isRecord, parsedJson } from '../../entries/read.ts';

const ATTACHMENT = /^(?:sha256:)?([0-9a-f]{64})$/;

/** Content of a message in the form that all sessions have. Blocks that nobody knows stay as they are. */
export function contentOf(content: unknown): unknown {
  return Array.isArray(content) ? content.map(blockOf) : content;
}

/** One block of a content. */
export function blockOf(raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  switch (raw['type']) {
    case 'reasoning':
      return { type: 'thinking', thinking: asString(raw['text']) ?? '' };
    case 'tool-call': {
      const { id, name, arguments: args } = raw;
      return { type: 'toolCall', id, name, arguments: argumentsOf(args) };
    }
    case 'image':
      return imageOf(raw);
    default:
      return raw;
  }
}

/** Arguments are written as a text; one that is no JSON is shown as it is. */
export function argumentsOf(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const value = parsedJson(text);
  return value === undefined ? text : value;
}

/** Pictures lie beside the sessions, by the hash of their bytes. */
function imageOf(raw: RawRecord): RawRecord {
  const attachment = asRecord(raw['attachment']);
  const hash = ATTACHMENT.exec(asString(attachment['attachmentId']) ?? '')?.[1];
  if (hash === undefined) return raw;
  return { type: 'image', mimeType: attachment['mediaType'], data: `blob:sha256:${hash}`, name: attachment['name'] };
}

/** The text of a content, for titles and summaries. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const texts = asArray(content).flatMap((block) => {
    const { type, text } = asRecord(block);
    return type === 'text' && typeof text === 'string' ? [text] : [];
  });
  return texts.join('\n\n');
}

/** What a call used. The parts are disjoint there as here. */
export function usageOf(raw: unknown): RawRecord | undefined {
  if (!isRecord(raw)) return undefined;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = raw;
  return {
    ...(inputTokens === undefined ? {} : { input: inputTokens }),
    ...(outputTokens === undefined ? {} : { output: outputTokens }),
    ...(cacheReadTokens === undefined ? {} : { cacheRead: cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWrite: cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoning: reasoningTokens }),
  };
}
