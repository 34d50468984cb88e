import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  shapesFor,
  TEXT_LIMIT,
  transcriptPage,
  transcriptView,
  type History,
  type PageRequest,
  type SessionEntry,
  type TranscriptItem,
  type TranscriptPage,
} from '../../src/pure.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

interface Pager {
  page(request: PageRequest): Promise<TranscriptPage>;
  rows: number[];
}

function pager(build: SessionBuilder, history: History = 'full'): Pager {
  const { outline } = decode(build);
  const entries = build.entries();
  const view = transcriptView(outline, outline.leafRow, history, shapesFor('musepi'));
  const load = (rows: readonly number[]): Promise<SessionEntry[]> => Promise.resolve(rows.map((row) => entries[row]!));
  return { page: (request) => transcriptPage(outline, view, load, request), rows: [...view.rows] };
}

async function itemsOf(build: SessionBuilder): Promise<TranscriptItem[]> {
  return (await pager(build).page({ limit: 500 })).items;
}

async function onlyItem(build: SessionBuilder): Promise<TranscriptItem> {
  const items = await itemsOf(build);
  expect(items).toHaveLength(1);
  return items[0]!;
}

/** A talk of prompts, answers, calls and results, with side branches. */
const talk = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.nat()), { minLength: 1, maxLength: 40 }).map((steps) => {
  const build = session();
  steps.forEach(([kind, choice], i) => {
    if (kind === 0) build.user(`prompt ${String(i)}`);
    else if (kind === 1) build.assistant(`answer ${String(i)}`);
    else if (kind === 2) build.call(`c${String(i)}`);
    else if (kind === 3) build.result(`c${String(i - 1)}`, 'found');
    else if (kind === 4) build.compaction('so far', `e${String(Math.max(1, i - 2))}`);
    else if (i > 0) build.at(`e${String(1 + (choice % i))}`).user('elsewhere');
    else build.user('first');
  });
  return build;
});

describe('pages of a transcript', () => {
  it.each(['full', 'model'] as const)('cover the history (%s) exactly once, asked for backwards or forwards', async (history) => {
    await fc.assert(
      fc.asyncProperty(talk, fc.integer({ min: 1, max: 9 }), async (build, limit) => {
        const { page, rows } = pager(build, history);
        const backwards: number[] = [];
        for (let at = await page({ limit }); ; at = await page({ limit, before: at.before })) {
          backwards.unshift(...at.rows);
          expect(at.rows.length).toBeLessThanOrEqual(limit);
          if (at.before < 0) break;
        }
        expect(backwards).toEqual(rows);
        if (rows.length === 0) return;
        const forwards = [rows[0]!];
        for (let after = rows[0]!; after >= 0;) {
          const next = await page({ limit, after });
          forwards.push(...next.rows);
          after = next.after;
        }
        expect(forwards).toEqual(rows);
      }),
    );
  });

  it('around a row hold it, and go on before and after without a gap', async () => {
    await fc.assert(
      fc.asyncProperty(talk, fc.nat(), fc.integer({ min: 1, max: 9 }), async (build, choice, limit) => {
        const { page, rows } = pager(build);
        const around = rows[choice % rows.length]!;
        const middle = await page({ limit, around });
        expect(middle.rows).toContain(around);
        expect(middle.rows.length).toBeLessThanOrEqual(limit);
        const before = middle.before < 0 ? [] : (await page({ limit: 100, before: middle.before })).rows;
        const after = middle.after < 0 ? [] : (await page({ limit: 100, after: middle.after })).rows;
        expect([...before, ...middle.rows, ...after]).toEqual(rows);
      }),
    );
  });

  it('show every entry of the path: as an item of its own, or as the result that rides with its call', async () => {
    await fc.assert(
      fc.asyncProperty(talk, async (build) => {
        const { page, rows } = pager(build);
        const { items } = await page({ limit: 500 });
        const shown = items.flatMap((item) =>
          item.kind === 'toolCall' && item.result !== null ? [item.row, item.result.row] : [item.row],
        );
        expect([...new Set(shown)].sort((a, b) => a - b)).toEqual(rows);
        expect(new Set(items.map((item) => item.id)).size).toBe(items.length);
      }),
    );
  });

  it('are the last one where the row that was asked for is not on the path', async () => {
    const build = session().user('1').user('side').at('e1').user('3').user('4');
    const { page } = pager(build);
    for (const anchor of [{ around: 1 }, { before: 1 }, { after: 1 }, { around: 99 }, { before: -1 }]) {
      expect((await page({ limit: 2, ...anchor })).rows).toEqual([2, 3]);
    }
  });

  it('end at about a megabyte of stored text, but always hold one entry', async () => {
    const build = session();
    for (let i = 0; i < 8; i++) build.user('x'.repeat(400_000));
    const { page } = pager(build);
    expect((await page({ limit: 60 })).rows).toEqual([6, 7]);
    const huge = pager(session().user('a').user('x'.repeat(3_000_000)));
    expect((await huge.page({ limit: 60 })).rows).toEqual([1]);
  });

  it('bring the result of a call with them, though it is on the next page', async () => {
    const { page } = pager(session().user('1').call('c1').user('in between').result('c1', 'late'));
    const { items, rows } = await page({ limit: 1, around: 1 });
    expect(rows).toEqual([1]);
    expect(items).toMatchObject([{ kind: 'toolCall', result: { row: 3, parts: [{ type: 'text', text: 'late' }] } }]);
  });
});

