import { describe, expect, it } from 'vitest';

import { orderOf, pageOf as pageOfSorted, sortRows, type SearchableRow } from '../src/library/query.ts';
import { projectId, projectsOf } from '../src/library/projects.ts';
import { haystackOf } from '../src/library/summary-row.ts';
import type { SessionsQuery, SummaryRow } from '../src/schemas/sessions.ts';

function searchable(over: Partial<SummaryRow> & { key: string }): SearchableRow {
  const row: SummaryRow = {
    id: over.key,
    rootId: 'musepi-00000001',
    dialect: 'musepi',
    cwd: '/home/u/work',
    cwdLabel: '~/work',
    path: `/x/${over.key}.jsonl`,
    title: null,
    firstPrompt: null,
    created: null,
    modified: null,
    sizeBytes: 1,
    entryCount: null,
    messageCount: null,
    branchCount: null,
    compactionCount: null,
    labelCount: null,
    labels: [],
    models: [],
    tokens: null,
    cost: null,
    status: 'complete',
    live: null,
    problemCount: null,
    parentKey: null,
    shape: null,
    ...over,
  };
  return { row, haystack: haystackOf(row), project: projectId(row.rootId, row.cwd) };
}

const pageOf = (rows: readonly SearchableRow[], query: SessionsQuery) =>
  pageOfSorted(sortRows(rows, orderOf(query)), query, ({ row }) => row.live);

function walk(rows: readonly SearchableRow[], query: SessionsQuery): string[][] {
  const pages: string[][] = [];
  for (let cursor: string | null = ''; cursor !== null && pages.length < 1_000;) {
    const page: ReturnType<typeof pageOf> = pageOf(rows, cursor === '' ? query : { ...query, cursor });
    pages.push(page.items.map((row) => row.key));
    cursor = page.nextCursor;
  }
  return pages;
}

const keys = (rows: readonly SearchableRow[], query: SessionsQuery): string[] => pageOf(rows, query).items.map((row) => row.key);

describe('order', () => {
  const rows = [
    searchable({ key: 'a', modified: 10, title: 'beta', cost: 0.5 }),
    searchable({ key: 'b', modified: 30, title: 'Alpha', cost: null }),
    searchable({ key: 'c', modified: 20, title: null, firstPrompt: 'ＣＣ', cost: 2 }),
    searchable({ key: 'd', modified: null, title: null, cost: 0 }),
  ];

  it('is newest first without a wish, unknown last', () => {
    expect(keys(rows, {})).toEqual(['b', 'c', 'a', 'd']);
    expect(keys(rows, { order: 'asc' })).toEqual(['a', 'c', 'b', 'd']);
  });

  it('orders titles without case, by the first prompt where there is none', () => {
    expect(keys(rows, { sort: 'title' })).toEqual(['b', 'a', 'c', 'd']);
    expect(keys(rows, { sort: 'title', order: 'desc' })).toEqual(['c', 'a', 'b', 'd']);
  });

  it('keeps 0 apart from unknown', () => {
    expect(keys(rows, { sort: 'cost', order: 'asc' })).toEqual(['d', 'a', 'c', 'b']);
    expect(keys(rows, { sort: 'cost', order: 'desc' })).toEqual(['c', 'a', 'd', 'b']);
  });
});

