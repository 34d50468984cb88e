import { SessionStoreError } from '../errors.ts';
import { inParallel } from '../parallel.ts';
import { toBase64 } from './base64.ts';
import { blobReferences, type BlobReference } from './refs.ts';

/** Bytes of a blob; undefined when there is none. Throws `blob_corrupt` for bytes that do not have that hash. */
export type BlobGet = (hash: string) => Promise<Uint8Array | undefined>;

export interface Resolved<T> {
  /** A copy; blobs that could not be had stay references. */
  value: T;
  /** Hashes of blobs that are not there, and of those that are damaged; each once. */
  missing: string[];
  corrupt: string[];
}

/** Blobs read at the same time. */
const PARALLEL = 8;

/** Puts the contents of blobs back where a JSON value refers to them: base64 of images, the text of URLs. The value is not changed. */
export async function resolveBlobs<T>(value: T, get: BlobGet): Promise<Resolved<T>> {
  const copy = copyJson(value);
  const byHash = new Map<string, BlobReference[]>();
  for (const reference of blobReferences(copy)) {
    const others = byHash.get(reference.hash);
    if (others === undefined) byHash.set(reference.hash, [reference]);
    else others.push(reference);
  }
  const missing: string[] = [];
  const corrupt: string[] = [];
  await inParallel([...byHash], PARALLEL, async ([hash, references]) => {
    const bytes = await bytesOf(hash, get);
    if (bytes === undefined) missing.push(hash);
    else if (bytes === null) corrupt.push(hash);
    else putBack(bytes, references);
  });
  return { value: copy, missing: missing.sort(), corrupt: corrupt.sort() };
}

/** null: damaged. */
async function bytesOf(hash: string, get: BlobGet): Promise<Uint8Array | undefined | null> {
  try {
    return await get(hash);
  } catch (error) {
    if (error instanceof SessionStoreError && error.code === 'blob_corrupt') return null;
    throw error;
  }
}

function putBack(bytes: Uint8Array, references: readonly BlobReference[]): void {
  const texts: { base64?: string; text?: string } = {};
  for (const { holder, key, form } of references) {
    holder[key] = texts[form] ??= form === 'text' ? new TextDecoder().decode(bytes) : toBase64(bytes);
  }
}

/** A deep copy of a JSON value, without recursion. */
function copyJson<T>(value: T): T {
  const pending: { from: object; to: object }[] = [];
  const copy = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner;
    const to = Array.isArray(inner) ? [] : {};
    pending.push({ from: inner, to });
    return to;
  };
  const result = copy(value);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [key, inner] of Object.entries(next.from)) {
      // defineProperty keeps a field called __proto__ a field.
      const field = { value: copy(inner), enumerable: true, configurable: true, writable: true };
      Object.defineProperty(next.to, key, field);
    }
  }
  return result as T;
}
