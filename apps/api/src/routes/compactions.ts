import { clipStrings, compactionFacts, pathMarks, type CompactionFacts, type Outline, type Stretch } from '@stemma/core';

import { ApiError } from '../http/errors.ts';
import { etagOf, isFresh } from '../http/etag.ts';
import { sendNotModified } from '../http/replies.ts';
import { ErrorBody, SessionKeyParams } from '../schemas/common.ts';
import { Compactions, CompactionsQuery, type CompactionReport } from '../schemas/context.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import { leafRowFor } from '../sessions/rows.ts';
import { goneSignal, untilReady } from '../sessions/waiting.ts';
import type { App, Services } from './services.ts';

const DEFAULT_LIMIT = 50;

/** Reports on the compactions of a session, in file order. */
export function addCompactionsRoute(app: App, { sessions }: Services): void {
  const schema = {
    summary: 'What each compaction folded and kept',
    tags: ['session'],
    params: SessionKeyParams,
    querystring: CompactionsQuery,
    response: { 200: Compactions, 400: ErrorBody, 404: ErrorBody },
  };
  app.get('/api/sessions/:key/compactions', { schema }, (request, reply) =>
    sessions.use(request.params.key, async (session) => {
      const { reader, key } = session;
      await untilReady(reader, goneSignal(reply));
      const { leaf, cursor, limit = DEFAULT_LIMIT } = request.query;
      const leafRow = leafRowFor(reader, leaf);
      const after = afterRow(cursor);
      if (isFresh(request, reply, etagOf('compactions', key, reader.epoch, reader.revision, leafRow, after, limit))) {
        return sendNotModified(reply);
      }
      return pageOf(session, leafRow, after, limit);
    }),
  );
}

/** A cursor is the row of the last compaction answered. */
function afterRow(cursor: string | undefined): number {
  if (cursor === undefined) return -1;
  if (!/^\d{1,15}$/.test(cursor)) throw new ApiError('invalid_query', 'The cursor belongs to another list.');
  return Number(cursor);
}

async function pageOf(session: OpenSession, leafRow: number, after: number, limit: number): Promise<Compactions> {
  const { outline } = session.reader;
  const all = session.derived('compactions', () => compactionFacts(outline));
  const rest = all.filter(({ row }) => row > after);
  const page = rest.slice(0, limit);
  const onPath = session.view(`path ${leafRow}`, () => pathMarks(outline.parents(), leafRow));
  const bodies = await session.reader.load(page.map(({ row }) => row));
  const items = page.map((facts, i) => reportOf(outline, facts, onPath[facts.row] === 1, bodies[i] ?? {}));
  const last = page.at(-1);
  return { items, total: all.length, nextCursor: rest.length > limit && last !== undefined ? String(last.row) : null };
}

function reportOf(outline: Outline, { row, folded, kept }: CompactionFacts, onPath: boolean, body: object): CompactionReport {
  const { summary, shortSummary } = clipStrings(body).value as { summary?: unknown; shortSummary?: unknown };
  const { before, after } = outline.compactionTokens(row);
  return {
    entryId: outline.id(row),
    row,
    time: outline.time(row),
    onPath,
    summary: typeof summary === 'string' ? summary : '',
    shortSummary: typeof shortSummary === 'string' ? shortSummary : null,
    tokensBefore: before,
    tokensAfter: after,
    firstKeptEntryId: outline.kept(row),
    folded: stretchOf(outline, folded),
    kept: stretchOf(outline, kept),
  };
}

function stretchOf(outline: Outline, { entries, tokens, firstRow, lastRow }: Stretch): CompactionReport['folded'] {
  const id = (row: number): string | null => (row < 0 ? null : outline.id(row));
  return { entries, tokens, firstId: id(firstRow), lastId: id(lastRow) };
}
