import type { Context } from '@stemma/api/schemas';
import { REASON_CODES } from '@stemma/core/pure';
import { describe, expect, it } from 'vitest';

import { loadDictionary } from '../src/lib/i18n/index.ts';
import { entryFacts } from '../src/lib/inspector/entry-facts.ts';
import { childrenOf, preview } from '../src/lib/inspector/json-tree.ts';
import { Loader } from '../src/lib/inspector/loader.svelte.ts';
import { MessageBodies } from '../src/lib/inspector/messages.svelte.ts';
import { partsOf, tallyLens } from '../src/lib/inspector/parts.ts';

const message = (role: string, tokens: number): Context['messages'][number] => ({ entryId: 'e', row: 0, role, tokens });
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

const NONE: Context['parts'] = {
  system: 0,
  summaries: 0,
  prompts: 0,
  answers: 0,
  toolCalls: 0,
  toolResults: 0,
  images: 0,
  commands: 0,
  other: 0,
};

describe('partsOf', () => {
  it('gives shares in the order of the bar, without what does not occur', () => {
    expect(partsOf({ ...NONE, toolResults: 50, summaries: 30, prompts: 20 })).toEqual([
      { name: 'summaries', tokens: 30, share: 0.3 },
      { name: 'prompts', tokens: 20, share: 0.2 },
      { name: 'toolResults', tokens: 50, share: 0.5 },
    ]);
  });

  it('takes an empty context', () => {
    expect(partsOf(NONE)).toEqual([]);
  });
});

describe('tallyLens', () => {
  it('counts entries by status and reason, most first, without those that are sent', () => {
    const lensKeys: Context['lensKeys'] = [
      { status: 'sent' },
      { status: 'folded', compactionId: 'c1' },
      { status: 'neverSent', reason: 'setting' },
      { status: 'neverSent', reason: 'annotation' },
      { status: 'folded', compactionId: 'c2' },
      { status: 'folded', compactionId: 'c2', reason: 'older_compaction' },
    ];
    const lens: Context['lens'] = [
      [0, 10, 1],
      [10, 5, 0],
      [15, 1, 2],
      [16, 3, 3],
      [19, 1, 1],
      [20, 7, 4],
      [27, 1, 5],
    ];
    expect(tallyLens({ lens, lensKeys })).toEqual([
      {
        status: 'folded',
        entries: 19,
        reasons: [
          { key: lensKeys[1], entries: 18, compactions: 2 },
          { key: lensKeys[5], entries: 1, compactions: 1 },
        ],
      },
      {
        status: 'neverSent',
        entries: 4,
        reasons: [
          { key: lensKeys[3], entries: 3, compactions: 0 },
          { key: lensKeys[2], entries: 1, compactions: 0 },
        ],
      },
    ]);
  });
});

describe('reason codes', () => {
  it.each(REASON_CODES)('%s has words in both languages', async (code) => {
    const [en, zh] = [(await loadDictionary('en')).inspector, (await loadDictionary('zh-CN')).inspector];
    expect(String(en[`reason.${code}`]).length).toBeGreaterThan(5);
    expect(zh[`reason.${code}`]).not.toBe(en[`reason.${code}`]);
  });
});

describe('entryFacts', () => {
  it('reads model, stop reason and usage of an answer', () => {
    const usage = { input: 3, output: 4, cacheRead: 0, cost: { total: 0.5 } };
    expect(entryFacts({ type: 'message', message: { provider: 'p', model: 'm', stopReason: 'stop', usage } })).toEqual({
      model: 'p/m',
      stopReason: 'stop',
      usage: { input: 3, output: 4, cacheRead: 0, cacheWrite: null, cost: 0.5 },
    });
  });

  it('keeps what is missing apart from zero', () => {
    expect(entryFacts({ message: { usage: {} } }).usage).toEqual({
      input: null,
      output: null,
      cacheRead: null,
      cacheWrite: null,
      cost: null,
    });
    expect(entryFacts(null)).toEqual({ model: null, stopReason: null, usage: null });
    expect(entryFacts({ type: 'model_change', provider: 'p', modelId: 'm' }).model).toBe('p/m');
  });
});

describe('JSON tree', () => {
  it('previews values on a line', () => {
    expect([preview([1, 2]), preview({}), preview(null), preview('a"b'), preview(1)]).toEqual([
      '[2]',
      '{}',
      'null',
      '"a\\"b"',
      '1',
    ]);
    expect(preview({ a: 1, b: 2, c: 3, d: 4, e: 5 })).toBe('{ a, b, c, d, … }');
    expect(childrenOf('text')).toBeNull();
  });
});

describe('Loader', () => {
  it('loads what is read, once, and again when the place changes', async () => {
    let at = 'a';
    const asked: string[] = [];
    const loader = new Loader(
      () => ({ at }),
      async (place) => {
        asked.push(place.at);
        return `value of ${place.at}`;
      },
    );
    expect([loader.value, loader.value]).toEqual([null, null]);
    await settle();
    expect(loader.value).toBe('value of a');
    at = 'b';
    expect(loader.value).toBeNull();
    expect(loader.latest).toBe('value of a');
    await settle();
    expect(loader.latest).toBe('value of b');
    expect(asked).toEqual(['a', 'b']);
  });

  it('aborts the request for a place that was left, and ignores its answer', async () => {
    let at = 'slow';
    const signals: AbortSignal[] = [];
    const loader = new Loader(
      () => ({ at }),
      async (place, signal) => {
        signals.push(signal);
        if (place.at === 'slow') await new Promise((resolve) => setTimeout(resolve, 15));
        return place.at;
      },
    );
    void loader.value;
    await settle();
    at = 'fast';
    void loader.value;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(signals[0]?.aborted).toBe(true);
    expect(loader.value).toBe('fast');
  });

  it('keeps an error at its place until it is told to try again', async () => {
    let fails = true;
    const loader = new Loader(
      () => ({ at: 'a' }),
      async () => {
        if (fails) throw new Error('down');
        return 1;
      },
    );
    void loader.value;
    await settle();
    expect(loader.value).toBeNull();
    expect(loader.error?.message).toBe('down');
    fails = false;
    loader.retry();
    void loader.value;
    await settle();
    expect([loader.value, loader.error]).toEqual([1, null]);
  });
});

describe('MessageBodies', () => {
  const context = { leafId: 'leaf', messages: Array.from({ length: 450 }, () => message('user', 1)) } as unknown as Context;

  it('fetches a body when it is opened, and all of them in pages for the copy', async () => {
    const asked: [number, number][] = [];
    const bodies = new MessageBodies(async ({ from = 0, limit = 0 }) => {
      asked.push([from, limit]);
      const messages = context.messages.map((one, index) =>
        index >= from && index < from + limit ? { ...one, message: { index } } : one,
      );
      return { ...context, messages };
    }, context);
    await bodies.toggle(7);
    expect([bodies.opened, bodies.body]).toEqual([7, { index: 7 }]);
    await bodies.toggle(7);
    expect(bodies.opened).toBe(-1);
    const all = JSON.parse(await bodies.json()) as { index: number }[];
    expect(all.map((one) => one.index)).toEqual(context.messages.map((_, index) => index));
    expect(asked).toEqual([
      [7, 1],
      [0, 200],
      [200, 200],
      [400, 200],
    ]);
  });
});
