import { createHash } from 'node:crypto';

import type { BlobStore } from './blob-store.ts';

/** Blobs that are gone with the process. */
export class MemoryBlobStore implements BlobStore {
  readonly #blobs = new Map<string, Uint8Array>();

  put(bytes: Uint8Array): string {
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (!this.#blobs.has(hash)) this.#blobs.set(hash, new Uint8Array(bytes));
    return hash;
  }

  get(hash: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.getSync(hash));
  }

  getSync(hash: string): Uint8Array | undefined {
    const bytes = this.#blobs.get(hash);
    return bytes === undefined ? undefined : new Uint8Array(bytes);
  }

  has(hash: string): boolean {
    return this.#blobs.has(hash);
  }
}
