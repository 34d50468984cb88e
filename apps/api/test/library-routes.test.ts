import { describe, expect, it } from 'vitest';

import { Health, Projects, Roots, SessionsPage } from '../src/schemas/index.ts';
import { buildTestApp } from './build-test-app.ts';
import { assistant, chain, compaction, header, label, text, user } from './session-text.ts';

const FILES = {
  'sessions/-work/a.jsonl': text(
    header('s1', { title: 'Fix the login page' }),
    user('a', null, 'Why does it loop?'),
    assistant('b', 'a', 'The cookie.'),
    user('c', 'b', 'And now?', 3),
    assistant('d', 'c', 'Fixed.', 4),
    user('e', 'b', 'Another way?', 5),
    assistant('f', 'e', 'Yes.', 6),
    compaction('g', 'f', 'e', 'All about cookies.', 7),
    label('h', 'g', 'b', 'the cause', 8),
  ),
  'sessions/-work/b.jsonl': chain('s2', 4),
  'sessions/-other/c.jsonl': text(header('s3', { cwd: '/srv/api' }), user('a', null, '修复登录页面'), '{"type":"message","id":'),
  'sessions/-other/notes.jsonl': 'these are\nno sessions\n',
};

describe('GET /api/health', () => {
  it('says what is served and how far counting is', async () => {
    const { answer } = await buildTestApp({ files: FILES });
    const health = await answer(Health, '/api/health');
    expect(health).toMatchObject({ ok: true, version: '1.2.3', demo: false, sessions: 3 });
    expect(health.indexing).toMatchObject({ done: 3, total: 3, running: false });
    expect(health.indexing.bytesDone).toBe(health.indexing.bytesTotal);
    expect(health.problems).toBe(2); // the file that is none, the session with a torn tail
  });

  it('answers without a single session', async () => {
    const { answer } = await buildTestApp();
    expect(await answer(Health, '/api/health')).toMatchObject({ sessions: 0, indexing: { done: 0, total: 0, rate: null } });
  });
});

describe('GET /api/roots', () => {
  it('names roots with their sessions, and files that are none with the reason', async () => {
    const { answer } = await buildTestApp({ files: FILES });
    const { items, looked } = await answer(Roots, '/api/roots');
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ sessionCount: 3, demo: false });
    expect(items[0]!.problems.map(({ code, path }) => [code, path?.split('/').at(-1)])).toEqual([
      ['not_a_session', 'notes.jsonl'],
    ]);
    expect(looked).toEqual([{ path: '~/agent', found: true }]);
  });
});

describe('GET /api/projects', () => {
  it('names working directories, home as ~', async () => {
    const { answer } = await buildTestApp({ files: FILES });
    const { items } = await answer(Projects, '/api/projects');
    expect(items.map(({ label: name, sessionCount }) => [name, sessionCount]).sort()).toEqual([
      ['/srv/api', 1],
      ['~/work', 2],
    ]);
    const page = await answer(
      SessionsPage,
      `/api/sessions?project=${encodeURIComponent(items.find((one) => one.cwd === '/srv/api')!.id)}`,
    );
    expect(page.items.map((row) => row.id)).toEqual(['s3']);
  });
});

describe('GET /api/sessions', () => {
  it('answers summary rows with everything counted', async () => {
    const { answer } = await buildTestApp({ files: FILES });
    const page = await answer(SessionsPage, '/api/sessions?sort=entries&order=desc');
    expect(page).toMatchObject({ total: 3, nextCursor: null });
    expect(page.items.map((row) => row.id)).toEqual(['s1', 's2', 's3']);
    expect(page.items[0]).toMatchObject({
      title: 'Fix the login page',
      firstPrompt: 'Why does it loop?',
      cwd: '/home/u/work',
      cwdLabel: '~/work',
      entryCount: 8,
      messageCount: 6,
      branchCount: 2,
      compactionCount: 1,
      labelCount: 1,
      labels: ['the cause'],
      models: ['anthropic/claude-test'],
      tokens: 3 * 126,
      status: 'complete',
      problemCount: 0,
      live: null,
      parentKey: null,
    });
    expect(page.items[0]!.shape!.lanes.length).toBe(2);
    expect(page.items[2]!.problemCount).toBe(1);
  });

  it.each([
    ['q=login', ['s1']],
    ['q=LOGIN%20cause', ['s1']],
    ['q=%E7%99%BB%E5%BD%95', ['s3']],
    ['with=problems', ['s3']],
    ['with=branches', ['s1']],
    ['with=compactions', ['s1']],
    ['label=the%20cause', ['s1']],
    ['root=nowhere', []],
    ['status=odd', []],
    ['status=paused', []],
    ['server=http://evil.com&q=login', ['s1']],
  ])('filters by %s', async (query, expected) => {
    const { answer } = await buildTestApp({ files: FILES });
    const page = await answer(SessionsPage, `/api/sessions?${query}`);
    expect(page.items.map((row) => row.id)).toEqual(expected);
    expect(page.total).toBe(expected.length);
  });

  it('pages by cursor', async () => {
    const files = Object.fromEntries(Array.from({ length: 23 }, (_, i) => [`sessions/w/${i}.jsonl`, chain(`s${i}`, 2)]));
    const { answer } = await buildTestApp({ files });
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { items: { key: string }[]; total: number; nextCursor: string | null } = await answer(
        SessionsPage,
        `/api/sessions?limit=5${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(page.total).toBe(23);
      seen.push(...page.items.map((row) => row.key));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(23);
    expect(new Set(seen).size).toBe(23);
  });

  it.each([
    'limit=0',
    'limit=501',
    'limit=ten',
    'sort=colour',
    'order=up',
    `status=${'a'.repeat(41)}`,
    'with=love',
    'cursor=nonsense',
    'q=a&q=b',
    `q=${'a'.repeat(4_001)}`,
  ])('answers 400 to %s', async (query) => {
    const { get } = await buildTestApp();
    const response = await get(`/api/sessions?${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.code).toBe('invalid_query');
  });

  it('shows a session that has come since, and drops one that has gone', async () => {
    const { answer, write, disk, services } = await buildTestApp({ files: { 'sessions/w/a.jsonl': chain('s1', 2) } });
    write('sessions/w/b.jsonl', chain('s2', 2));
    disk.unlinkSync('/home/u/agent/sessions/w/a.jsonl');
    await services.settled();
    const page = await answer(SessionsPage, '/api/sessions');
    expect(page.items.map((row) => row.id)).toEqual(['s2']);
  });
});
