import { describe, expect, it } from 'vitest';

import { INPUTS, type HostileInput } from '../../../packages/core/test/hostile/inputs.ts';
import {
  Compactions,
  Context,
  EntryAnswer,
  LineAnswer,
  Outline,
  SessionDetail,
  SessionsPage,
  Transcript,
} from '../src/schemas/index.ts';
import { buildTestApp, conforming, type TestApp } from './build-test-app.ts';

/** No answer is larger, whatever lies in the file. Entries as bytes and images are the file's own. */
const LARGEST_ANSWER = 24 * 1024 * 1024;
const LARGEST_PAGE = 4 * 1024 * 1024;

/** An answer that is good, or an error that says what it is. Never a fault of the server. */
async function ask(
  test: TestApp,
  url: string,
  largest = LARGEST_ANSWER,
): Promise<{ status: number; json: unknown; etag: unknown }> {
  const response = await test.get(url);
  const json: unknown = response.json();
  expect([url, response.statusCode < 500]).toEqual([url, true]);
  if (response.statusCode !== 200)
    expect(json).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
  expect(response.rawPayload.length).toBeLessThan(largest);
  return { status: response.statusCode, json, etag: response.headers['etag'] };
}

async function good<T>(test: TestApp, url: string, largest?: number): Promise<T> {
  const { status, json, etag } = await ask(test, url, largest);
  expect([url, status]).toEqual([url, 200]);
  if (typeof etag === 'string') expect((await test.get(url, { 'if-none-match': etag })).statusCode).toBe(304);
  return json as T;
}

/** All rows, page by page: the columns stay equally long. */
async function outlineIds(test: TestApp, base: string): Promise<string[]> {
  const ids: string[] = [];
  for (let total = 1; ids.length < total;) {
    const page = conforming(Outline, await good(test, `${base}/outline?from=${String(ids.length)}&limit=50000`));
    total = page.total;
    expect(new Set(Object.values(page.columns).map((column) => column.length)).size).toBe(1);
    ids.push(...page.columns.id);
    if (page.columns.id.length === 0) break;
  }
  return ids;
}

async function transcriptPages(test: TestApp, base: string, history: string): Promise<void> {
  let page = conforming(Transcript, await good(test, `${base}/transcript?history=${history}`, LARGEST_PAGE));
  const covered = new Set(page.covers);
  for (let i = 0; i < 8 && page.before !== null; i++) {
    const { status, json } = await ask(
      test,
      `${base}/transcript?history=${history}&before=${encodeURIComponent(page.before)}`,
      LARGEST_PAGE,
    );
    if (status !== 200) return; // an id too long for an address
    page = conforming(Transcript, json);
    for (const id of page.covers) {
      expect(covered.has(id)).toBe(false);
      covered.add(id);
    }
  }
}

async function compactionPages(test: TestApp, base: string): Promise<number> {
  let count = 0;
  for (let cursor: string | null = ''; cursor !== null;) {
    const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: Compactions = conforming(Compactions, await good(test, `${base}/compactions?limit=500${next}`));
    count += page.items.length;
    cursor = page.nextCursor;
    if (cursor === null) expect(count).toBe(page.total);
  }
  return count;
}

async function entries(test: TestApp, base: string, ids: readonly string[]): Promise<void> {
  const rows = new Set([0, 1, 2, 3, 8, 15, ids.length >> 1, ids.length - 1].filter((row) => row >= 0 && row < ids.length));
  for (const row of rows) {
    const answer = conforming(EntryAnswer, await good(test, `${base}/entries/@${String(row)}`, LARGEST_PAGE));
    expect([answer.row, answer.entryId]).toEqual([row, ids[row]]);
    const raw = await test.get(`${base}/entries/@${String(row)}?raw=1`);
    expect([raw.statusCode, raw.rawPayload.length]).toEqual([200, answer.byteLength]);
    for (const n of [0, 1]) {
      const image = await test.get(`${base}/entries/@${String(row)}/images/${String(n)}`);
      expect([200, 404]).toContain(image.statusCode);
      expect(image.headers['content-security-policy']).toContain("default-src 'none'");
      expect(image.headers['content-type']).not.toContain('svg');
    }
    const byId = await ask(test, `${base}/entries/${encodeURIComponent(ids[row]!)}`, LARGEST_PAGE);
    if (byId.status === 200 && !/^@\d+$/.test(ids[row]!)) expect((byId.json as EntryAnswer).row).toBe(row);
  }
}

async function everyRoute(test: TestApp, input: HostileInput, key: string): Promise<void> {
  const base = `/api/sessions/${key}`;
  const detail = conforming(SessionDetail, await good(test, base));
  expect(detail.summary.entryCount).toBe(input.entries);
  const wanted = input.problems === 'any' ? detail.problemsTotal : Object.values(input.problems).reduce((sum, n) => sum + n, 0);
  expect(detail.problemsTotal).toBe(wanted);
  expect(detail.summary.problemCount).toBe(wanted);
  const ids = await outlineIds(test, base);
  expect(new Set(ids).size).toBe(input.entries);
  await transcriptPages(test, base, 'full');
  await transcriptPages(test, base, 'model');
  for (const query of ['', '?rules=pi&bodies=1', '?rules=musepi&bodies=1&from=1&limit=500&entries=0', '?system=1&entries=0']) {
    const context = conforming(Context, await good(test, `${base}/context${query}`));
    expect(Object.values(context.counts).reduce((sum: number, n) => sum + (n ?? 0), 0)).toBe(input.entries);
  }
  expect(await compactionPages(test, base)).toBe(detail.compactions.length);
  await entries(test, base, ids);
  for (const { byteOffset, near } of detail.problems.slice(0, 20)) {
    expect(near === null ? input.entries === 0 : near.row < input.entries).toBe(true);
    const line = conforming(LineAnswer, await good(test, `${base}/lines/${String(byteOffset)}`, LARGEST_PAGE));
    expect(line.octets.length).toBeLessThanOrEqual(64 * 1024);
  }
}

describe('every route over', () => {
  it.each(INPUTS)('$name', { timeout: 120_000 }, async (input) => {
    const test = await buildTestApp({ files: { 'sessions/w/a.jsonl': input.bytes() } });
    for (const url of ['/api/health', '/api/roots', '/api/projects']) await good(test, url);
    const { items } = conforming(SessionsPage, await good(test, '/api/sessions', 100_000));
    if (items.length === 0) {
      // Not a session: then it is said why.
      const { items: roots } = await good<{ items: { problems: unknown[] }[] }>(test, '/api/roots');
      expect([input.entries, roots[0]!.problems.length]).toEqual([0, 1]);
      return;
    }
    await everyRoute(test, input, items[0]!.key);
    expect(test.errors).toEqual([]);
  });
});
