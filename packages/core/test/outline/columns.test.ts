import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { session } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { minLength: 1, maxLength: 300 });

describe('texts of an outline', () => {
  it('come back as they were, however many and whatever they hold', () => {
    fc.assert(
      fc.property(texts, (list) => {
        const build = session();
        for (const text of list) build.label('e1', text).call(`${text}1`);
        const { outline } = decode(build);
        const labels = list.map((_, i) => outline.name(i * 2));
        const calls = list.map((_, i) => outline.calls(i * 2 + 1));
        expect(labels).toEqual(list);
        expect(calls).toEqual(list.map((text) => [`${text}1`]));
      }),
    );
  });

  it('keep several calls of a turn apart, also where ids are empty or missing', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('', 'a', 'call_1', '项'), { maxLength: 4 }), (ids) => {
        const { outline } = decode(session().assistant(ids.map((id) => ({ type: 'toolCall', id, name: 'read', arguments: {} }))));
        expect(outline.calls(0)).toEqual(ids);
      }),
    );
    const { outline } = decode(session().assistant([{ type: 'toolCall', name: 'read' }]));
    expect(outline.calls(0)).toEqual(['']);
  });

  it('do not break their neighbours where they hold half a pair', () => {
    const { outline } = decode(session().user('a').user('\ud83d').user('b'));
    expect([outline.title(0), outline.title(2)]).toEqual(['a', 'b']);
  });
});

describe('an outline of many rows', () => {
  it('keeps every value', () => {
    const build = session();
    for (let i = 1; i <= 5000; i++)
      build.assistant(`text ${String(i)}`, {
        usage: { input: i, cost: { total: i / 8 } },
        provider: 'p',
        model: `m${String(i % 7)}`,
      });
    const { outline } = decode(build);
    for (let row = 0; row < 5000; row++) {
      const n = row + 1;
      const seen = [
        outline.id(row),
        outline.parent(row),
        outline.title(row),
        outline.tokens(row),
        outline.usage(row)?.cost,
        outline.model(row),
        outline.line(row),
      ];
      expect(seen).toEqual([`e${String(n)}`, row - 1, `text ${String(n)}`, n, n / 8, `p/m${String(n % 7)}`, n + 1]);
    }
  });

  it('gives titles on one line, not longer than a line, and never half an emoji', () => {
    const { outline } = decode(
      session()
        .user(`a\n\tb\u0000\u001b[31mc ${'😀'.repeat(200)}`)
        .user(`${'x'.repeat(159)}😀`),
    );
    expect(outline.title(0)).toMatch(/^a b c /);
    expect(outline.title(0).length).toBeLessThanOrEqual(160);
    for (const row of [0, 1]) expect(() => encodeURIComponent(outline.title(row))).not.toThrow();
  });

  it('keeps times, offsets and numbers beyond 32 bits', () => {
    const { outline } = decode(
      session().assistant('x', { timestamp: '2200-01-01T00:00:00.000Z', usage: { input: 9_000_000_000, cacheRead: 0.5 } }),
    );
    expect([outline.time(0), outline.tokens(0)]).toEqual([Date.UTC(2200, 0, 1), 9_000_000_000.5]);
  });
});
