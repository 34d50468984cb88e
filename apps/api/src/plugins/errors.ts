import type { FastifyInstance } from 'fastify';

import { answerFor } from '../http/errors.ts';
import { NO_STORE } from '../http/headers.ts';

/** Every error leaves as `{ error: { code, message, details? } }`; what we do not know is logged and not told. */
export function addErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = answerFor(error);
    if (status >= 500) request.log.error({ err: error }, body.error.code);
    reply.removeHeader('etag');
    return reply.header('cache-control', NO_STORE).type('application/json; charset=utf-8').status(status).send(body);
  });
}
