import { transcriptPage, transcriptView, type PageRequest, type TranscriptView } from '@stemma/core';

import { ApiError } from '../http/errors.ts';
import { etagOf, isFresh } from '../http/etag.ts';
import { sendNotModified } from '../http/replies.ts';
import { ErrorBody, SessionKeyParams } from '../schemas/common.ts';
import { Transcript, TranscriptQuery } from '../schemas/transcript.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import { idOrNull, leafRowFor, rowOfEntry } from '../sessions/rows.ts';
import { goneSignal, untilReady } from '../sessions/waiting.ts';
import type { App, Services } from './services.ts';

/** Entries in a page. */
const DEFAULT_LIMIT = 60;

/** A page of what was said, along the path to a leaf. */
export function addTranscriptRoute(app: App, { sessions }: Services): void {
  const schema = {
    summary: 'A page of what was said along a path',
    tags: ['session'],
    params: SessionKeyParams,
    querystring: TranscriptQuery,
    response: { 200: Transcript, 400: ErrorBody, 404: ErrorBody },
  };
  app.get('/api/sessions/:key/transcript', { schema }, (request, reply) =>
    sessions.use(request.params.key, async (session) => {
      const { reader, key } = session;
      const { leaf, history = 'full' } = request.query;
      await untilReady(reader, goneSignal(reply));
      const leafRow = leafRowFor(reader, leaf);
      const view = session.view(`view ${leafRow} ${history}`, () =>
        transcriptView(reader.outline, leafRow, history, reader.shapes),
      );
      const place = placeOf(session, view, request.query);
      if (
        isFresh(request, reply, etagOf('transcript', key, reader.epoch, reader.revision, leafRow, history, JSON.stringify(place)))
      ) {
        return sendNotModified(reply);
      }
      return answer(session, view, leafRow, place);
    }),
  );
}

/** Where the page stands. A page before or after an entry that is not on the path does not exist. */
function placeOf({ reader }: OpenSession, view: TranscriptView, query: TranscriptQuery): PageRequest {
  const place: PageRequest = { limit: query.limit ?? DEFAULT_LIMIT };
  for (const name of ['around', 'before', 'after'] as const) {
    const ref = query[name];
    if (ref === undefined) continue;
    const row = rowOfEntry(reader, ref);
    if (name !== 'around' && !view.has(row)) {
      throw new ApiError('invalid_query', 'This entry is not on the path to the leaf.', { entryId: ref });
    }
    place[name] = row;
  }
  return place;
}

async function answer({ reader }: OpenSession, view: TranscriptView, leafRow: number, place: PageRequest): Promise<Transcript> {
  const { epoch, outline } = reader;
  const page = await transcriptPage(outline, view, (rows) => reader.load(rows), place);
  return {
    epoch,
    leafId: idOrNull(reader, leafRow),
    covers: page.rows.map((row) => outline.id(row)),
    items: page.items,
    before: idOrNull(reader, page.before),
    after: idOrNull(reader, page.after),
  };
}
