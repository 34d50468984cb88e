import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { answerFor } from '../http/errors.ts';
import { refusal } from '../http/guard.ts';
import { NO_STORE, SECURITY_HEADERS } from '../http/headers.ts';

/**
 * Headers and the guard for every request, routed or not. Registered on the root instance, so that its hooks run
 * for all routes and for the not-found handler.
 */
export function addSecurity(app: FastifyInstance, authorities: () => readonly string[]): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS);
    const refused = refusal(request.raw, authorities(), isApiRequest(request));
    if (refused === null) return;
    if (refused.code === 'method_not_allowed') reply.header('allow', 'GET, HEAD');
    throw refused;
  });
}

/**
 * The answer to an address that the router could not read: no hook has run for it, so headers and guard come here.
 */
export function answerUnreadable(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  authorities: readonly string[],
): void {
  const { status, body } = answerFor(refusal(request.raw, authorities, true) ?? error);
  void reply.headers(SECURITY_HEADERS).header('cache-control', NO_STORE).status(status).send(body);
}

/** By the route that was found; an unknown path counts by its beginning. */
function isApiRequest(request: FastifyRequest): boolean {
  return isApiPath(request.routeOptions.url ?? request.url);
}

/** Is it `/api` or below? The query does not count. */
export function isApiPath(url: string): boolean {
  return /^\/api(?:[/?#]|$)/.test(url);
}
