import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { Context, SessionDetail, SessionsPage } from '../src/schemas/index.ts';
import { SessionRows } from '../src/library/session-rows.ts';
import { rowFromSlices } from '../src/library/summary-row.ts';
import { buildTestApp } from './build-test-app.ts';
import { fakeRoot, sessionFile, sliceSummary } from './fakes.ts';
import { assistant, compaction, header, PNG, T0, text, user, type Line } from './session-text.ts';

const png = Buffer.from(PNG, 'base64');
const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const image = (hash: string): Line => ({ type: 'image', data: `blob:sha256:${hash}`, mimeType: 'image/png' });

function result(id: string, parentId: string, over: Line): Line {
  const message = { role: 'toolResult', toolCallId: 'c', toolName: 'shot', content: [{ type: 'text', text: 'done' }], ...over };
  return { type: 'message', id, parentId, timestamp: new Date(T0 + 60_000).toISOString(), message };
}

describe('statistics of a session', () => {
  const usage = { input: 50, output: 5, cost: { total: 0.5 } };
  const SESSION = text(
    header('s1'),
    user('a', null, 'Why?', 1),
    assistant('b', 'a', 'So.', 2),
    { ...compaction('c', 'b', 'a', 'Short.', 3), usage },
    { type: 'model_usage', id: 'd', parentId: 'c', timestamp: new Date(T0 + 4_000).toISOString(), purpose: 'title', usage },
    assistant('e', 'd', 'More.', 5, { usage: {} }),
    user('f', 'a', 'Else?', 100),
    assistant('g', 'f', 'Also.', 130, { responseId: 'r', model: 'other' }),
    assistant('h', 'g', 'Also so.', 131, { responseId: 'r', model: 'other' }),
  );
  const open = async () => {
    const test = await buildTestApp({ files: { 'sessions/w/a.jsonl': SESSION } });
    return { ...test, base: `/api/sessions/${test.key('s1')}` };
  };

  it('tell what went where, once', async () => {
    const { answer, base } = await open();
    const { statistics, summary } = await answer(SessionDetail, base);
    expect(statistics.active).toMatchObject({ entries: 4, calls: 1, tokens: 126 });
    expect(statistics.abandoned).toMatchObject({ entries: 4, calls: 2, tokens: 126, unknownUsage: 1 });
    expect(statistics.compactions).toMatchObject({ calls: 1, tokens: 55, cost: 0.5 });
    expect(statistics.side).toMatchObject({ calls: 1, tokens: 55 });
    expect(statistics.summaries).toMatchObject({ calls: 0, tokens: null });
    expect(statistics.total).toMatchObject({ entries: 8, calls: 5, tokens: 362 });
    expect(summary.tokens).toBe(362);
    expect(statistics.models.map(({ model, calls }) => [model, calls])).toEqual([
      ['anthropic/claude-test', 2],
      ['anthropic/other', 1],
    ]);
    expect(statistics.durations).toEqual({ wallMs: 130_000, activeMs: 130_000 });
  });

  it('come by day when a time zone is named', async () => {
    const { answer, base } = await open();
    expect((await answer(SessionDetail, base)).days).toBeUndefined();
    const { days } = await answer(SessionDetail, `${base}?tz=Pacific/Kiritimati`);
    expect(days).toEqual([{ date: '2026-01-02', entries: 8, prompts: 2, tokens: 362, cost: 1.02 }]);
    expect((await answer(SessionDetail, `${base}?tz=UTC`)).days).toMatchObject([{ date: '2026-01-01', entries: 8 }]);
  });

  it('have another ETag for another zone', async () => {
    const { get, base } = await open();
    const { etag } = (await get(`${base}?tz=UTC`)).headers;
    expect((await get(`${base}?tz=UTC`, { 'if-none-match': String(etag) })).statusCode).toBe(304);
    expect((await get(`${base}?tz=Asia/Tokyo`, { 'if-none-match': String(etag) })).statusCode).toBe(200);
  });

  it.each(['Mars/Olympus', '', '../../etc/localtime', 'x'.repeat(65)])('refuse the time zone %j', async (tz) => {
    const { get, base } = await open();
    const response = await get(`${base}?tz=${encodeURIComponent(tz)}`);
    expect(response.statusCode).toBe(400);
  });
});

