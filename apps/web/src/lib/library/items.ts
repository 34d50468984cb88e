import type { SummaryRow } from '@stemma/api/schemas';

import type { Sort } from './filter.ts';

/** A named group, or a month by its first instant (epoch ms, local time). */
export type Group = 'today' | 'yesterday' | 'week' | 'unknown' | number;

/** What the virtual list draws: a date heading, or row `index` of the list (which may not be loaded yet). */
export type Item = { readonly kind: 'heading'; readonly group: Group } | { readonly kind: 'row'; readonly index: number };

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
      items.push({ kind: 'heading', group });
      current = group;
    }
    items.push({ kind: 'row', index });
  }
  return items;
}

/** Where row `index` stands among the items: -1 when it is not there. By halving, since row indices only grow. */
export function itemOfRow(items: readonly Item[], index: number): number {
  let low = Math.max(0, index);
  let high = items.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    const next = items[middle + 1];
    const row = item?.kind === 'row' ? item.index : next?.kind === 'row' ? next.index - 0.5 : Infinity;
    if (row === index) return middle;
    if (row < index) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The row at or after an item. */
export function rowAtItem(items: readonly Item[], position: number): number {
  const item = items[position];
  if (item?.kind === 'row') return item.index;
  const next = items[position + 1];
  return next?.kind === 'row' ? next.index : 0;
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
