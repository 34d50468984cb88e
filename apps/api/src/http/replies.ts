import type { FastifyReply } from 'fastify';

import { SANDBOX_CSP } from './headers.ts';
import { sniffImage } from './images.ts';

/** The client has this answer already (`isFresh` has set the validators). */
export function sendNotModified(reply: FastifyReply): FastifyReply {
  return reply.status(304).send();
}

/** JSON that is written out already. */
export function sendJsonText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}

/**
 * Sends bytes that came out of a session: a raster image as what it is, everything else as an attachment.
 *
 * @param name a file name made by us; letters, digits, dots and dashes only.
 */
export function sendImageOrFile(reply: FastifyReply, bytes: Uint8Array, name: string): FastifyReply {
  const type = sniffImage(bytes);
  if (type === null) return sendFile(reply, bytes, name);
  reply.header('content-security-policy', SANDBOX_CSP).header('content-disposition', 'inline');
  return reply.type(type).send(asBuffer(bytes));
}

/** Sends bytes that came out of a session as a download, whatever they are. */
export function sendFile(reply: FastifyReply, bytes: Uint8Array, name: string): FastifyReply {
  reply.header('content-security-policy', SANDBOX_CSP).header('content-disposition', `attachment; filename="${name}"`);
  return reply.type('application/octet-stream').send(asBuffer(bytes));
}

/** The same memory as a Buffer, which is what Fastify sends unchanged. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
