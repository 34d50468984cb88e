import type { SummaryRow } from '@stemma/api/schemas';

import type { Sort } from './filter.ts';

/** A named group, or a month by its first instant (epoch ms, local time). */
export type Group = 'today' | 'yesterday' | 'week' | 'unknown' | number;

/** What the virtual list draws: row `index` of the list (which may not be loaded yet), or a date heading before it. */
export type Item =
  { readonly kind: 'heading'; readonly index: number; readonly group: Group } | { readonly kind: 'row'; readonly index: number };

/**
 * The items of a list of `total` rows of which `rows` are loaded. Headings stand only in a sort by time, between
 * loaded rows.
 */
export function listItems(rows: readonly SummaryRow[], total: number, sort: Sort, now: number): Item[] {
  const groupOf = sort === 'modified' || sort === 'created' ? grouping(sort, now) : null;
  const items: Item[] = [];
  let current: Group | undefined;
  for (let index = 0; index < Math.max(total, rows.length); index++) {
    const row = rows[index];
    const group = row === undefined ? undefined : groupOf?.(row);
    if (group !== undefined && group !== current) {
      items.push({ kind: 'heading', index, group });
      current = group;
    }
    items.push({ kind: 'row', index });
  }
  return items;
}

/** A key that stays with a row when headings come in before it. */
export function itemKey(item: Item): string {
  return item.kind === 'row' ? `row ${item.index}` : `heading ${item.index}`;
}

/** Where row `index` stands among the items; -1 when it is not there. By halving: row numbers only grow. */
export function itemOfRow(items: readonly Item[], index: number): number {
  let low = 0;
  let high = items.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item === undefined) return -1;
    if (item.index === index) return item.kind === 'row' ? middle : middle + 1;
    if (item.index < index) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function grouping(sort: 'modified' | 'created', now: number): (row: SummaryRow) => Group {
  const today = startOfDay(now, 0);
  const yesterday = startOfDay(now, 1);
  const week = startOfDay(now, 6);
  return (row) => {
    const time = row[sort];
    if (time === null) return 'unknown';
    if (time >= today) return 'today';
    if (time >= yesterday) return 'yesterday';
    if (time >= week) return 'week';
    const date = new Date(time);
    return new Date(date.getFullYear(), date.getMonth(), 1).getTime();
  };
}

function startOfDay(now: number, daysBefore: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBefore).getTime();
}
