import type { TranscriptQuery } from '@stemma/api/schemas';

import type { SessionView } from '../session/session-view.svelte.ts';
import { groupPath } from './groups.ts';
import { ListState } from './list.svelte.ts';
import type { TranscriptState } from './state.svelte.ts';
import { TranscriptStore } from './store.svelte.ts';

/**
 * A list of the entries at `rows`, in that order, whose items come with `query`. It begins at `selectedRow`, else where
 * the list before it stood (a branch that grew, or another one with the same beginning), else at the end.
 */
export function makeList(
  transcript: TranscriptState,
  columns: SessionView['columns'],
  rows: readonly number[],
  query: TranscriptQuery,
  selectedRow: number,
  previous: ListState | null = null,
): ListState {
  const groups = groupPath(columns, rows);
  const store = new TranscriptStore({
    ids: rows.map((row) => columns.id[row] ?? ''),
    query,
    load: (wanted, signal) => transcript.api.transcript(transcript.key, wanted, signal),
  });
  const selected = groups.groupOf[selectedRow] ?? -1;
  return new ListState(groups, store, selected >= 0 ? selected : (groups.groupOf[previous?.placeRow ?? -1] ?? -1));
}

/** The list before, when the new path begins with its path: it has grown. Else a list of its own, as `makeList` says. */
export function nextList(...given: Parameters<typeof makeList>): ListState {
  const [, columns, rows, query, , previous = null] = given;
  if (previous === null || !beginsWith(columns, rows, previous)) return makeList(...given);
  const ids = rows.map((row) => columns.id[row] ?? '');
  if (rows.length > previous.store.ids.length) previous.grow(groupPath(columns, rows), query, ids);
  return previous;
}

function beginsWith(columns: SessionView['columns'], rows: readonly number[], { groups, store }: ListState): boolean {
  const known = groups.rows;
  return (
    known.length > 0 &&
    known.length <= rows.length &&
    known.every((row, index) => row === rows[index] && columns.id[row] === store.ids[index])
  );
}
