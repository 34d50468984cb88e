import { describe, expect, it } from 'vitest';

import { byDay, statistics, type Outline, type Statistics } from '../../src/pure.ts';
import { countingObject, session, type SessionBuilder } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

const usage = (input: number, output: number, cost?: number): Record<string, unknown> => ({
  usage: { input, output, cacheRead: 0, cacheWrite: 0, ...(cost === undefined ? {} : { cost: { total: cost } }) },
});

function of(builder: SessionBuilder, leaf?: string): Statistics {
  const { outline } = decode(builder);
  return statistics(outline, leaf === undefined ? outline.leafRow : outline.rowOf(leaf));
}

describe('sets of calls', () => {
  // e1 ─ e2 ─ e3 (compaction) ─ e4 (usage) ─ e5
  //       └─ e6 ─ e7 ─ e8 (branch summary)
  const two = (): SessionBuilder =>
    session()
      .user('go')
      .assistant('one', { provider: 'acme', model: 'm-1', ...usage(100, 10, 0.1) })
      .compaction('short', 'e1', usage(1000, 50, 0.5))
      .entry('usage', { kind: 'warm', provider: 'acme', model: 'm-2', ...usage(7, 0, 0.01) })
      .assistant('two', { provider: 'acme', model: 'm-1', ...usage(200, 20, 0.2) })
      .at('e2')
      .user('other way')
      .assistant('three', { provider: 'acme', model: 'm-2', ...usage(400, 40, 0.4) })
      .branchSummary('what was tried', 'e5', usage(30, 3, 0.03));

  it('are told apart, and add up', () => {
    const { active, abandoned, compactions, summaries, side, total } = of(two(), 'e5');
    expect([active.tokens, abandoned.tokens, compactions.tokens, summaries.tokens, side.tokens]).toEqual([330, 440, 1050, 33, 7]);
    expect(total.tokens).toBe(330 + 440 + 1050 + 33 + 7);
    expect(total.cost).toBeCloseTo(1.24, 10);
    expect([active.calls, abandoned.calls, compactions.calls, summaries.calls, side.calls, total.calls]).toEqual([
      2, 1, 1, 1, 1, 6,
    ]);
  });

  it('count entries by the path alone', () => {
    const { active, abandoned, total } = of(two(), 'e5');
    expect([active.entries, active.messages, active.prompts, active.answers]).toEqual([5, 3, 1, 2]);
    expect([abandoned.entries, abandoned.messages, abandoned.prompts, abandoned.answers]).toEqual([3, 2, 1, 1]);
    expect(total.entries).toBe(8);
  });

  it('change with the leaf', () => {
    const { active, abandoned } = of(two(), 'e8');
    expect([active.tokens, abandoned.tokens]).toEqual([110 + 440, 220]);
  });

  it('hold model_usage beside the talk', () => {
    const { side, active } = of(
      session()
        .user('go')
        .entry('model_usage', { purpose: 'title', provider: 'p', model: 'm', ...usage(5, 1) }),
    );
    expect([side.calls, side.tokens, active.calls]).toEqual([1, 6, 0]);
  });

  it('count what tools report of their own calls', () => {
    const { active } = of(
      session()
        .user('go')
        .call('c1')
        .result('c1', 'done', usage(11, 2, 0.5)),
    );
    expect([active.tokens, active.cost]).toEqual([13, 0.5]);
  });

  it('give each model its share', () => {
    const { models } = of(two(), 'e5');
    expect(models.map(({ model, calls, tokens, share }) => [model, calls, tokens, share])).toEqual([
      ['acme/m-2', 2, 447, 447 / 777],
      ['acme/m-1', 2, 330, 330 / 777],
    ]);
  });
});