describe('pages', () => {
  const many = Array.from({ length: 137 }, (_, i) =>
    searchable({ key: `k${String(i).padStart(3, '0')}`, modified: i % 5 === 0 ? null : Math.floor(i / 10), title: `t${i % 7}` }),
  );

  it.each([
    { sort: 'modified', order: 'desc' },
    { sort: 'modified', order: 'asc' },
    { sort: 'title', order: 'asc' },
    { sort: 'cost', order: 'desc' },
  ] as const)('give every row once: $sort $order', (query) => {
    const pages = walk(many, { ...query, limit: 10 });
    expect(pages).toHaveLength(14);
    expect(pages.flat()).toEqual(keys(many, { ...query, limit: 500 }));
    expect(new Set(pages.flat()).size).toBe(137);
  });

  it('neither repeat nor skip when rows come and go between them', () => {
    const first = pageOf(many, { limit: 50 });
    const gone = new Set([first.items[3]!.key, first.items[49]!.key]);
    const newest = searchable({ key: 'new', modified: 999 });
    const later = [newest, ...many.filter(({ row }) => !gone.has(row.key))];
    const second = pageOf(later, { limit: 500, cursor: first.nextCursor! });
    expect(second.items.map((row) => row.key)).toEqual(keys(many, { limit: 500 }).slice(50));
    expect(second.total).toBe(136);
  });

  it('end with null, also on an exact multiple', () => {
    expect(pageOf(many, { limit: 137 }).nextCursor).toBeNull();
    expect(pageOf([], {})).toEqual({ items: [], total: 0, nextCursor: null });
  });

  it('refuse cursors that are not theirs', () => {
    const { nextCursor } = pageOf(many, { limit: 5 });
    for (const bad of ['x', '%%%', Buffer.from('[]').toString('base64url'), Buffer.from('{"a":1}').toString('base64url')]) {
      expect(() => pageOf(many, { cursor: bad })).toThrow(expect.objectContaining({ code: 'invalid_query' }));
    }
    expect(() => pageOf(many, { sort: 'title', cursor: nextCursor! })).toThrow(
      expect.objectContaining({ code: 'invalid_query' }),
    );
    expect(() => pageOf(many, { order: 'asc', cursor: nextCursor! })).toThrow(expect.objectContaining({ code: 'invalid_query' }));
  });

  it('have cursors that the query accepts, for the longest titles too', () => {
    const rows = ['一', '二'].map((c, i) => searchable({ key: `musepi-00000000~000000000000000${i}`, title: c.repeat(5_000) }));
    const { nextCursor } = pageOf(rows, { sort: 'title', limit: 1 });
    expect(nextCursor!.length).toBeLessThanOrEqual(1_000);
    expect(pageOf(rows, { sort: 'title', cursor: nextCursor! }).items).toHaveLength(1);
  });
});

describe('filters', () => {
  const rows = [
    searchable({
      key: 'a',
      title: 'Fix the Login page',
      models: ['anthropic/claude-9'],
      status: 'error',
      labelCount: 1,
      labels: ['keep me'],
    }),
    searchable({ key: 'b', firstPrompt: '修复登录页面 ｆｕｌｌ', rootId: 'pi-00000002', branchCount: 3 }),
    searchable({ key: 'c', cwd: '/srv/api', cwdLabel: '/srv/api', compactionCount: 2, branchCount: 1, problemCount: 4 }),
    searchable({ key: 'd', cwd: null, cwdLabel: null }),
  ];

  it.each([
    ['login FIX', ['a']],
    ['登录', ['b']],
    ['full', ['b']],
    ['claude', ['a']],
    ['keep', ['a']],
    ['/srv', ['c']],
    ['~/work', ['a', 'b']],
    ['login nowhere', []],
    ['   ', ['a', 'b', 'c', 'd']],
    ['(a+)+$', []],
  ])('q %j', (q, expected) => {
    expect(keys(rows, { q })).toEqual(expected);
  });

  it('by root, project, status, label and what a session has', () => {
    expect(keys(rows, { root: 'pi-00000002' })).toEqual(['b']);
    expect(keys(rows, { project: projectId('musepi-00000001', '/srv/api') })).toEqual(['c']);
    expect(keys(rows, { project: projectId('musepi-00000001', null) })).toEqual(['d']);
    expect(keys(rows, { status: 'error' })).toEqual(['a']);
    expect(keys(rows, { label: 'keep me' })).toEqual(['a']);
    expect(keys(rows, { with: 'labels' })).toEqual(['a']);
    expect(keys(rows, { with: 'branches' })).toEqual(['b']);
    expect(keys(rows, { with: 'compactions' })).toEqual(['c']);
    expect(keys(rows, { with: 'problems' })).toEqual(['c']);
    expect(keys(rows, { root: 'nowhere' })).toEqual([]);
  });
});

describe('projects', () => {
  it('are the working directories of each root, the one used last first', () => {
    const projects = projectsOf([
      searchable({ key: 'a', modified: 5 }),
      searchable({ key: 'b', modified: 9 }),
      searchable({ key: 'c', modified: null, cwd: null, cwdLabel: null }),
      searchable({ key: 'd', modified: 50, rootId: 'pi-00000002' }),
    ]);
    expect(
      projects.map(({ rootId, cwd, label, sessionCount, modified }) => ({ rootId, cwd, label, sessionCount, modified })),
    ).toEqual([
      { rootId: 'pi-00000002', cwd: '/home/u/work', label: '~/work', sessionCount: 1, modified: 50 },
      { rootId: 'musepi-00000001', cwd: '/home/u/work', label: '~/work', sessionCount: 2, modified: 9 },
      { rootId: 'musepi-00000001', cwd: null, label: '', sessionCount: 1, modified: null },
    ]);
  });
});
