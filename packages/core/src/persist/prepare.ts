import { fromBase64 } from '../blobs/base64.ts';
import { blobForm, blobReference, mayHoldImage, type PayloadKey } from '../blobs/refs.ts';
import { cutText, lineCount, MAX_PERSIST_CHARS } from './cut.ts';
import { CHANGES, glance, MIN_BLOB_CHARS } from './glance.ts';
import { JsonEdit } from './json-edit.ts';
import { isIndivisible, isVerbatim } from './verbatim.ts';

export interface PrepareOptions {
  /** Stores bytes under their hash; it is on disk when it returns, so that no line ever refers to what is not there. */
  putBlob(bytes: Uint8Array): string;
}

/**
 * An entry as it is stored by dialects that keep their files small: texts over 500,000 characters cut, `partialJson` and
 * `jsonlEvents` gone, images in blobs. Signed blocks stay as they are, and so does an image whose text its bytes would not
 * give back. What was prepared once is not changed again.
 *
 * The entry itself is not changed; the answer shares what is the same with it, and is the entry when all is.
 *
 * @throws what `putBlob` throws; `TypeError` for an entry that contains itself, as JSON does.
 */
export function prepareEntry<T extends object>(entry: T, { putBlob }: PrepareOptions): T {
  if ((glance(entry) & CHANGES) === 0) return entry;
  const edit = new JsonEdit(entry);
  const { nodes } = edit;
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]!;
    if (Array.isArray(node)) {
      prepareList(node, at, edit);
      continue;
    }
    const holder = node as Record<string, unknown>;
    // What makes its own JSON is taken as it is.
    if (isVerbatim(holder) || typeof holder['toJSON'] === 'function') continue;
    for (const key in holder) {
      const inner = holder[key];
      if (key === 'partialJson' || key === 'jsonlEvents') edit.remove(at, key);
      else if (typeof inner === 'string') {
        if (inner.length < MIN_BLOB_CHARS && key !== 'image_url') continue;
        const stored = storedText(inner, key, holder, putBlob);
        if (stored === inner) continue;
        edit.set(at, key, stored);
        if (key === 'content' && typeof holder['lineCount'] === 'number') edit.set(at, 'lineCount', lineCount(stored));
      } else if (typeof inner === 'object' && inner !== null) edit.add(inner, at, key);
    }
  }
  return edit.result as T;
}

function prepareList(list: readonly unknown[], at: number, edit: JsonEdit): void {
  for (let i = 0; i < list.length; i++) {
    const inner = list[i];
    if (typeof inner === 'object' && inner !== null) edit.add(inner, at, i);
    else if (typeof inner === 'string' && inner.length > MAX_PERSIST_CHARS && !isIndivisible(inner, i, null))
      edit.set(at, i, cutText(inner));
  }
}

function storedText(text: string, key: string, holder: Record<string, unknown>, putBlob: PrepareOptions['putBlob']): string {
  if (mayHoldImage(holder, key)) {
    const bytes = imageBytes(text, key as PayloadKey);
    if (bytes !== null) return blobReference(putBlob(bytes));
  }
  return text.length > MAX_PERSIST_CHARS && !isIndivisible(text, key, holder) ? cutText(text) : text;
}

/** The bytes of an image that is to become a blob; null for one that stays where it is. */
function imageBytes(text: string, key: PayloadKey): Uint8Array | null {
  if (blobForm(key) === 'base64') return text.length < MIN_BLOB_CHARS ? null : fromBase64(text);
  if (!text.startsWith('data:image/') || !text.includes(';base64,')) return null;
  const bytes = new TextEncoder().encode(text);
  // Half a surrogate pair has no UTF-8.
  return bytes.length === text.length || !/\p{Surrogate}/u.test(text) ? bytes : null;
}
