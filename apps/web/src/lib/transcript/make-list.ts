import type { TranscriptQuery } from '@stemma/api/schemas';

import type { SessionView } from '../session/session-view.svelte.ts';
import { groupPath } from './groups.ts';
import { ListState } from './list.svelte.ts';
import type { TranscriptState } from './state.svelte.ts';
import { TranscriptStore } from './store.svelte.ts';

/**
 * A list of the entries at `rows`, in that order, whose items come with `query`. It begins at `selectedRow`, or at the
 * end when that row is not in it.
 */
export function makeList(
  transcript: TranscriptState,
  columns: SessionView['columns'],
  rows: readonly number[],
  query: TranscriptQuery,
  selectedRow: number,
): ListState {
  const groups = groupPath(columns, rows);
  const store = new TranscriptStore({
    ids: rows.map((row) => columns.id[row] ?? ''),
    query,
    load: (wanted, signal) => transcript.api.transcript(transcript.key, wanted, signal),
  });
  return new ListState(groups, store, groups.groupOf[selectedRow] ?? -1);
}
