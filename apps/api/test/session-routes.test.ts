import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { Compactions, Context, EntryAnswer, Outline, SessionDetail, Transcript } from '../src/schemas/index.ts';
import { buildTestApp, conforming, type TestApp } from './build-test-app.ts';
import { assistant, chain, compaction, header, label, PNG, text, user } from './session-text.ts';

const SESSION = text(
  header('s1', { title: 'Fix the login page' }),
  user('a', null, 'Why does it loop?'),
  assistant('b', 'a', 'The cookie.'),
  user('c', 'b', 'And now?', 3),
  assistant('d', 'c', 'Fixed.', 4),
  user('e', 'b', 'Another way?', 5),
  assistant('f', 'e', 'Yes.', 6),
  compaction('g', 'f', 'e', 'All about cookies.', 7),
  label('h', 'g', 'b', 'the cause', 8),
  user('i', 'h', 'Go on', 9),
);

async function open(files: Record<string, string | Uint8Array> = {}): Promise<TestApp & { base: string }> {
  const test = await buildTestApp({ files: { 'sessions/w/a.jsonl': SESSION, ...files } });
  return { ...test, base: `/api/sessions/${test.key('s1')}` };
}

describe('GET /api/sessions/:key', () => {
  it('tells header, summary, statistics, labels and compactions', async () => {
    const { answer, base } = await open();
    const detail = await answer(SessionDetail, base);
    expect(detail.header).toMatchObject({ id: 's1', title: 'Fix the login page' });
    expect(detail.summary).toMatchObject({ id: 's1', entryCount: 9, branchCount: 2 });
    expect(detail.leafId).toBe('i');
    expect(detail.statistics.total).toMatchObject({ entries: 9, messages: 7, prompts: 4, answers: 3, tokens: 378 });
    expect(detail.statistics.active.entries + detail.statistics.abandoned.entries).toBe(9);
    expect(detail.statistics.abandoned.entries).toBe(2);
    expect(detail.labels).toMatchObject([{ entryId: 'b', row: 1, label: 'the cause' }]);
    expect(detail.compactions).toMatchObject([{ entryId: 'g', row: 6, keptRow: 4, tokensBefore: 1_000 }]);
    expect(detail.problems).toEqual([]);
  });

  it('names what is damaged, with the line', async () => {
    const damaged = text(header('s2'), user('a', null, 'x'), '{"broken', user('b', 'gone', 'y'));
    const { answer, key } = await open({ 'sessions/w/b.jsonl': damaged });
    const { problems, problemsTotal } = await answer(SessionDetail, `/api/sessions/${key('s2')}`);
    expect(problems.map(({ code, line }) => [code, line])).toEqual([
      ['bad_json', 3],
      ['missing_parent', 4],
    ]);
    expect(problemsTotal).toBe(2);
  });

  it('answers a session without entries', async () => {
    const { answer, key } = await open({ 'sessions/w/b.jsonl': text(header('s2')) });
    const base = `/api/sessions/${key('s2')}`;
    expect(await answer(SessionDetail, base)).toMatchObject({ leafId: null, summary: { entryCount: 0 } });
    expect(await answer(Outline, `${base}/outline`)).toMatchObject({ total: 0, complete: true, leafId: null });
    expect(await answer(Transcript, `${base}/transcript`)).toMatchObject({ leafId: null, items: [], before: null, after: null });
    expect(await answer(Context, `${base}/context`)).toMatchObject({ leafId: null, messages: [], lens: [], entries: [] });
    expect(await answer(Compactions, `${base}/compactions`)).toEqual({ items: [], total: 0, nextCursor: null });
  });
});

