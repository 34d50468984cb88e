import { SessionStoreError } from '@stemma/core';

import { etagOf, isFresh } from '../http/etag.ts';
import { sendImageOrFile, sendNotModified } from '../http/replies.ts';
import { BlobParams, Bytes, ErrorBody } from '../schemas/common.ts';
import type { ServedRoot } from '../library/session-rows.ts';
import type { App, Services } from './services.ts';

/** Bytes that entries refer to by their hash; any root may hold them. */
export function addBlobRoute(app: App, { library }: Services): void {
  const schema = {
    summary: 'A blob by its hash',
    tags: ['session'],
    params: BlobParams,
    response: { 200: Bytes, 400: ErrorBody, 404: ErrorBody },
  };
  app.get('/api/blobs/:sha256', { schema }, async (request, reply) => {
    const { sha256 } = request.params;
    const bytes = await findBlob(library.roots, sha256);
    if (isFresh(request, reply, etagOf('blob', sha256))) return sendNotModified(reply);
    return sendImageOrFile(reply, bytes, `${sha256}.bin`);
  });
}

/**
 * A blob from the first root that has it whole.
 *
 * @throws SessionStoreError `blob_missing`, or `blob_corrupt` when the only copies are damaged.
 */
export async function findBlob(roots: readonly ServedRoot[], sha256: string): Promise<Uint8Array> {
  let corrupt: SessionStoreError | null = null;
  for (const { root } of roots) {
    try {
      const bytes = await root.blob(sha256);
      if (bytes !== undefined) return bytes;
    } catch (error) {
      if (!(error instanceof SessionStoreError) || error.code !== 'blob_corrupt') throw error;
      corrupt = error;
    }
  }
  throw corrupt ?? new SessionStoreError('blob_missing', 'This blob is not in any of the stores.', { sha256 });
}
