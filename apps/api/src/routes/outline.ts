import type { Outline as Rows } from '@stemma/core';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { etagOf, isFresh } from '../http/etag.ts';
import { NO_STORE } from '../http/headers.ts';
import { jsonText, Slices } from '../http/json-text.ts';
import { sendJsonText, sendNotModified } from '../http/replies.ts';
import { ErrorBody, SessionKeyParams } from '../schemas/common.ts';
import { Outline, OutlineQuery } from '../schemas/outline.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import { idOrNull } from '../sessions/rows.ts';
import { goneSignal, untilRows } from '../sessions/waiting.ts';
import type { App, Services } from './services.ts';

const DEFAULT_LIMIT = 50_000;

/** The rows of a session, flat and in file order; those known so far while it is being decoded. */
export function addOutlineRoute(app: App, { sessions }: Services): void {
  const schema = {
    summary: 'All entries in file order, without their bodies',
    tags: ['session'],
    params: SessionKeyParams,
    querystring: OutlineQuery,
    response: { 200: Outline, 400: ErrorBody, 404: ErrorBody },
  };
  app.get('/api/sessions/:key/outline', { schema }, (request, reply) =>
    sessions.use(request.params.key, async (session) => {
      const { reader } = session;
      const { epoch, limit = DEFAULT_LIMIT } = request.query;
      const from = epoch === undefined || epoch === reader.epoch ? (request.query.from ?? 0) : 0;
      await untilRows(reader, from, limit, goneSignal(reply));
      if (isKnown(request, reply, session, from, limit)) return sendNotModified(reply);
      return sendJsonText(reply, await outlineText(session, from, limit));
    }),
  );
}

/** Only a complete session has a state that can be named; a part of one is never kept. */
function isKnown(request: FastifyRequest, reply: FastifyReply, session: OpenSession, from: number, limit: number): boolean {
  const { reader } = session;
  if (reader.complete) return isFresh(request, reply, etagOf('outline', session.key, reader.epoch, reader.revision, from, limit));
  reply.header('cache-control', NO_STORE);
  return false;
}

function outlineText({ reader }: OpenSession, wantedFrom: number, limit: number): Promise<string> {
  const rows = reader.outline; // a rewrite makes a new one: this stays what it is while we write
  const total = rows.rowCount;
  const from = Math.min(wantedFrom, total);
  const count = Math.min(limit, total - from);
  return jsonText({
    epoch: reader.epoch,
    from,
    total,
    complete: reader.complete,
    progress: { ...reader.progress },
    leafId: reader.complete ? idOrNull(reader, rows.leafRow) : null,
    columns: columnsOf(rows, from, count),
  });
}

function columnsOf(rows: Rows, first: number, count: number): Record<string, Slices> {
  const column = (value: (row: number) => unknown): Slices =>
    new Slices(count, (from, to) => Array.from({ length: to - from }, (_, i) => value(first + from + i)));
  return {
    id: column((row) => rows.id(row)),
    parent: column((row) => rows.parent(row)),
    type: column((row) => rows.type(row)),
    role: column((row) => rows.role(row)),
    title: column((row) => rows.title(row)),
    time: column((row) => rows.time(row)),
    bytes: column((row) => rows.bytes(row)),
    tokens: column((row) => rows.tokens(row)),
    flags: column((row) => rows.flags(row)),
  };
}
