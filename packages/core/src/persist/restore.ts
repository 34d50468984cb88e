import { toBase64 } from '../blobs/base64.ts';
import { blobForm, PAYLOAD_KEYS, referenceAt, type BlobForm } from '../blobs/refs.ts';
import type { Resolved } from '../blobs/resolve.ts';
import { SessionStoreError } from '../errors.ts';
import { glance, REFERS } from './glance.ts';
import { JsonEdit } from './json-edit.ts';

/** Bytes of a blob; undefined when there is none. @throws `blob_corrupt` for bytes that do not have that hash */
export type BlobGetSync = (hash: string) => Uint8Array | undefined;

/**
 * Puts the contents of blobs back where an entry refers to them: base64 of images, the text of addresses. The entry is
 * not changed: the answer shares what is the same with it, and is the entry itself when nothing could be put back.
 * References to blobs that are missing or damaged stay, and are named, each once.
 *
 * @throws what `get` throws, but for `blob_corrupt`.
 */
export function restoreEntry<T extends object>(entry: T, get: BlobGetSync): Resolved<T> {
  if ((glance(entry) & REFERS) === 0) return { value: entry, missing: [], corrupt: [] };
  const edit = new JsonEdit(entry);
  const blobs = new Blobs(get);
  for (let at = 0; at < edit.nodes.length; at++) {
    const node = edit.nodes[at]!;
    if (!Array.isArray(node)) putBack(node as Record<string, unknown>, at, edit, blobs);
    addInner(node, at, edit);
  }
  return { value: edit.result as T, missing: [...blobs.missing].sort(), corrupt: [...blobs.corrupt].sort() };
}

function putBack(holder: Record<string, unknown>, at: number, edit: JsonEdit, blobs: Blobs): void {
  for (const key of PAYLOAD_KEYS) {
    const hash = referenceAt(holder, key);
    const text = hash === null ? null : blobs.text(hash, blobForm(key));
    if (text !== null) edit.set(at, key, text);
  }
}

function addInner(node: object, at: number, edit: JsonEdit): void {
  const isList = Array.isArray(node);
  for (const key in node) {
    const inner = (node as Record<string, unknown>)[key];
    if (typeof inner === 'object' && inner !== null) edit.add(inner, at, isList ? Number(key) : key);
  }
}

/** Contents of blobs as texts; each is asked for once. */
class Blobs {
  readonly missing = new Set<string>();
  readonly corrupt = new Set<string>();
  readonly #get: BlobGetSync;
  readonly #texts = new Map<string, string | null>();

  constructor(get: BlobGetSync) {
    this.#get = get;
  }

  /** null where the blob cannot be had. */
  text(hash: string, form: BlobForm): string | null {
    const name = `${form} ${hash}`;
    let text = this.#texts.get(name);
    if (text === undefined) this.#texts.set(name, (text = this.#read(hash, form)));
    return text;
  }

  #read(hash: string, form: BlobForm): string | null {
    try {
      const bytes = this.#get(hash);
      if (bytes !== undefined) return form === 'text' ? new TextDecoder().decode(bytes) : toBase64(bytes);
      this.missing.add(hash);
    } catch (error) {
      if (!(error instanceof SessionStoreError && error.code === 'blob_corrupt')) throw error;
      this.corrupt.add(hash);
    }
    return null;
  }
}
