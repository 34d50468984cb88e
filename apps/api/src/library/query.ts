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

/**
 * One page of the rows that match, in the order asked for (newest first without one; unknown values last).
 * A cursor is the place after the last row answered, not a number of rows: rows that come and go between two
 * pages neither repeat nor hide others.
 */
export function pageOf(rows: Iterable<SearchableRow>, query: SessionsQuery): SessionsPage {
  const sort = query.sort ?? 'modified';
  const order = query.order ?? (sort === 'title' ? 'asc' : 'desc');
  const limit = query.limit ?? DEFAULT_LIMIT;
  const compare = comparator(order);
  const after = query.cursor === undefined ? null : readCursor(query.cursor, sort, order);
  const matches = matcher(query);

  let total = 0;
  const found: Place[] = [];
  for (const candidate of rows) {
    if (!matches(candidate)) continue;
    total++;
    const place = { value: SORT_VALUES[sort](candidate.row), key: candidate.row.key, row: candidate.row };
    if (after === null || compare(place, after) > 0) found.push(place);
  }
  found.sort(compare);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = found.length > limit && last !== undefined ? writeCursor(sort, order, last) : null;
  return { items: items.map((place) => place.row), total, nextCursor };
}

interface CursorPlace {
  value: SortValue;
  key: string;
}
interface Place extends CursorPlace {
  row: SummaryRow;
}

function matcher(query: SessionsQuery): (candidate: SearchableRow) => boolean {
  const words = wordsOf(query.q);
  return ({ row, haystack, project }) =>
    (query.root === undefined || row.rootId === query.root) &&
    (query.project === undefined || project === query.project) &&
    (query.status === undefined || row.status === query.status) &&
    (query.label === undefined || row.labels.includes(query.label)) &&
    (query.with === undefined || has(row, query.with)) &&
    words.every((word) => haystack.includes(word));
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

function writeCursor(sort: Sort, order: string, place: CursorPlace): string {
  return Buffer.from(JSON.stringify([sort, order, place.value, place.key])).toString('base64url');
}

function readCursor(cursor: string, sort: Sort, order: string): CursorPlace {
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
