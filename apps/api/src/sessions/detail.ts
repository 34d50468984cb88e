import { clipStrings, compactionFacts, resolveLabels, statistics } from '@stemma/core';

import { countsOf } from '../library/counts.ts';
import type { LibraryEntry } from '../library/session-rows.ts';
import { withCounts } from '../library/summary-row.ts';
import type { SessionDetail } from '../schemas/sessions.ts';
import type { OpenSession } from './open-session.ts';
import { idOrNull } from './rows.ts';

/** All that is said of a session as a whole, from its outline. */
export function detailOf(session: OpenSession, { row, file, home }: LibraryEntry): SessionDetail {
  const { reader } = session;
  const { outline } = reader;
  const counted = session.derived('counted', () => countsOf(session));
  return {
    key: session.key,
    epoch: reader.epoch,
    revision: reader.revision,
    rules: reader.shapes.id,
    header: clipStrings(reader.header).value,
    summary: withCounts(row, file, counted, home),
    leafId: idOrNull(reader, outline.leafRow),
    statistics: session.derived('statistics', () => statistics(outline, outline.leafRow)),
    labels: labelsOf(session),
    compactions: session
      .derived('compactions', () => compactionFacts(outline))
      .map(({ row: at, keptRow }) => {
        const { before, after } = outline.compactionTokens(at);
        return { entryId: outline.id(at), row: at, keptRow, tokensBefore: before, tokensAfter: after };
      }),
    problems: reader.problems,
    problemsTotal: reader.problemsTotal,
  };
}

function labelsOf({ reader: { outline } }: OpenSession): SessionDetail['labels'] {
  const labels = [...resolveLabels(outline).values()].sort((a, b) => a.row - b.row);
  return labels.map(({ row, label, time }) => ({ entryId: outline.id(row), row, label, time }));
}