describe('the context', () => {
  const tools = [{ name: 'read', description: 'Reads.', parameters: {} }];
  const message = { role: 'system', content: '', sections: { rules: 'Be brief.' }, toolsAdded: tools };
  const SESSION = text(
    header('s1'),
    { type: 'message', id: 'a', parentId: null, timestamp: new Date(T0).toISOString(), message },
    user('b', 'a', 'Why does it loop?'),
  );

  it('says what its tokens are', async () => {
    const { answer, key } = await buildTestApp({ files: { 'sessions/w/a.jsonl': SESSION } });
    const context = await answer(Context, `/api/sessions/${key('s1')}/context`);
    expect(context.parts).toMatchObject({ prompts: 5, answers: 0 });
    expect(Object.values(context.parts).reduce((sum, tokens) => sum + tokens, 0)).toBe(context.tokens);
    expect(context.system).toBeUndefined();
  });

  it('answers the system prompt when it is asked for', async () => {
    const { answer, key } = await buildTestApp({ files: { 'sessions/w/a.jsonl': SESSION } });
    const base = `/api/sessions/${key('s1')}/context?system=1`;
    expect((await answer(Context, base)).system).toEqual({
      sections: [{ name: 'rules', text: 'Be brief.', fromEntryId: 'a' }],
      tools: [{ name: 'read', description: 'Reads.', fromEntryId: 'a' }],
      more: 0,
    });
  });

  it('answers the beginning of a prompt that is too long, and says so', async () => {
    const sections = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`s${i}`, 'x'.repeat(i === 0 ? 100_000 : 1)]));
    const huge = { ...message, sections };
    const file = text(header('s1'), {
      type: 'message',
      id: 'a',
      parentId: null,
      timestamp: new Date(T0).toISOString(),
      message: huge,
    });
    const { answer, key } = await buildTestApp({ files: { 'sessions/w/a.jsonl': file } });
    const { system } = await answer(Context, `/api/sessions/${key('s1')}/context?system=1`);
    expect([system!.sections.length, system!.tools.length, system!.more]).toEqual([1_000, 1, 2_000]);
    expect(system!.sections[0]!.text).toHaveLength(65_536);
  });

  it('answers null where the file says nothing', async () => {
    const { answer, key } = await buildTestApp({ files: { 'sessions/w/a.jsonl': text(header('s1'), user('a', null, 'x')) } });
    expect((await answer(Context, `/api/sessions/${key('s1')}/context?system=1`)).system).toBeNull();
  });
});

describe('blobs', () => {
  const damaged = hashOf('what it should be');
  const gone = '0'.repeat(64);
  const url = `data:image/png;base64,${PNG}`;
  const FILES = {
    'sessions/w/a.jsonl': text(
      header('s1'),
      user('a', null, 'look'),
      result('b', 'a', { content: [image(hashOf(png)), image(gone)], details: { images: [image(damaged)] } }),
      '{"broken',
    ),
    'sessions/w/b.jsonl': text(header('s2'), result('a', 'x', { details: { image_url: `blob:sha256:${hashOf(url)}` } })),
    [`blobs/${hashOf(png)}`]: png,
    [`blobs/${hashOf(url)}`]: url,
    [`blobs/${damaged}`]: 'what it is',
  };

  it('that are missing or damaged are problems of the session, and count in the list', async () => {
    const { answer, key, errors } = await buildTestApp({ files: FILES });
    const { problems, problemsTotal, summary } = await answer(SessionDetail, `/api/sessions/${key('s1')}`);
    expect(problems.map(({ code, entryId, line }) => [code, entryId, line])).toEqual([
      ['bad_json', undefined, 4],
      ['blob_missing', 'b', 3],
      ['blob_corrupt', 'b', 3],
    ]);
    expect([problemsTotal, summary.problemCount]).toEqual([3, 3]);
    const { items } = await answer(SessionsPage, '/api/sessions?with=problems');
    expect(items.map(({ id, problemCount }) => [id, problemCount]).sort()).toEqual([
      ['s1', 3],
      ['s2', 1], // its parent is not there
    ]);
    expect(errors).toEqual([]);
  });

  it('are no problem any more once they are there', async () => {
    const { answer, key, write, services } = await buildTestApp({ files: FILES });
    write(`blobs/${gone}`, 'nothing has this hash');
    write('sessions/w/a.jsonl', text(header('s1'), user('a', null, 'look'), user('b', 'a', 'more')));
    await services.settled();
    const detail = await answer(SessionDetail, `/api/sessions/${key('s1')}`);
    expect([detail.problems, detail.summary.problemCount]).toEqual([[], 0]);
    const { items } = await answer(SessionsPage, '/api/sessions?with=problems');
    expect(items.map(({ id }) => id)).toEqual(['s2']);
  });

  it('are shown beside the text of a result, also where a blob holds a URL', async () => {
    const { get, key } = await buildTestApp({ files: FILES });
    for (const [id, place] of [
      ['s1', 'b/images/0'],
      ['s2', 'a/images/0'],
    ] as const) {
      const response = await get(`/api/sessions/${key(id)}/entries/${place}`);
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/png']);
      expect(response.rawPayload.equals(png)).toBe(true);
    }
    expect((await get(`/api/sessions/${key('s1')}/entries/b/images/1`)).json().error.code).toBe('blob_missing');
    expect((await get(`/api/sessions/${key('s1')}/entries/b/images/2`)).json().error.code).toBe('blob_corrupt');
    expect((await get(`/api/sessions/${key('s1')}/entries/b/images/3`)).json().error.code).toBe('entry_not_found');
  });
});

