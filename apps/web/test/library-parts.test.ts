import type { Root } from '@stemma/api/schemas';
import { describe, expect, it } from 'vitest';

import { isFiltered, NO_FILTERS, orderInAddress, parseFilter } from '../src/lib/library/filter.ts';
import { itemKey, itemOfRow, listItems } from '../src/lib/library/items.ts';
import { placesOf } from '../src/lib/library/places.ts';
import { problemItems } from '../src/lib/library/problems.ts';
import { statusMark } from '../src/lib/library/status.ts';
import { patchQuery } from '../src/router.svelte.ts';
import { summaryRow } from './library-rows.ts';

const DAY = 86_400_000;
const now = new Date(2026, 10, 30, 12).getTime();
const rowAt = (days: number | null, index: number) =>
  summaryRow({ key: `k${index}`, modified: days === null ? null : now - days * DAY });
const rows = [0, 0.1, 1, 3, 6, 20, 40, null].map(rowAt);

describe('the filter in the address', () => {
  it('is newest first without a word', () => {
    expect(parseFilter(new URLSearchParams())).toMatchObject({
      sort: 'modified',
      order: 'desc',
      q: undefined,
      status: undefined,
    });
    expect(isFiltered(parseFilter(new URLSearchParams('sort=cost&order=asc')))).toBe(false);
  });

  it('has the order that goes with the sort until it is turned', () => {
    expect(parseFilter(new URLSearchParams('sort=title')).order).toBe('asc');
    expect(parseFilter(new URLSearchParams('sort=title&order=desc')).order).toBe('desc');
    expect(orderInAddress('title', 'asc')).toBeNull();
    expect(orderInAddress('title', 'desc')).toBe('desc');
  });

  it('does not believe strange values', () => {
    const filter = parseFilter(new URLSearchParams('status=nonsense&with=toString&sort=constructor&order=up&q=%20%20'));
    expect(filter).toMatchObject({ status: undefined, with: undefined, sort: 'modified', order: 'desc', q: undefined });
  });

  it('takes what a session does now as well as how it ended', () => {
    for (const status of ['running', 'waiting', 'paused', 'complete', 'error', 'unknown'])
      expect(parseFilter(new URLSearchParams({ status })).status).toBe(status);
  });

  it('is all gone after clearing, the sort stays', () => {
    const query = new URLSearchParams('q=a&root=r&project=p&status=error&with=problems&label=l&sort=size');
    expect(isFiltered(parseFilter(query))).toBe(true);
    const cleared = parseFilter(new URLSearchParams(patchQuery(query, NO_FILTERS)));
    expect(isFiltered(cleared)).toBe(false);
    expect(cleared.sort).toBe('size');
  });
});

describe('the items of the list', () => {
  const items = listItems(rows, rows.length + 3, 'modified', now);

  it('stand under headings by date', () => {
    const headings = items.flatMap((item) => (item.kind === 'heading' ? [[item.index, item.group]] : []));
    expect(headings).toEqual([
      [0, 'today'],
      [2, 'yesterday'],
      [3, 'week'],
      [5, new Date(2026, 10, 1).getTime()],
      [6, new Date(2026, 9, 1).getTime()],
      [7, 'unknown'],
    ]);
  });

  it('hold each row once, those not loaded too', () => {
    expect(items.flatMap((item) => (item.kind === 'row' ? [item.index] : []))).toEqual(Array.from({ length: 11 }, (_, i) => i));
    expect(new Set(items.map(itemKey)).size).toBe(items.length);
  });

  it('have no headings in another sort', () => {
    expect(listItems(rows, rows.length, 'cost', now).every((item) => item.kind === 'row')).toBe(true);
  });

  it('are found by row', () => {
    for (let row = 0; row < 11; row++) expect(items[itemOfRow(items, row)]).toEqual({ kind: 'row', index: row });
    expect(itemOfRow(items, 11)).toBe(-1);
    expect(itemOfRow(items, -1)).toBe(-1);
    expect(itemOfRow([], 0)).toBe(-1);
  });
});

describe('marks', () => {
  it('leave complete sessions alone, and live comes first', () => {
    expect(statusMark({ status: 'complete', live: null })).toBeNull();
    expect(statusMark({ status: 'error', live: null })).toMatchObject({ tone: 'error', key: 'common.status.error' });
    expect(statusMark({ status: 'error', live: 'running' })).toMatchObject({ tone: 'live', key: 'common.live.running' });
  });

  it('say of a live session how it ended so far, and never look like an error', () => {
    for (const live of ['running', 'waiting', 'paused'] as const) {
      const mark = statusMark({ status: 'interrupted', live });
      expect(mark).toMatchObject({ tone: 'live', ended: 'common.status.interrupted' });
      expect(mark?.icon).not.toBe(statusMark({ status: 'aborted', live: null })?.icon);
      expect(statusMark({ status: 'complete', live })?.ended).toBeNull();
    }
  });

  it('differ in shape, not in colour alone', () => {
    const statuses = ['interrupted', 'aborted', 'error', 'pending', 'unknown'] as const;
    const icons = statuses.map((status) => statusMark({ status, live: null })?.icon);
    expect(new Set(icons).size).toBe(statuses.length);
  });
});

describe('places and problems', () => {
  const root = (id: string, path: string, problems: Root['problems'] = []): Root => {
    return { id, dialect: 'pi', path, sessionCount: 0, problems, demo: false };
  };
  const project = (id: string, rootId: string) => ({ id, rootId, cwd: null, label: '', sessionCount: 1, modified: null });

  it('keep every root, with its own projects', () => {
    const places = placesOf([root('a', '/a'), root('b', '/b')], [project('1', 'b'), project('2', 'gone'), project('3', 'b')]);
    expect(places.map((place) => place.projects.map(({ id }) => id))).toEqual([[], ['1', '3']]);
  });

  it('name every problem with its path from the root on', () => {
    const bad = (path?: string): Root['problems'][number] => {
      return { code: 'unreadable', severity: 'error', message: '', ...(path === undefined ? {} : { path }) };
    };
    const items = problemItems([
      root('a', '/a'),
      root('b', '/b', [bad('/b/x/y.jsonl'), bad('/b'), bad(), bad('/bc/z'), bad('C:\\z')]),
    ]);
    expect(items.map((item) => (item.kind === 'root' ? item.root.id : item.path))).toEqual([
      'b',
      'x/y.jsonl',
      null,
      null,
      '/bc/z',
      'C:\\z',
    ]);
  });
});
