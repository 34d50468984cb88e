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