describe('where sessions come from', () => {
  it('is the folder they lie in, else the id or path in their header', async () => {
    const { answer, key } = await buildTestApp({
      files: {
        'sessions/w/a.jsonl': text(header('s1'), user('a', null, 'x')),
        'sessions/w/a/sub.jsonl': text(header('s2', { parentSession: 's3' }), user('a', null, 'x')),
        'sessions/w/b.jsonl': text(header('s3', { parentSession: 's1' }), user('a', null, 'x')),
        'sessions/v/c.jsonl': text(header('s4', { parentSession: '/home/u/agent/sessions/w/b.jsonl' }), user('a', null, 'x')),
        'sessions/v/d.jsonl': text(header('s5', { parentSession: '/home/u/agent/sessions/w/gone.jsonl' }), user('a', null, 'x')),
      },
    });
    const { items } = await answer(SessionsPage, '/api/sessions');
    const parents = Object.fromEntries(items.map((row) => [row.id, row.parentKey]));
    expect(parents).toEqual({ s1: null, s2: key('s1'), s3: key('s1'), s4: key('s3'), s5: null });
    expect((await answer(SessionDetail, `/api/sessions/${key('s4')}`)).summary.parentKey).toBe(key('s3'));
  });
});

describe('what a session does', () => {
  it('is told when the list is asked for, not when it was read', () => {
    const { root } = fakeRoot();
    const rows = new SessionRows();
    const file = sessionFile('k', { modifiedMs: 1_000_000 });
    const row = rowFromSlices(root, file, sliceSummary({ status: 'pending' }), '');
    rows.put({ root, demo: false, home: '' }, file, { row, parentSession: null, placeProblems: [], whole: false });
    const liveAt = (ms: number) => rows.page({}, file.modifiedMs + ms).items[0]!.live;
    expect([liveAt(1_000), liveAt(10 * 60_000), liveAt(24 * 3_600_000)]).toEqual(['running', 'paused', null]);
  });

  it('stands in the list and in the session itself', async () => {
    const { answer, key, disk, services } = await buildTestApp({ idle: true });
    const put = (id: string, age: number): void => {
      const bytes = new TextEncoder().encode(text(header(id), user('a', null, 'x')));
      disk.writeFile(`/home/u/agent/sessions/w/${id}.jsonl`, bytes, Date.now() - age);
    };
    put('s1', 0);
    put('s2', 600_000);
    put('s3', 86_400_000);
    services.start();
    await services.settled();
    const { items } = await answer(SessionsPage, '/api/sessions?sort=modified');
    expect(items.map(({ id, live }) => [id, live])).toEqual([
      ['s1', 'running'],
      ['s2', 'paused'],
      ['s3', null],
    ]);
    expect((await answer(SessionDetail, `/api/sessions/${key('s2')}`)).summary.live).toBe('paused');
    for (const [status, ids] of [
      ['running', ['s1']],
      ['paused', ['s2']],
      ['waiting', []],
    ] as const) {
      const page = await answer(SessionsPage, `/api/sessions?status=${status}`);
      expect([status, page.total, page.items.map(({ id }) => id)]).toEqual([status, ids.length, ids]);
    }
  });
});
