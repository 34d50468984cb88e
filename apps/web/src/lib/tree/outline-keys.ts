import { step } from '../ui/rove.ts';
import { FILTERS, type Filter } from './outline-rows.ts';
import type { OutlineState } from './outline-state.svelte.ts';

/** Rows that the page keys move by. */
const PAGE = 15;
/** The filters by letter; the same letter again goes back to the default. */
export const FILTER_KEYS: Readonly<Record<string, Filter>> = {
  d: 'default',
  t: 'noTools',
  u: 'prompts',
  l: 'labelled',
  a: 'all',
};

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** What a key does in the outline; says whether it did anything. */
export function outlineKey(event: Key, outline: OutlineState): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const at = outline.activePlace;
  const next = step(event.key, at, outline.rows.length, PAGE);
  if (next !== null) outline.moveTo(next);
  else if (event.key === 'Enter' || event.key === ' ') outline.choose(at);
  else if (event.key === 'ArrowLeft') aside(outline, at, -1);
  else if (event.key === 'ArrowRight') aside(outline, at, 1);
  else return filterKey(event.key, outline);
  return true;
}

/** Left folds a branch at its beginning, right unfolds it; elsewhere they go to the branch before and after. */
function aside(outline: OutlineState, at: number, direction: -1 | 1): void {
  const folded = outline.foldAt(at);
  if (folded === (direction === 1)) outline.toggleFold(at);
  else outline.moveTo(outline.branchFrom(at, direction));
}

function filterKey(key: string, outline: OutlineState): boolean {
  const chosen = FILTER_KEYS[key];
  if (chosen !== undefined) {
    outline.filter = outline.filter === chosen ? 'default' : chosen;
    return true;
  }
  const direction = { o: 1, O: -1 }[key];
  if (direction === undefined) return false;
  const index = FILTERS.indexOf(outline.filter) + direction;
  outline.filter = FILTERS[(index + FILTERS.length) % FILTERS.length] ?? 'default';
  return true;
}