describe('what the file does not say', () => {
  it('is unknown, and not 0', () => {
    const { active } = of(session().user('go').assistant('x', { usage: {} }).assistant('y'));
    expect([active.tokens, active.input, active.cost]).toEqual([null, null, null]);
    expect([active.calls, active.unknownUsage, active.unknownCost]).toEqual([2, 2, 2]);
  });

  it('leaves the sum of what is known, and is counted', () => {
    const { active } = of(
      session()
        .user('go')
        .assistant('x', usage(3, 4, 0.5))
        .assistant('y')
        .assistant('z', usage(1, 1)),
    );
    expect([active.tokens, active.cost, active.unknownUsage, active.unknownCost]).toEqual([9, 0.5, 1, 2]);
  });

  it('gives no share to a model', () => {
    const { models } = of(session().assistant('x', { provider: 'p', model: 'm' }));
    expect(models).toMatchObject([{ model: 'p/m', calls: 1, tokens: null, share: null }]);
  });

  it('a compaction without usage was a call of unknown cost; an empty branch summary was none', () => {
    const { compactions, summaries } = of(session().user('go').compaction('short', 'e1').branchSummary('', 'e1'));
    expect([compactions.calls, compactions.unknownUsage, compactions.tokens]).toEqual([1, 1, null]);
    expect(summaries.calls).toBe(0);
  });

  it('an empty session has no figures at all', () => {
    const { total, durations, models, tools } = statistics(decode(session()).outline, -1);
    expect([total.entries, total.calls, total.tokens, total.cost]).toEqual([0, 0, null, null]);
    expect([durations, models, tools]).toEqual([{ wallMs: null, activeMs: null }, [], []]);
  });
});

describe('usage is counted once', () => {
  it('for rows of one answer whose figures grow (CCHV#283, ccusage#797)', () => {
    const row = (output: number): Record<string, unknown> => ({ responseId: 'msg_1', usage: { output } });
    const { total } = of(session().user('go').assistant('a', row(1)).assistant('b', row(40)).assistant('c', row(120)));
    expect([total.output, total.calls, total.answers]).toEqual([120, 1, 3]);
  });

  it('also by the id inside of the message', () => {
    const { total } = of(
      session()
        .user('go')
        .entry('message', { message: { role: 'assistant', id: 'msg_1', content: [], usage: { output: 40 } } })
        .entry('message', { message: { role: 'assistant', id: 'msg_1', content: [], usage: { output: 120 } } }),
    );
    expect(total.output).toBe(120);
  });

  it('the largest counts, wherever it stands', () => {
    const row = (output: number): Record<string, unknown> => ({ responseId: 'r', usage: { output } });
    const { total } = of(session().assistant('a', row(7)).assistant('b', row(9)).assistant('c', row(8)));
    expect(total.output).toBe(9);
  });

  it('a row that does not say its usage does not hide one that does', () => {
    const { total } = of(
      session()
        .assistant('a', { responseId: 'r', usage: { output: 5 } })
        .assistant('a', { responseId: 'r' }),
    );
    expect([total.output, total.unknownUsage]).toEqual([5, 0]);
  });

  it('belongs to the path when any of its rows does', () => {
    const row = (output: number): Record<string, unknown> => ({ responseId: 'r', usage: { output } });
    const { active, abandoned } = of(session().user('go').assistant('a', row(7)).at('e1').assistant('a', row(9)), 'e2');
    expect([active.output, abandoned.output]).toEqual([9, null]);
  });

  it('for an entry that stands in the file twice (pi#3930)', () => {
    const twice = session().user('go').assistant('a', usage(1, 2));
    const line = twice.lines().at(-1)!;
    expect(of(twice.raw(line)).total.tokens).toBe(3);
  });

  it('but not for two entries that drew the same id', () => {
    const { total } = of(
      session()
        .user('go')
        .assistant('a', usage(1, 2))
        .assistant('b', { id: 'e2', parentId: 'e1', ...usage(10, 20) }),
    );
    expect(total.tokens).toBe(33);
  });
});