describe('GET …/outline', () => {
  it('answers flat columns of one length', async () => {
    const { answer, base } = await open();
    const outline = await answer(Outline, `${base}/outline`);
    expect(outline).toMatchObject({ from: 0, total: 9, complete: true, leafId: 'i' });
    expect(outline.columns.id).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
    expect(outline.columns.parent).toEqual([-1, 0, 1, 2, 1, 4, 5, 6, 7]);
    expect(outline.columns.type.slice(5, 8)).toEqual(['message', 'compaction', 'label']);
    expect(outline.columns.role.slice(0, 2)).toEqual(['user', 'assistant']);
    expect(outline.columns.tokens.slice(0, 2)).toEqual([null, 126]);
    for (const column of Object.values(outline.columns)) expect(column).toHaveLength(9);
  });

  it('answers parts, and only what is new', async () => {
    const { answer, base, write } = await open();
    const part = await answer(Outline, `${base}/outline?from=2&limit=3`);
    expect(part.columns.id).toEqual(['c', 'd', 'e']);
    expect(part).toMatchObject({ from: 2, total: 9 });
    write('sessions/w/a.jsonl', SESSION + text(assistant('j', 'i', 'more', 10)));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const news = await answer(Outline, `${base}/outline?from=9&epoch=${part.epoch}`);
    expect(news).toMatchObject({ from: 9, total: 10, epoch: part.epoch, leafId: 'j' });
    expect(news.columns.id).toEqual(['j']);
    expect((await answer(Outline, `${base}/outline?from=500&epoch=${part.epoch}`)).columns.id).toEqual([]);
  });

  it('starts again when the epoch is another', async () => {
    const { answer, base, write } = await open();
    const { epoch } = await answer(Outline, `${base}/outline`);
    write('sessions/w/a.jsonl', text(header('s1'), user('z', null, 'rewritten')));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const outline = await answer(Outline, `${base}/outline?from=9&epoch=${epoch}`);
    expect(outline.epoch).not.toBe(epoch);
    expect(outline).toMatchObject({ from: 0, total: 1 });
  });
});

describe('GET …/entries/:entryId', () => {
  it('answers the stored value and text, by id and by row', async () => {
    const { answer, get, base } = await open();
    const entry = await answer(EntryAnswer, `${base}/entries/g`);
    expect(entry).toMatchObject({ entryId: 'g', row: 6, line: 8, entry: { type: 'compaction', firstKeptEntryId: 'e' } });
    expect(entry.raw).toBe(SESSION.split('\n')[7]);
    expect(entry.truncated).toBeUndefined();
    expect(SESSION.slice(entry.byteOffset, entry.byteOffset + entry.byteLength)).toBe(entry.raw);
    expect(await answer(EntryAnswer, `${base}/entries/@6`)).toEqual(entry);
    const raw = await get(`${base}/entries/g?raw=1`);
    expect(raw.body).toBe(entry.raw);
    expect(raw.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="entry-6.json"',
    });
    expect(raw.headers['content-security-policy']).toContain('sandbox');
  });

  it('cuts long texts and says so; raw has every byte', async () => {
    const long = `ä${'x'.repeat(400_000)}`;
    const line = JSON.stringify(user('a', null, long));
    const { answer, get, key } = await open({ 'sessions/w/b.jsonl': text(header('s2'), line) });
    const url = `/api/sessions/${key('s2')}/entries/a`;
    const entry = await answer(EntryAnswer, url);
    expect(JSON.stringify(entry).length).toBeLessThan(400_000);
    expect(entry.truncated!.bytes).toBeGreaterThanOrEqual(400_000);
    expect((await get(`${url}?raw=1`)).rawPayload.equals(Buffer.from(line))).toBe(true);
  });

  it('shows odd values as they are', async () => {
    const odd = `{"type":"custom","id":"o/d d%?#","parentId":null,"__proto__":{"x":1},"deep":${'['.repeat(20_000)}${']'.repeat(20_000)},"half":"\\ud83d"}`;
    const { get, key } = await open({ 'sessions/w/b.jsonl': text(header('s2'), odd) });
    const response = await get(`/api/sessions/${key('s2')}/entries/${encodeURIComponent('o/d d%?#')}`);
    expect(response.statusCode).toBe(200);
    const entry = conforming(EntryAnswer, response.json());
    expect(entry.entryId).toBe('o/d d%?#');
    expect(Object.keys(entry.entry as object)).toEqual(['type', 'id', 'parentId', '__proto__', 'deep', 'half']);
    expect(entry.raw).toBe(odd);
  });

  it.each(['zz', '@99', '@-1', '@1.5', '%00', '..%2f..%2fetc%2fpasswd'])('answers entry_not_found to %s', async (ref) => {
    const { get, base } = await open();
    const response = await get(`${base}/entries/${ref}`);
    expect([response.statusCode, response.json().error.code]).toEqual([404, 'entry_not_found']);
  });
});

