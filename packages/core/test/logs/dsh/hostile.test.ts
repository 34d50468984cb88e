import { afterEach, describe, expect, it, vi } from 'vitest';

import {
  compactionFacts,
  contextLens,
  modelContext,
  SessionDecoder,
  shapesFor,
  statistics,
  summarise,
  transcriptView,
  type Outline,
} from '../../../src/pure.ts';
import { MOST_PARTIAL_BYTES } from '../../../src/logs/dsh/log.ts';
import { IdIndex } from '../../../src/outline/id-index.ts';
import { loadBodies } from '../../../src/store/bodies.ts';

const HEADER = { type: 'session', version: 0, id: 's', createdAt: 0, cwd: '/w', delegationDepth: 0 };
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const event = (seq: number, type: string, data: object, more: object = {}): object => ({ type, seq, time: 0, data, ...more });
const prompt = (seq: number, surfaceOp: unknown = 'append'): object =>
  event(seq, 'user/message', { content: 'x', source: { kind: 'user' } }, { surfaceOp });
const summary = (seq: number, end: number): object =>
  event(seq, 'compaction/summary', { summary: [], shadowedRange: { start: 0, end } });

const bytesOf = (rows: readonly object[]): Uint8Array =>
  new TextEncoder().encode([HEADER, ...rows].map((row) => `${JSON.stringify(row)}\n`).join(''));

function decoded(rows: readonly object[]): Outline {
  const decoder = new SessionDecoder();
  decoder.push(bytesOf(rows));
  decoder.settle();
  return decoder.outline;
}

/** As many events, whose numbers are made to cost. */
const NUMBERS: Record<string, (count: number) => object[]> = {
  'one number for all': (count) => numbers(count).map(() => prompt(0)),
  'every number twice': (count) => numbers(count).map((n) => prompt(n >> 1)),
  'numbers that fall': (count) => numbers(count).map((n) => prompt(count - n)),
  'a gap before each': (count) => numbers(count).map((n) => prompt(n * 2)),
  'two blocks of the same numbers': (count) => numbers(count).map((n) => prompt(n % (count >> 1))),
  'no numbers': (count) => numbers(count).map(() => ({ ...prompt(0), seq: undefined })),
};

describe('steps of telling events apart', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each(Object.entries(NUMBERS))('%s: linear', (_name, make) => {
    const steps = (count: number): number => {
      const spies = (['rowOf', 'get', 'push'] as const).map((name) => vi.spyOn(IdIndex.prototype, name));
      expect(decoded(make(count)).rowCount).toBe(count);
      const sum = spies.reduce((all, spy) => all + spy.mock.calls.length, 0);
      vi.restoreAllMocks();
      return sum;
    };
    const small = steps(1_000);
    expect(small).toBeGreaterThan(1_000);
    expect(steps(2_000)).toBeLessThan(small * 2.2);
  });
});

/** Logs that are long where something is looked for. Each walk below would take hours if it began anew for every event. */
const LONG: Record<string, (count: number) => object[]> = {
  'a surface that shrinks from its beginning': (count) => [
    ...numbers(count).map((n) => prompt(n)),
    ...numbers(count).map((n) => prompt(count + n, { op: 'replace', start: n === 0 ? 0 : count + n - 1, end: n })),
  ],
  'a surface that is replaced whole again and again': (count) =>
    numbers(count).map((n) => prompt(n, n % 2 === 0 ? 'append' : { op: 'replace', start: n < 2 ? 0 : n - 2, end: n - 1 })),
  'summaries of all that was said': (count) => numbers(count).map((n) => (n % 2 === 0 ? prompt(n) : summary(n, n - 1))),
  'summaries of what will never be said': (count) => numbers(count).map((n) => (n % 2 === 0 ? prompt(n) : summary(n, 1e15))),
  'requests for nothing': (count) =>
    numbers(count).map((n) => event(n, 'request/header', { header: { config: { provider: 'p', model: 'm' }, system: 'x' } })),
  'answers that broke off': (count) =>
    numbers(count).map((n) =>
      event(n, 'assistant/chunk', { turn: 1, step: n, chunk: { type: 'text-delta', index: 0, text: 'x' } }),
    ),
};

describe('long logs', () => {
  it.each(Object.entries(LONG))('%s', { timeout: 60_000 }, (_name, make) => {
    const outline = decoded(make(60_000));
    const dsh = shapesFor('dsh');
    const plan = modelContext(outline, outline.leafRow, dsh);
    expect(contextLens(outline, plan).runs.length).toBeGreaterThan(0);
    expect(transcriptView(outline, outline.leafRow, 'full', dsh).rows.length).toBeGreaterThan(0);
    expect(statistics(outline, outline.leafRow).total.entries).toBe(outline.rowCount);
    expect(summarise(outline, null, dsh).entryCount).toBe(outline.rowCount);
    expect(compactionFacts(outline).length).toBeLessThanOrEqual(30_000);
  });
});

describe('an answer that never ends', () => {
  it('is shown as far as anybody would read, and its end costs nothing', { timeout: 60_000 }, async () => {
    const text = 'x'.repeat(1024 * 1024);
    const count = 20;
    const piece = (seq: number): object =>
      event(seq, 'assistant/chunk', { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } });
    const bytes = bytesOf([...numbers(count).map(piece), event(count, 'turn/end', { turn: 1, reason: { kind: 'interrupted' } })]);
    const decoder = new SessionDecoder();
    decoder.push(bytes);
    decoder.settle();
    const { outline } = decoder;
    expect([outline.rowCount, outline.bytes(0) <= MOST_PARTIAL_BYTES]).toEqual([2, true]);
    const read = async (from: number, length: number): Promise<Uint8Array> => bytes.subarray(from, from + length);
    const [body] = await loadBodies([0], { outline, version: 3, isHarness: true, read });
    const [block] = (body as unknown as { content: { text: string }[] }).content;
    expect(block!.text.length).toBe(15 * text.length);
  });
});
