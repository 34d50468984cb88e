import { byDay, clipStrings, compactionFacts, resolveLabels, statistics, type DayTally, type ProblemList } from '@stemma/core';

import { countsOf } from '../library/counts.ts';
import { ApiError } from '../http/errors.ts';
import type { LibraryEntry } from '../library/session-rows.ts';
import { withCounts, withLive } from '../library/summary-row.ts';
import type { SessionDetail } from '../schemas/sessions.ts';
import type { OpenSession } from './open-session.ts';
import { withNear } from './problem-place.ts';
import { idOrNull } from './rows.ts';

export interface DetailOptions {
  /** An IANA time zone, to answer the session day by day. */
  tz?: string;
  /** Blobs that its entries refer to and that are missing or damaged, as far as is known. */
  blobProblems: ProblemList | null;
  /** The sessions that come from it. */
  children: SessionDetail['children'];
  /** Its host has paused it. */
  paused: boolean;
  /** Epoch ms. */
  now: number;
}

/**
 * All that is said of a session as a whole, from its outline.
 *
 * @throws ApiError `invalid_query` when `tz` is no time zone
 */
export function detailOf(
  session: OpenSession,
  { row, file, home, placeProblems }: LibraryEntry,
  options: DetailOptions,
): SessionDetail {
  const { reader } = session;
  const { outline } = reader;
  const { tz, blobProblems, children, paused, now } = options;
  const others = placeProblems.length + (blobProblems?.total ?? 0);
  const counted = session.derived('counted', () => countsOf(session));
  return {
    key: session.key,
    epoch: reader.epoch,
    revision: reader.revision,
    rules: reader.shapes.id,
    header: clipStrings(reader.header).value,
    summary: withLive(withCounts(row, file, counted, others, home), file, paused, now),
    leafId: idOrNull(reader, outline.leafRow),
    statistics: session.derived('statistics', () => statistics(outline, outline.leafRow)),
    ...(tz === undefined ? {} : { days: session.view(`days ${tz}`, () => daysOf(session, tz)) }),
    labels: labelsOf(session),
    compactions: session
      .derived('compactions', () => compactionFacts(outline))
      .map(({ row: at, keptRow }) => {
        const { before, after } = outline.compactionTokens(at);
        return { entryId: outline.id(at), row: at, keptRow, tokensBefore: before, tokensAfter: after };
      }),
    inheritedRows: outline.inheritedRows,
    children,
    problems: [
      ...placeProblems.map((one) => withNear(outline, one)),
      ...session.derived('problems', () => reader.problems.map((one) => withNear(outline, one))),
      ...(blobProblems?.items ?? []).map((one) => withNear(outline, one)),
    ],
    problemsTotal: reader.problemsTotal + others,
  };
}

function daysOf({ reader }: OpenSession, tz: string): DayTally[] {
  try {
    return byDay(reader.outline, tz);
  } catch (error) {
    if (error instanceof RangeError) throw new ApiError('invalid_query', 'There is no such time zone.', { tz });
    throw error;
  }
}

function labelsOf({ reader: { outline } }: OpenSession): SessionDetail['labels'] {
  const labels = [...resolveLabels(outline).values()].sort((a, b) => a.row - b.row);
  return labels.map(({ row, label, time }) => ({ entryId: outline.id(row), row, label, time }));
}
