import { NO_STORE } from '../http/headers.ts';
import { sendFile } from '../http/replies.ts';
import { ErrorBody, LineParams } from '../schemas/common.ts';
import { LineAnswer, LineQuery } from '../schemas/line.ts';
import { storedLine } from '../sessions/stored-line.ts';
import { goneSignal, untilReady } from '../sessions/waiting.ts';
import type { App, Services } from './services.ts';

/** Stored bytes that are no entry: what a problem of the session is about. */
export function addLineRoute(app: App, { sessions }: Services): void {
  const schema = {
    summary: 'The stored line that holds a byte, at most 64 KB of it',
    tags: ['session'],
    params: LineParams,
    querystring: LineQuery,
    response: { 200: LineAnswer, 400: ErrorBody, 404: ErrorBody },
  };
  app.get('/api/sessions/:key/lines/:at', { schema }, (request, reply) =>
    sessions.use(request.params.key, async ({ reader }) => {
      await untilReady(reader, goneSignal(reply));
      const { at } = request.params;
      const { epoch } = reader;
      const { offset, bytes, startsLine, endsLine } = await storedLine(reader, at);
      reply.header('cache-control', NO_STORE);
      if (request.query.raw === '1') return sendFile(reply, bytes, `line-at-${at}.bin`);
      const octets = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
      return { epoch, byteOffset: offset, byteLength: bytes.length, octets, startsLine, endsLine };
    }),
  );
}
