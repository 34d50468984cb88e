import { LIVE_STATES } from '@stemma/core';

import type { SessionsPage, SessionsQuery, SummaryRow } from '../schemas/sessions.ts';
import { ApiError } from '../http/errors.ts';
import { folded, wordsOf } from './display.ts';

/** A row with what filters look at besides. */
export interface SearchableRow {
  row: SummaryRow;
  /** The text that `q` looks through, folded. */
  haystack: string;
  project: string;
}

type Sort = NonNullable<SessionsQuery['sort']>;
type SortValue = number | string | null;

export interface ListOrder {
  sort: Sort;
  order: 'asc' | 'desc';
}

const DEFAULT_LIMIT = 50;
/** Titles are ordered by their beginning, so that cursors stay short. */
const TITLE_PREFIX = 80;

const SORT_VALUES: Record<Sort, (row: SummaryRow) => SortValue> = {
  modified: (row) => row.modified,
  created: (row) => row.created,
  title: (row) => titleValue(row.title ?? row.firstPrompt),
  size: (row) => row.sizeBytes,
  entries: (row) => row.entryCount,
  tokens: (row) => row.tokens,
  cost: (row) => row.cost,
};

/** What a session does at the moment. */
export type LiveOf = (candidate: SearchableRow) => SummaryRow['live'];

/** How a query wants its rows: newest first without a wish, titles from A on. */
export function orderOf(query: SessionsQuery): ListOrder {
  const sort = query.sort ?? 'modified';
  return { sort, order: query.order ?? (sort === 'title' ? 'asc' : 'desc') };
}

/** Rows in an order that never leaves two of them equal; unknown values last. */
export function sortRows(rows: Iterable<SearchableRow>, { sort, order }: ListOrder): SearchableRow[] {
  const value = SORT_VALUES[sort];
  const compare = comparator(order);
  const places = Array.from(rows, (candidate) => ({ value: value(candidate.row), key: candidate.row.key, candidate }));
  return places.sort(compare).map((place) => place.candidate);
}

/**
 * One page of the rows that match. A cursor is the place after the last row answered, not a number of rows: rows that
 * come and go between two pages neither repeat nor hide others.
 *
 * @param sorted all rows, in the order of the query.
 * @param liveOf asked where the query depends on it.
 * @throws ApiError `invalid_query` for a cursor of another list.
 */
export function pageOf(sorted: readonly SearchableRow[], query: SessionsQuery, liveOf: LiveOf): SessionsPage {
  const wanted = orderOf(query);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const value = SORT_VALUES[wanted.sort];
  const compare = comparator(wanted.order);
  const after = query.cursor === undefined ? null : readCursor(query.cursor, wanted);
  const matches = matcher(query, liveOf);

  let total = 0;
  let more = false;
  const items: SummaryRow[] = [];
  for (const candidate of sorted) {
    if (!matches(candidate)) continue;
    total++;
    const { row } = candidate;
    if (after !== null && compare({ value: value(row), key: row.key }, after) <= 0) continue;
    if (items.length < limit) items.push(row);
    else more = true;
  }
  const last = items.at(-1);
  const nextCursor = more && last !== undefined ? writeCursor(wanted, { value: value(last), key: last.key }) : null;
  return { items, total, nextCursor };
}

interface CursorPlace {
  value: SortValue;
  key: string;
}

function matcher(query: SessionsQuery, liveOf: LiveOf): (candidate: SearchableRow) => boolean {
  const words = wordsOf(query.q);
  const isLive = LIVE_STATES.some((live) => live === query.status);
  return (candidate) => {
    const { row, haystack, project } = candidate;
    return (
      (query.root === undefined || row.rootId === query.root) &&
      (query.project === undefined || project === query.project) &&
      (query.status === undefined || (isLive ? liveOf(candidate) : row.status) === query.status) &&
      (query.label === undefined || row.labels.includes(query.label)) &&
      (query.with === undefined || has(row, query.with)) &&
      words.every((word) => haystack.includes(word))
    );
  };
}

function has(row: SummaryRow, what: NonNullable<SessionsQuery['with']>): boolean {
  if (what === 'problems') return (row.problemCount ?? 0) > 0;
  if (what === 'branches') return (row.branchCount ?? 0) > 1;
  if (what === 'compactions') return (row.compactionCount ?? 0) > 0;
  return (row.labelCount ?? 0) > 0;
}

function comparator(order: 'asc' | 'desc'): (a: CursorPlace, b: CursorPlace) => number {
  const sign = order === 'asc' ? 1 : -1;
  return (a, b) => {
    if (a.value !== b.value) {
      if (a.value === null) return 1;
      if (b.value === null) return -1;
      return a.value < b.value ? -sign : sign;
    }
    return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
  };
}

function titleValue(title: string | null): string | null {
  return title === null ? null : folded(title.slice(0, TITLE_PREFIX)).slice(0, TITLE_PREFIX);
}

function writeCursor({ sort, order }: ListOrder, place: CursorPlace): string {
  return Buffer.from(JSON.stringify([sort, order, place.value, place.key])).toString('base64url');
}

function readCursor(cursor: string, { sort, order }: ListOrder): CursorPlace {
  const parts = parseCursor(cursor);
  const [cursorSort, cursorOrder, value, key] = parts;
  const usable = value === null || typeof value === (sort === 'title' ? 'string' : 'number');
  if (cursorSort !== sort || cursorOrder !== order || typeof key !== 'string' || !usable) {
    throw new ApiError('invalid_query', 'The cursor belongs to another list.');
  }
  return { value: value as SortValue, key };
}

function parseCursor(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (error instanceof SyntaxError) return []; // not a cursor of ours
    throw error;
  }
}