describe('images and blobs', () => {
  const png = Buffer.from(PNG, 'base64');
  const hash = createHash('sha256').update(png).digest('hex');
  const html = Buffer.from('<script>alert(1)</script>');
  const htmlHash = createHash('sha256').update(html).digest('hex');
  const image = (data: string, mimeType = 'image/png') => ({ type: 'image', data, mimeType });
  const content = [
    { type: 'text', text: 'look' },
    image(PNG),
    image(`blob:sha256:${hash}`),
    image(html.toString('base64'), 'text/html" onerror="alert(1)'),
    image(`blob:sha256:${'0'.repeat(64)}`),
    image('blob:sha256:../../etc/passwd'),
  ];
  const files = {
    'sessions/w/b.jsonl': text(header('s2'), { ...user('a', null, ''), message: { role: 'user', content } }),
    [`blobs/${hash}`]: png,
    [`blobs/${htmlHash}`]: html,
    [`blobs/${'1'.repeat(64)}`]: png,
  };

  it('answers an image inside the entry and one that it refers to', async () => {
    const { get, key } = await open(files);
    for (const n of [0, 1]) {
      const response = await get(`/api/sessions/${key('s2')}/entries/a/images/${n}`);
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/png']);
      expect(response.rawPayload.equals(png)).toBe(true);
      expect(response.headers['content-security-policy']).toContain('sandbox');
      const again = await get(`/api/sessions/${key('s2')}/entries/a/images/${n}`, {
        'if-none-match': String(response.headers['etag']),
      });
      expect(again.statusCode).toBe(304);
    }
  });

  it('never shows what is no raster image, whatever it says it is', async () => {
    const { get, key } = await open(files);
    for (const url of [`/api/sessions/${key('s2')}/entries/a/images/2`, `/api/blobs/${htmlHash}`]) {
      const { headers, rawPayload } = await get(url);
      expect(headers['content-type']).toBe('application/octet-stream');
      expect(headers['content-disposition']).toMatch(/^attachment; filename="[a-z0-9.-]+"$/);
      expect(rawPayload.equals(html)).toBe(true);
    }
  });

  it('tells what is not there', async () => {
    const { get, key } = await open(files);
    const images = `/api/sessions/${key('s2')}/entries/a/images`;
    expect((await get(`${images}/3`)).json().error.code).toBe('blob_missing');
    expect((await get(`${images}/5`)).json().error.code).toBe('entry_not_found');
    expect((await get(`${images}/-1`)).json().error.code).toBe('invalid_query');
    expect((await get(`${images}/x`)).json().error.code).toBe('invalid_query');
  });

  it('answers blobs by their hash only', async () => {
    const { get } = await open(files);
    const response = await get(`/api/blobs/${hash}`);
    expect([response.statusCode, response.headers['content-type'], response.headers['content-disposition']]).toEqual([
      200,
      'image/png',
      'inline',
    ]);
    expect((await get(`/api/blobs/${'0'.repeat(64)}`)).json().error.code).toBe('blob_missing');
    const corrupt = await get(`/api/blobs/${'1'.repeat(64)}`);
    expect([corrupt.statusCode, corrupt.json().error.code]).toEqual([500, 'blob_corrupt']);
    for (const bad of [hash.toUpperCase(), hash.slice(1), '..%2f..%2fetc%2fpasswd', `${hash}%00`, `${hash}.png`]) {
      expect([bad, (await get(`/api/blobs/${bad}`)).json().error.code]).toEqual([bad, 'invalid_query']);
    }
  });
});

