import { SessionStoreError } from '@stemma/core';

import { etagOf, isFresh } from '../http/etag.ts';
import { sendNotModified } from '../http/replies.ts';
import { withLive } from '../library/summary-row.ts';
import { ErrorBody, SessionKeyParams } from '../schemas/common.ts';
import { SessionDetail, SessionDetailQuery } from '../schemas/sessions.ts';
import { detailOf } from '../sessions/detail.ts';
import { goneSignal, untilReady } from '../sessions/waiting.ts';
import type { App, Services } from './services.ts';

/** One session as a whole: header, figures, labels, compactions, problems. */
export function addSessionRoute(app: App, { library, sessions, blobs }: Services): void {
  const schema = {
    summary: 'Header, figures, labels, compactions and problems of a session',
    tags: ['session'],
    params: SessionKeyParams,
    querystring: SessionDetailQuery,
    response: { 200: SessionDetail, 400: ErrorBody, 404: ErrorBody },
  };
  app.get('/api/sessions/:key', { schema }, (request, reply) =>
    sessions.use(request.params.key, async (session) => {
      const { reader, key } = session;
      await untilReady(reader, goneSignal(reply));
      const entry = library.rows.get(key);
      if (entry === undefined) throw new SessionStoreError('session_not_found', 'The session has gone.', { key });
      const paused = await library.isPaused(entry);
      const blobProblems = blobs.problemsOf(session);
      const now = Date.now();
      const { live } = withLive(entry.row, entry.file, paused, now);
      const { tz } = request.query;
      const children = library.rows.childrenOf(key);
      const around = [
        entry.row.parentKey,
        ...children.flatMap((child) => [child.key, child.title]),
        ...entry.placeProblems.map(({ code }) => code),
      ];
      const etag = etagOf('session', key, reader.epoch, reader.revision, live, around.join(' '), blobProblems?.total, tz);
      if (isFresh(request, reply, etag)) return sendNotModified(reply);
      return detailOf(session, entry, { ...(tz === undefined ? {} : { tz }), blobProblems, children, paused, now });
    }),
  );
}
