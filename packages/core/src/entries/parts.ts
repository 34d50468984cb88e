/** Content of messages as the parts that a reader sees, long texts cut. */
import { TEXT_LIMIT, type ContentPart, type ImageRef, type Truncated } from '../transcript/items.ts';
import { contentBlocks } from './content.ts';
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
  return parts;
}

/** Images that a message keeps beside its content, as parts. To be asked for after the content's own. */
export function besideParts(message: Record<string, unknown>, images: ImageCounter): ContentPart[] {
  return imagesBeside(message).map((image) => ({ type: 'image', image: images.ref(image) }));
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

/**
 * A copy of a JSON value whose long texts and deep insides are cut; `longest` is the length of the longest text
 * that was cut, 0 for none.
 */
export function clipStrings(value: unknown, limit = TEXT_LIMIT): { value: unknown; longest: number } {
  let longest = 0;
  const pending: { from: object; to: Record<string, unknown> | unknown[]; depth: number }[] = [];
  const copy = (inner: unknown, depth: number): unknown => {
    if (typeof inner === 'string') {
      if (inner.length > limit) longest = Math.max(longest, inner.length);
      return clip(inner, limit).text;
    }
    if (typeof inner !== 'object' || inner === null) return inner;
    if (depth > DEPTH_LIMIT) return '…';
    const to: Record<string, unknown> | unknown[] = Array.isArray(inner) ? [] : {};
    pending.push({ from: inner, to, depth });
    return to;
  };
  const result = copy(value, 0);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [key, inner] of Object.entries(next.from)) {
      // defineProperty keeps a field called __proto__ a field.
      Object.defineProperty(next.to, key, {
        value: copy(inner, next.depth + 1),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return { value: result, longest };
}
