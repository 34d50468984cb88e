import { shapesFor } from '@stemma/core';

import { etagOf, isFresh } from '../http/etag.ts';
import { jsonText } from '../http/json-text.ts';
import { sendJsonText, sendNotModified } from '../http/replies.ts';
import { ErrorBody, SessionKeyParams } from '../schemas/common.ts';
import { Context, ContextQuery } from '../schemas/context.ts';
import { contextAnswer } from '../sessions/context-answer.ts';
import { leafRowFor } from '../sessions/rows.ts';
import { goneSignal, untilReady } from '../sessions/waiting.ts';
import type { App, Services } from './services.ts';

/** What the model gets at a leaf, by the rules of the session's own agent or by others. */
export function addContextRoute(app: App, { sessions }: Services): void {
  const schema = {
    summary: 'What a model call at a leaf carries, and what became of every entry',
    tags: ['session'],
    params: SessionKeyParams,
    querystring: ContextQuery,
    response: { 200: Context, 400: ErrorBody, 404: ErrorBody },
  };
  app.get('/api/sessions/:key/context', { schema }, (request, reply) =>
    sessions.use(request.params.key, async (session) => {
      const { reader, key } = session;
      await untilReady(reader, goneSignal(reply));
      const { leaf, rules, ...view } = request.query;
      const leafRow = leafRowFor(reader, leaf);
      const shapes = rules === undefined ? reader.shapes : shapesFor(rules);
      const { bodies, from, limit, entries, system } = view;
      const etag = etagOf(
        'context',
        key,
        reader.epoch,
        reader.revision,
        leafRow,
        shapes.id,
        bodies,
        from,
        limit,
        entries,
        system,
      );
      if (isFresh(request, reply, etag)) return sendNotModified(reply);
      return sendJsonText(reply, await jsonText(await contextAnswer(session, leafRow, shapes, view)));
    }),
  );
}
