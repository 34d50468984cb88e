/** Content of messages as the parts that a reader sees, long texts cut. */
import { TEXT_LIMIT, type ContentPart, type ImageRef, type Truncated } from '../transcript/items.ts';
import { contentBlocks, jsonChars } from './content.ts';
import { contentImage, imagesBeside, type StoredImage } from './images.ts';
import { asRecord, asString, isHighSurrogate } from './read.ts';

export interface Clipped {
  text: string;
  truncated?: Truncated;
}

/** Cuts a text after `limit` UTF-16 units, never between the halves of a surrogate pair. */
export function clip(text: string, limit = TEXT_LIMIT): Clipped {
  if (text.length <= limit) return { text };
  const end = isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit;
  return { text: text.slice(0, end), truncated: { bytes: text.length } };
}

/** A JSON value as indented text, cut. */
export function clipJson(value: unknown): { json: string; truncated?: Truncated } {
  const { text, truncated } = clip(JSON.stringify(clipStrings(value).value, null, 2) ?? 'null');
  return truncated === undefined ? { json: text } : { json: text, truncated };
}

/** Counts the images of an entry in reading order, so that each can be asked for by its number. */
export class ImageCounter {
  #next = 0;

  ref({ mimeType, data, blob }: StoredImage): ImageRef {
    return { index: this.#next++, mimeType, bytes: blob === null ? data.length : null, blob };
  }
}

/** Parts of a message's content. Tool calls are left out: they are items of their own. */
export function contentParts(content: unknown, images: ImageCounter): ContentPart[] {
  const parts: ContentPart[] = [];
  for (const block of contentBlocks(content)) {
    const part = blockPart(asRecord(block), images);
    if (part !== null) parts.push(part);
  }
  return capped(parts, content);
}

/** Parts and calls of one message that are shown; of more only the number is said. */
export const PART_LIMIT = 1000;

/** Says that there are more blocks than are shown. */
export function morePart(count: number, source: unknown): ContentPart {
  return { type: 'other', name: '…', json: JSON.stringify(`${String(count)} more`), truncated: { bytes: jsonChars(source) } };
}

function capped(parts: ContentPart[], source: unknown): ContentPart[] {
  return parts.length <= PART_LIMIT ? parts : [...parts.slice(0, PART_LIMIT), morePart(parts.length - PART_LIMIT, source)];
}

/** Images that a message keeps beside its content, as parts. To be asked for after the content's own. */
export function besideParts(message: Record<string, unknown>, images: ImageCounter): ContentPart[] {
  const parts = imagesBeside(message).map((image): ContentPart => ({ type: 'image', image: images.ref(image) }));
  return capped(parts, message);
}

export function blockPart(block: Record<string, unknown>, images: ImageCounter): ContentPart | null {
  switch (block['type']) {
    case 'toolCall':
      return null;
    case 'text':
      return { type: 'text', ...clip(asString(block['text']) ?? '') };
    case 'thinking':
      return { type: 'thinking', ...clip(asString(block['thinking']) ?? '') };
    case 'redactedThinking':
      return { type: 'thinking', text: '', redacted: true };
    case 'image':
      return { type: 'image', image: images.ref(contentImage(block)) };
    default:
      return { type: 'other', name: asString(block['type']) ?? '', ...clipJson(block) };
  }
}

/** Values nested deeper than this are cut off: serialisers recurse, and no reader looks that deep. */
const DEPTH_LIMIT = 200;

/** Characters of one value that are copied. Each field costs some besides. */
const VALUE_LIMIT = 1024 * 1024;
const FIELD_CHARS = 16;

/**
 * A copy of a JSON value whose long texts, deep insides and what is over `most` characters are cut; `longest` is the
 * length of the longest text that was cut, or of the whole where there was more than `most`; 0 when nothing was cut.
 */
export function clipStrings(value: unknown, limit = TEXT_LIMIT, most = VALUE_LIMIT): { value: unknown; longest: number } {
  let longest = 0;
  let used = 0;
  const pending: { from: object; to: Record<string, unknown> | unknown[]; depth: number }[] = [];
  const copy = (inner: unknown, depth: number): unknown => {
    used += FIELD_CHARS;
    if (typeof inner === 'string') {
      if (inner.length > limit) longest = Math.max(longest, inner.length);
      const { text } = clip(inner, limit);
      used += text.length;
      return text;
    }
    if (typeof inner !== 'object' || inner === null) return inner;
    if (depth > DEPTH_LIMIT) return '…';
    const to: Record<string, unknown> | unknown[] = Array.isArray(inner) ? [] : {};
    pending.push({ from: inner, to, depth });
    return to;
  };
  const result = copy(value, 0);
  // Breadth first: what stands near the surface is worth more than what lies deep.
  for (let i = 0; i < pending.length; i++) {
    const { from, to, depth } = pending[i]!;
    const keys = Array.isArray(from) ? null : Object.keys(from);
    const count = keys === null ? (from as unknown[]).length : keys.length;
    for (let k = 0; k < count && used <= most; k++) {
      const key = keys === null ? String(k) : keys[k]!;
      used += keys === null ? 0 : key.length;
      setField(to, key, copy((from as Record<string, unknown>)[key], depth + 1));
    }
    const left = count - Object.keys(to).length;
    if (left > 0) setField(to, keys === null ? String(count - left) : '…', `… ${String(left)} more`);
  }
  if (used > most) longest = Math.max(longest, jsonChars(value));
  return { value: result, longest };
}

/** defineProperty keeps a field called __proto__ a field. */
function setField(to: object, key: string, value: unknown): void {
  Object.defineProperty(to, key, { value, enumerable: true, configurable: true, writable: true });
}
