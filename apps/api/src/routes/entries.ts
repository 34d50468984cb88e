import { etagOf, isFresh } from '../http/etag.ts';
import { NO_STORE } from '../http/headers.ts';
import { sendFile, sendImageOrFile, sendNotModified } from '../http/replies.ts';
import { Bytes, EntryParams, ErrorBody, ImageParams } from '../schemas/common.ts';
import { EntryAnswer, EntryQuery } from '../schemas/entry.ts';
import { rowOfEntry } from '../sessions/rows.ts';
import { storedEntry, storedImage } from '../sessions/stored-entry.ts';
import { goneSignal, untilReady } from '../sessions/waiting.ts';
import type { App, Services } from './services.ts';

/** One entry as it is stored, and its images. */
export function addEntryRoutes(app: App, { sessions }: Services): void {
  const schema = {
    summary: 'One entry as it is stored, by its id or as @row',
    tags: ['session'],
    params: EntryParams,
    querystring: EntryQuery,
    response: { 200: EntryAnswer, 400: ErrorBody, 404: ErrorBody },
  };
  app.get('/api/sessions/:key/entries/:entryId', { schema }, (request, reply) =>
    sessions.use(request.params.key, async ({ reader }) => {
      await untilReady(reader, goneSignal(reply));
      const row = rowOfEntry(reader, request.params.entryId);
      reply.header('cache-control', NO_STORE);
      if (request.query.raw === '1') return sendFile(reply, await reader.loadRaw(row), `entry-${row}.json`);
      return storedEntry(reader, row);
    }),
  );

  const imageSchema = {
    summary: 'An image of an entry',
    tags: ['session'],
    params: ImageParams,
    response: { 200: Bytes, 400: ErrorBody, 404: ErrorBody },
  };
  app.get('/api/sessions/:key/entries/:entryId/images/:n', { schema: imageSchema }, (request, reply) =>
    sessions.use(request.params.key, async (session) => {
      const { reader, key } = session;
      await untilReady(reader, goneSignal(reply));
      const row = rowOfEntry(reader, request.params.entryId);
      const { n } = request.params;
      if (isFresh(request, reply, etagOf('image', key, reader.epoch, row, n))) return sendNotModified(reply);
      return sendImageOrFile(reply, await storedImage(session, row, n), `entry-${row}-image-${n}.bin`);
    }),
  );
}
