import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { REVALIDATE } from './headers.ts';

/** A strong entity tag of parts that together decide every byte of the answer. */
export function etagOf(...parts: readonly (string | number | boolean | undefined | null)[]): string {
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)}"`;
}

/**
 * Sets `ETag` and `Cache-Control`, and says whether the client has this answer already; then the caller sends 304
 * without computing anything.
 */
export function isFresh(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag).header('cache-control', REVALIDATE);
  const asked = request.headers['if-none-match'];
  if (asked === undefined) return false;
  return asked.trim() === '*' || asked.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
