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
  /** Nothing but one-line remarks. */
  quiet: boolean;
  folded: boolean;
  /** Whether the margin says the word: at the ends of a folded stretch and at its prompts. */
  sayFolded: boolean;
  /** How the turn ended, if badly. */
  ending: Ending | null;
}

export interface Ending {
  how: 'error' | 'aborted';
  message: string;
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
    quiet: items.length > 0 && items.every((item) => item.kind === 'settings' || item.kind === 'notice'),
    folded,
    sayFolded: folded && (alone || columns.role[head] === 'user'),
    ending: endingOf(items),
  };
}

function endingOf(items: readonly TranscriptItem[]): Ending | null {
  for (const item of items) {
    const turn = item.kind === 'assistant' || item.kind === 'toolCall' ? item.turn : undefined;
    if (turn?.stopReason === 'aborted') return { how: 'aborted', message: turn.errorMessage ?? '' };
    if (turn?.stopReason === 'error' || turn?.errorMessage) return { how: 'error', message: turn.errorMessage ?? '' };
  }
  return null;
}

/** The block to mark for a selected row: the card with its result, else the only block; null marks the whole entry. */
export function markedBlock(items: readonly TranscriptItem[], row: number): string | null {
  const card =
    items.find((item) => item.kind === 'toolCall' && item.result?.row === row) ?? items.find((item) => item.row === row);
  if (card === undefined) return null;
  const ofRow = items.filter((item) => item.row === card.row).length;
  return card.row !== row || ofRow === 1 ? card.id : null;
}
