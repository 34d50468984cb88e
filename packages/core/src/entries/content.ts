import { asArray, asRecord, asString, isRecord } from './read.ts';

/** An image counts as this many characters in estimates (Pi's figure). */
export const IMAGE_CHARS = 4800;

/** What the outline wants to know of a message's content, in one pass over its blocks. */
export interface ContentFacts {
  /** First visible text; empty when there is none. */
  firstText: string;
  /** First thinking text, for turns without visible text. */
  firstThinking: string;
  /** Characters, images counted as `IMAGE_CHARS`. */
  chars: number;
  images: number;
  callIds: string[];
  firstCall: { name: string; args: unknown } | null;
  /** There is a block besides tool calls and redacted thinking. */
  ownContent: boolean;
  /** The content was null or missing. */
  missing: boolean;
}

/** Blocks of a message: text becomes one text block, null and missing none. */
export function contentBlocks(content: unknown): unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return asArray(content);
}

export function contentFacts(content: unknown): ContentFacts {
  const facts: ContentFacts = {
    firstText: '',
    firstThinking: '',
    chars: 0,
    images: 0,
    callIds: [],
    firstCall: null,
    ownContent: false,
    missing: content === null || content === undefined,
  };
  if (typeof content === 'string') {
    facts.firstText = content;
    facts.chars = content.length;
    facts.ownContent = true;
    return facts;
  }
  for (const block of asArray(content)) if (isRecord(block)) countBlock(block, facts);
  return facts;
}

function countBlock(block: Record<string, unknown>, facts: ContentFacts): void {
  switch (block['type']) {
    case 'text': {
      const text = asString(block['text']) ?? '';
      if (facts.firstText === '' && text.trim() !== '') facts.firstText = text;
      facts.chars += text.length;
      facts.ownContent = true;
      return;
    }
    case 'thinking': {
      const text = asString(block['thinking']) ?? '';
      if (facts.firstThinking === '') facts.firstThinking = text;
      facts.chars += text.length;
      facts.ownContent = true;
      return;
    }
    case 'image':
      facts.images++;
      facts.chars += IMAGE_CHARS;
      facts.ownContent = true;
      return;
    case 'toolCall': {
      facts.callIds.push(asString(block['id']) ?? '');
      facts.firstCall ??= { name: asString(block['name']) ?? '', args: block['arguments'] };
      facts.chars += (asString(block['name']) ?? '').length + argumentChars(block['arguments']);
      return;
    }
    case 'redactedThinking':
      return;
    default:
      facts.ownContent = true;
  }
}

/** Rough size of tool arguments: the lengths of their texts, two levels deep, without serialising them. */
function argumentChars(args: unknown): number {
  let chars = 0;
  const pending: [unknown, number][] = [[args, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, depth] = next;
    if (typeof value === 'string') chars += value.length;
    else if (typeof value === 'object' && value !== null && depth < 6) {
      for (const [key, inner] of Object.entries(value)) {
        chars += Array.isArray(value) ? 1 : key.length + 4;
        pending.push([inner, depth + 1]);
      }
    } else chars += 4;
  }
  return chars;
}

/** All visible text of a message's content, blocks joined by `separator`. */
export function contentText(content: unknown, separator = '\n'): string {
  if (typeof content === 'string') return content;
  const texts: string[] = [];
  for (const block of asArray(content)) {
    const record = asRecord(block);
    if (record['type'] === 'text' && typeof record['text'] === 'string') texts.push(record['text']);
  }
  return texts.join(separator);
}
