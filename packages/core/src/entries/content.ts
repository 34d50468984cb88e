import { asArray, asRecord, asString, isRecord, lineHead } from './read.ts';
import { callTitle } from './tool-title.ts';

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
  /** Those of them that are tool calls. */
  callChars: number;
  images: number;
  callIds: string[];
  /** What the calls do, one line each. */
  callTitles: string[];
  /** There is a block besides tool calls and redacted thinking. */
  ownContent: boolean;
  /** There is something that says anything: no blank text or thinking, no empty signature. */
  saysSomething: boolean;
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
    callChars: 0,
    images: 0,
    callIds: [],
    callTitles: [],
    ownContent: false,
    saysSomething: false,
    missing: content === null || content === undefined,
  };
  if (typeof content === 'string') {
    facts.firstText = content;
    facts.chars = content.length;
    facts.ownContent = true;
    facts.saysSomething = !isBlank(content);
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
      facts.saysSomething ||= !isBlank(text);
      return;
    }
    case 'thinking': {
      const text = asString(block['thinking']) ?? '';
      if (facts.firstThinking === '') facts.firstThinking = text;
      facts.chars += text.length;
      facts.ownContent = true;
      facts.saysSomething ||= !isBlank(text) || !isBlank(block['thinkingSignature']);
      return;
    }
    case 'image':
      facts.images++;
      facts.chars += IMAGE_CHARS;
      facts.ownContent = true;
      facts.saysSomething = true;
      return;
    case 'toolCall': {
      facts.saysSomething = true;
      facts.callIds.push(asString(block['id']) ?? '');
      facts.callTitles.push(lineHead(callTitle(asString(block['name']) ?? '', block['arguments'])));
      const chars = (asString(block['name']) ?? '').length + jsonChars(block['arguments']);
      facts.chars += chars;
      facts.callChars += chars;
      return;
    }
    case 'redactedThinking':
      facts.saysSomething ||= !isBlank(block['data']);
      return;
    case 'fallback':
      facts.ownContent = true;
      return;
    default:
      facts.ownContent = true;
      facts.saysSomething = true;
  }
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

/** Length of a value as JSON, escapes not counted, without serialising it. */
export function jsonChars(value: unknown): number {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value.length + 2 : 4;
  let chars = 0;
  const pending: object[] = [value];
  for (let i = 0; i < pending.length; i++) {
    const holder = pending[i]!;
    const isList = Array.isArray(holder);
    // Brackets, less the comma that the last value does not have.
    chars += 1;
    for (const key in holder) {
      const inner = (holder as Record<string, unknown>)[key];
      chars += isList ? 1 : key.length + 4;
      if (typeof inner === 'string') chars += inner.length + 2;
      else if (typeof inner === 'object' && inner !== null) pending.push(inner);
      else chars += 4;
    }
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