describe('GET …/transcript', () => {
  it('answers the last page by default, along the path of the leaf', async () => {
    const { answer, base } = await open();
    const all = await answer(Transcript, `${base}/transcript`);
    expect(all.covers).toEqual(['a', 'b', 'e', 'f', 'g', 'h', 'i']);
    expect(all).toMatchObject({ leafId: 'i', before: null, after: null });
    expect(all.items.map((item) => item.kind)).toContain('compaction');
    const last = await answer(Transcript, `${base}/transcript?limit=2`);
    expect(last.covers).toEqual(['h', 'i']);
    expect(last.before).not.toBeNull();
  });

  it('walks back and forth without gap or repetition', async () => {
    const { answer, key } = await open({ 'sessions/w/b.jsonl': chain('s2', 101) });
    const base = `/api/sessions/${key('s2')}/transcript?limit=10`;
    const seen: string[] = [];
    for (let before: string | null = ''; before !== null;) {
      const page: { covers: string[]; before: string | null } = await answer(
        Transcript,
        before === '' ? base : `${base}&before=${before}`,
      );
      seen.unshift(...page.covers);
      before = page.before;
    }
    expect(seen).toEqual(Array.from({ length: 101 }, (_, i) => `e${i}`));
    const around = await answer(Transcript, `${base}&around=e50`);
    expect(around.covers).toContain('e50');
    const onward = await answer(Transcript, `${base}&after=${around.after}`);
    expect(onward.covers[0]).toBe(`e${Number(around.covers.at(-1)!.slice(1)) + 1}`);
  });

  it('follows another leaf', async () => {
    const { answer, base } = await open();
    expect((await answer(Transcript, `${base}/transcript?leaf=d`)).covers).toEqual(['a', 'b', 'c', 'd']);
  });

  it('shows what the model sees, too', async () => {
    const { answer, base } = await open();
    const { items } = await answer(Transcript, `${base}/transcript?history=model`);
    expect(items.map((item) => item.entryId)).not.toContain('a');
    expect(items.map((item) => item.kind)).toContain('compaction');
  });

  it.each(['leaf=zz', 'around=zz', 'before=zz', 'after=zz'])('answers entry_not_found to %s', async (query) => {
    const { get, base } = await open();
    expect((await get(`${base}/transcript?${query}`)).json().error.code).toBe('entry_not_found');
  });
});

