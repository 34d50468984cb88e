import type { TranscriptItem } from '@stemma/core/pure';

import type { OutlineColumns } from '../session/columns.ts';
import type { Lens, LensKey } from '../session/lens.svelte.ts';
import { isFolded, lensKeyOf } from './lens-mark.ts';
import type { ListState } from './list.svelte.ts';

export interface GroupFacts {
  /** The items of all entries of the group; null until they are here. */
  items: readonly TranscriptItem[] | null;
  error: Error | null;
  lens: LensKey | null;
  folded: boolean;
  /** Whether the margin says the word: at the ends of a folded stretch and at its prompts. */
  sayFolded: boolean;
  /** How the turn ended, if badly. */
  ending: 'error' | 'aborted' | null;
  message: string | null;
}

/** All that is drawn of a group of a list. */
export function groupFacts(list: ListState, columns: OutlineColumns, lens: Lens | null, group: number): GroupFacts {
  const { groups, store } = list;
  const from = groups.start[group]!;
  const to = groups.start[group + 1]!;
  const items: TranscriptItem[] = [];
  for (let index = from; index < to; index++) for (const item of store.at(index) ?? []) items.push(item);
  const head = list.headOf(group);
  const folded = isFolded(lens, head);
  const alone = !isFolded(lens, list.headOf(group - 1)) || !isFolded(lens, list.headOf(group + 1));
  return {
    items: store.at(from) === undefined ? null : items,
    error: store.errorAt(from),
    lens: lensKeyOf(lens, head),
    folded,
    sayFolded: folded && (alone || columns.role[head] === 'user'),
    ...endingOf(items),
  };
}

function endingOf(items: readonly TranscriptItem[]): Pick<GroupFacts, 'ending' | 'message'> {
  for (const item of items) {
    const turn = item.kind === 'assistant' || item.kind === 'toolCall' ? item.turn : undefined;
    if (turn?.stopReason === 'aborted') return { ending: 'aborted', message: turn.errorMessage };
    if (turn?.stopReason === 'error' || turn?.errorMessage) return { ending: 'error', message: turn.errorMessage };
  }
  return { ending: null, message: null };
}
