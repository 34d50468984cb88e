/**
 * References to blobs. Agents of the oh-my-pi family keep large images apart and write `blob:sha256:<64 hex digits>`
 * where their content was. A text is a reference only where such content can stand; anywhere else it is a text.
 */

const PREFIX = 'blob:sha256:';
const REFERENCE = /^blob:sha256:([0-9a-f]{64})$/;
const REFERENCE_LENGTH = PREFIX.length + 64;

/** The hash in a reference (64 lower-case hex digits), or null when the text is none. */
export function blobHash(text: string): string | null {
  return text.length === REFERENCE_LENGTH ? (REFERENCE.exec(text)?.[1] ?? null) : null;
}

/** The reference to a blob. @param hash 64 lower-case hex digits */
export function blobReference(hash: string): string {
  return PREFIX + hash;
}

/** May a JSON text hold references? Costs far less than looking for them in the value. */
export function mentionsBlob(text: string): boolean {
  return text.includes(PREFIX);
}

/** What a blob's bytes are: an image, written as base64; or the text that stood there (the URL of an image). */
export type BlobForm = 'base64' | 'text';

export interface BlobReference {
  /** The object that holds the reference, and under which key. */
  holder: Record<string, unknown>;
  key: string;
  hash: string;
  form: BlobForm;
}

/** Every reference inside of a JSON value, in the order of depth. No recursion: values may be nested at will. */
export function blobReferences(value: unknown): BlobReference[] {
  const found: BlobReference[] = [];
  walkObjects(value, (holder) => {
    for (const key of PAYLOAD_KEYS) {
      const hash = referenceAt(holder, key);
      if (hash !== null) found.push({ holder, key, hash, form: blobForm(key) });
    }
  });
  return found;
}

const URL_KEY = 'image_url';

/** Keys under which objects hold images as texts. */
export const PAYLOAD_KEYS = ['data', URL_KEY, 'result'] as const;
export type PayloadKey = (typeof PAYLOAD_KEYS)[number];

/** The hash that an object refers to under a key; null where it refers to none. */
export function referenceAt(holder: Record<string, unknown>, key: PayloadKey): string | null {
  const text = holder[key];
  return typeof text === 'string' && mayHoldImage(holder, key) ? blobHash(text) : null;
}

export function blobForm(key: PayloadKey): BlobForm {
  return key === URL_KEY ? 'text' : 'base64';
}

/** Is a text under this key of an object an image: base64, or (`image_url`) an address? */
export function mayHoldImage(holder: Record<string, unknown>, key: string): boolean {
  switch (key) {
    case 'data':
      return isImage(holder);
    case URL_KEY:
      return true;
    case 'result':
      return holder['type'] === 'image_generation_call';
    default:
      return false;
  }
}

/** Under which key an object holds an image as a text; null when it holds none. */
export function payloadKey(holder: Record<string, unknown>): PayloadKey | null {
  return PAYLOAD_KEYS.find((key) => typeof holder[key] === 'string' && mayHoldImage(holder, key)) ?? null;
}

function isImage({ type, mimeType }: Record<string, unknown>): boolean {
  return type === 'image' || (typeof mimeType === 'string' && mimeType.startsWith('image/'));
}

/** Visits every object inside of a JSON value, itself first; lists are passed through. */
export function walkObjects(value: unknown, visit: (holder: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return;
  const pending: object[] = [value];
  for (let i = 0; i < pending.length; i++) {
    const next = pending[i]!;
    if (Array.isArray(next)) {
      for (const inner of next as unknown[]) if (typeof inner === 'object' && inner !== null) pending.push(inner);
      continue;
    }
    visit(next as Record<string, unknown>);
    for (const key in next) {
      const inner = (next as Record<string, unknown>)[key];
      if (typeof inner === 'object' && inner !== null) pending.push(inner);
    }
  }
}