describe('items', () => {
  it('number the blocks of their entry, text between calls apart', async () => {
    const build = session().assistant([
      { type: 'text', text: 'a' },
      { type: 'toolCall', id: 'c1', name: 'read', arguments: {} },
      { type: 'text', text: 'b' },
      { type: 'thinking', thinking: 'c' },
      { type: 'toolCall', id: 'c2', name: 'read', arguments: {} },
    ]);
    const items = await itemsOf(build);
    expect(items.map((item) => `${item.id} ${item.kind}`)).toEqual([
      'e1#0 assistant',
      'e1#1 toolCall',
      'e1#2 assistant',
      'e1#3 toolCall',
    ]);
  });

  it('have the facts of the turn on the first one only', async () => {
    const usage = { input: 10, output: 2, cost: { total: 0.5 } };
    const build = session().call('c1', 'read', {}, { provider: 'p', model: 'm', usage, duration: 1200, errorMessage: 'busy' });
    build.assistant([
      { type: 'toolCall', id: 'c2', name: 'x', arguments: {} },
      { type: 'text', text: 'b' },
    ]);
    const [first, second, third] = await itemsOf(build);
    expect(first).toMatchObject({
      turn: {
        provider: 'p',
        model: 'm',
        stopReason: 'toolUse',
        errorMessage: 'busy',
        durationMs: 1200,
        usage: { input: 10, output: 2, cacheRead: null, cacheWrite: null, cost: 0.5 },
      },
    });
    expect(second).toMatchObject({ turn: { usage: null, model: null } });
    expect(third).not.toHaveProperty('turn');
  });

  it('cut texts over the limit and say how long they were', async () => {
    const at = 'x'.repeat(TEXT_LIMIT);
    expect(await onlyItem(session().user(at))).toMatchObject({ parts: [{ type: 'text', text: at }] });
    const over = await onlyItem(session().user(`${at}y`));
    expect(over).toMatchObject({ parts: [{ text: at, truncated: { bytes: TEXT_LIMIT + 1 } }] });
  });

  it('do not cut an emoji in two', async () => {
    const item = await onlyItem(session().user(`${'x'.repeat(TEXT_LIMIT - 1)}😀`));
    expect(item).toMatchObject({ parts: [{ text: 'x'.repeat(TEXT_LIMIT - 1), truncated: { bytes: TEXT_LIMIT + 1 } }] });
  });

  it('cut arguments, details, commands, outputs and summaries too', async () => {
    const long = 'y'.repeat(TEXT_LIMIT + 5);
    const build = session()
      .call('c1', 'write', { path: 'a', deep: [{ content: long }] })
      .result('c1', 'ok', { details: { diff: long } })
      .message('bashExecution', { command: 'cat', output: long, exitCode: 0 })
      .compaction(long)
      .branchSummary(long, 'e1')
      .entry('odd', { payload: long });
    const items = await itemsOf(build);
    expect(items).toHaveLength(5);
    for (const item of items) {
      expect(JSON.stringify(item).length).toBeLessThan(2 * TEXT_LIMIT + 2000);
      expect(item).toMatchObject({ truncated: { bytes: expect.any(Number) as number } });
    }
  });

  it('show values that are nested deeper than a serialiser goes', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as unknown;
    const build = session().user('x');
    const { outline } = decode(build);
    const entry = {
      ...build.entries()[0]!,
      message: { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'n', arguments: deep }] },
    };
    const view = transcriptView(outline, 0, 'full', shapesFor('pi'));
    const { items } = await transcriptPage(outline, view, () => Promise.resolve([entry as unknown as SessionEntry]), {
      limit: 1,
    });
    expect(JSON.stringify(items).length).toBeLessThan(5000);
  });

  it('keep a field that is called __proto__ a field', async () => {
    const build = session().call('c1', 'odd', JSON.parse('{"__proto__":{"polluted":true}}'));
    const item = await onlyItem(build);
    expect(JSON.stringify(item)).toContain('"__proto__":{"polluted":true}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('know their time, and null where there is none', async () => {
    const build = session().user('a').user('b', { timestamp: 'soon' });
    expect((await itemsOf(build)).map((item) => item.time)).toEqual([Date.UTC(2026, 0, 1, 0, 0, 1), null]);
  });
});