describe('tools', () => {
  const start = Date.UTC(2026, 0, 1);
  const at = (seconds: number): Record<string, unknown> => ({ timestamp: new Date(start + seconds * 1000).toISOString() });

  it('are counted by name, with errors and the time that was waited for them', () => {
    const { tools, active } = of(
      session()
        .user('go', at(0))
        .assistant(
          [
            { type: 'toolCall', id: 'c1', name: 'read', arguments: {} },
            { type: 'toolCall', id: 'c2', name: 'bash', arguments: {} },
            { type: 'toolCall', id: 'c3', name: 'bash', arguments: {} },
          ],
          at(10),
        )
        .result('c1', 'text', { toolName: 'read', ...at(12) })
        .result('c2', 'done', { toolName: 'bash', ...at(42) })
        .result('c3', 'no such file', { toolName: 'bash', isError: true, ...at(43) }),
    );
    expect(tools).toEqual([
      { name: 'bash', results: 2, errors: 1, waitMs: 31_000, timed: 2 },
      { name: 'read', results: 1, errors: 0, waitMs: 2_000, timed: 1 },
    ]);
    expect([active.toolCalls, active.errors]).toEqual([3, 1]);
  });

  it('tell no time where clocks went back or are missing, or where another entry stands between', () => {
    const { tools } = of(
      session()
        .call('c1', 'read', {}, at(10))
        .result('c1', 'x', at(5))
        .call('c2', 'read', {}, at(20))
        .result('c2', 'x', { timestamp: 'soon' })
        .call('c3', 'read', {}, at(30))
        .user('hurry', at(35))
        .result('c3', 'x', at(40)),
    );
    expect(tools).toEqual([{ name: 'read', results: 3, errors: 0, waitMs: null, timed: 0 }]);
  });
});

describe('durations', () => {
  const minutes = (values: (number | null)[]): SessionBuilder => {
    const builder = session();
    for (const value of values) {
      builder.user('x', { timestamp: value === null ? 'never' : new Date(Date.UTC(2026, 0, 1) + value * 60_000).toISOString() });
    }
    return builder;
  };

  it.each([
    ['pauses over 5 minutes are not active', [0, 2, 7, 20, 21], { wallMs: 21 * 60_000, activeMs: 8 * 60_000 }],
    ['a gap of 5 minutes still is', [0, 5], { wallMs: 300_000, activeMs: 300_000 }],
    ['entries without a time are passed over', [0, null, 3], { wallMs: 180_000, activeMs: 180_000 }],
    ['clocks that go back add nothing', [10, 4, 5], { wallMs: 360_000, activeMs: 60_000 }],
    ['a single entry takes no time', [4], { wallMs: 0, activeMs: 0 }],
    ['no time, no duration', [null], { wallMs: null, activeMs: null }],
  ])('%s', (_, times, expected) => {
    expect(of(minutes(times)).durations).toEqual(expected);
  });

  it('are those of the path', () => {
    const builder = minutes([0, 1, 2])
      .at('e1')
      .user('x', { timestamp: new Date(Date.UTC(2026, 0, 1) + 240_000).toISOString() });
    expect(of(builder).durations.wallMs).toBe(240_000);
    expect(of(builder, 'e3').durations.wallMs).toBe(120_000);
  });
});

describe('steps', () => {
  const chain = (entries: number): SessionBuilder => {
    const builder = session().user('go');
    for (let i = 0; i < entries; i++) {
      if (i % 50 === 0) builder.at('e1');
      if (i % 2 === 0) builder.call(`c${String(i)}`, 'read', {}, { responseId: `r${String(i % 97)}`, ...usage(1, 1) });
      else builder.result(`c${String(i - 1)}`, 'x');
    }
    return builder;
  };

  it.each([
    ['statistics', (outline: Outline) => statistics(outline, outline.leafRow)],
    ['byDay', (outline: Outline) => byDay(outline, 'Europe/Berlin')],
  ])('of %s double with the entries', (_, count) => {
    const steps = [2_000, 4_000].map((entries) => {
      const counted = countingObject(decode(chain(entries)).outline);
      count(counted.value);
      return counted.steps();
    });
    expect(steps[0]).toBeGreaterThan(2_000);
    expect(steps[1]! / steps[0]!).toBeLessThan(2.1);
  });
});