describe('GET …/context', () => {
  it('lists messages in order and what became of every entry', async () => {
    const { answer, base } = await open();
    const context = await answer(Context, `${base}/context?rules=pi`);
    expect(context).toMatchObject({ leafId: 'i', rules: 'pi' });
    expect(context.messages.map(({ entryId }) => entryId)).toEqual(['g', 'e', 'f', 'i']);
    expect(context.messages.every(({ tokens, message }) => tokens > 0 && message === undefined)).toBe(true);
    expect(context.tokens).toBe(context.messages.reduce((sum, { tokens }) => sum + tokens, 0));
    const byId = Object.fromEntries(context.entries!.map((entry) => [entry.id, entry.status]));
    expect(byId).toMatchObject({
      a: 'folded',
      b: 'folded',
      c: 'otherBranch',
      d: 'otherBranch',
      e: 'sent',
      g: 'sent',
      h: 'neverSent',
      i: 'sent',
    });
    expect(context.entries!.find(({ id }) => id === 'a')!.compactionId).toBe('g');
    expect(Object.values(context.counts).reduce((sum, count) => sum + (count ?? 0), 0)).toBe(9);
  });

  it('says the same in runs as entry by entry', async () => {
    const { answer, base } = await open();
    const { lens, lensKeys, entries } = await answer(Context, `${base}/context`);
    const unrolled = lens.flatMap(([first, count, key]) =>
      Array.from({ length: count }, (_, i) => ({ row: first + i, ...lensKeys[key]! })),
    );
    const expected = entries!.map(({ status, reason, compactionId }, row) => ({
      row,
      status,
      ...(reason && { reason }),
      ...(compactionId && { compactionId }),
    }));
    expect(unrolled).toEqual(expected);
    expect((await answer(Context, `${base}/context?entries=0`)).entries).toBeUndefined();
  });

  it('adds bodies where they are asked for', async () => {
    const { answer, base } = await open();
    const context = await answer(Context, `${base}/context?bodies=1&from=1&limit=2`);
    expect(context.messages.map(({ message }) => message !== undefined)).toEqual([false, true, true, false]);
    expect(context.messages[1]!.message).toMatchObject({ role: 'user' });
  });

  it('stands on any entry', async () => {
    const { answer, base } = await open();
    const context = await answer(Context, `${base}/context?leaf=c`);
    expect(context.messages.map(({ entryId }) => entryId)).toEqual(['a', 'b', 'c']);
    expect(context.entries!.find(({ id }) => id === 'd')).toMatchObject({ status: 'neverSent', reason: 'after_leaf' });
  });
});

describe('GET …/compactions', () => {
  it('reports what was folded and what was kept', async () => {
    const { answer, base } = await open();
    const { items, total } = await answer(Compactions, `${base}/compactions`);
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({
      entryId: 'g',
      row: 6,
      onPath: true,
      summary: 'All about cookies.',
      tokensBefore: 1_000,
      firstKeptEntryId: 'e',
      folded: { entries: 2, firstId: 'a', lastId: 'b' },
      kept: { entries: 2, firstId: 'e', lastId: 'f' },
    });
    expect((await answer(Compactions, `${base}/compactions?leaf=d`)).items[0]).toMatchObject({ onPath: false });
  });
});

describe('an ETag', () => {
  it.each(['', '/outline', '/transcript', '/context', '/compactions'])(
    'spares the answer of %j until the file changes',
    async (part) => {
      const { get, base, write } = await open();
      const first = await get(base + part);
      const etag = String(first.headers['etag']);
      expect(etag).toMatch(/^"[\w-]+"$/);
      const again = await get(base + part, { 'if-none-match': `"other", W/${etag}` });
      expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag]);
      const query = part === '' ? '' : part === '/outline' ? '?from=1' : '?leaf=d';
      if (query !== '') expect((await get(base + part + query, { 'if-none-match': etag })).statusCode).toBe(200);
      write('sessions/w/a.jsonl', SESSION + text(assistant('j', 'i', 'more', 10)));
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect((await get(base + part, { 'if-none-match': etag })).statusCode).toBe(200);
    },
  );

  it('is not on errors', async () => {
    const { get, base } = await open();
    const response = await get(`${base}/context?leaf=zz`);
    expect([response.statusCode, response.headers['etag']]).toEqual([404, undefined]);
  });
});

describe('a session that is not there', () => {
  it.each(['', '/outline', '/entries/a', '/entries/a/images/0', '/transcript', '/context', '/compactions'])(
    'gives 404 at %j',
    async (part) => {
      const { get } = await open();
      for (const key of ['nope', '..%2f..%2fetc', '%00', 'musepi-00000000~0000000000000000', '__proto__', 'a'.repeat(120)]) {
        const response = await get(`/api/sessions/${key}${part}`);
        expect([key, response.statusCode, response.json().error.code]).toEqual([key, 404, 'session_not_found']);
      }
      expect((await get(`/api/sessions/${'a'.repeat(121)}${part}`)).json().error.code).toBe('invalid_query');
    },
  );
});
