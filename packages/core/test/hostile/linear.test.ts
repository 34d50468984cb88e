import { afterEach, describe, expect, it, vi } from 'vitest';

import { SessionDecoder } from '../../src/pure.ts';
import { decodeUtf8 } from '../../src/logs/utf8.ts';
import { CountTable, RowColumn } from '../../src/outline/columns.ts';
import { IdIndex } from '../../src/outline/id-index.ts';
import { countingBytes } from '../../src/testing/counting.ts';
import { entry, file, HEADER, idOf, user, type Line } from './lines.ts';

/** Twice as much must not take more than about twice the steps. */
function expectLinear(steps: (size: number) => number, size: number): void {
  const small = steps(size);
  expect(small).toBeGreaterThan(size / 2);
  expect(steps(size * 2)).toBeLessThan(small * 2.2);
}

const RECORD = '{"type":"custom","id":"a","parentId":null,"customType":"x"}';
const fill = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length));

/** Text of about `size` characters behind the header. */
const TEXTS: Record<string, (size: number) => string> = {
  'a line of opening braces': (size) => fill('{', size),
  'a line of opening brackets': (size) => fill('[', size),
  'a line of quotes': (size) => fill('"', size),
  'a line of backslashes in a string': (size) => `{"a":"${fill('\\', size)}`,
  'a line of beginnings of records': (size) => fill('{"type":"', size),
  'a line of records without ends': (size) => fill('{"type":"a","b":{', size),
  'a record without an end before whole ones': (size) => `{"type":"a","b":${fill(RECORD, size)}`,
  'many records on a line': (size) => fill(RECORD, size),
  'many records on a line with damage between them': (size) => fill(`${RECORD}xx`, size),
  'a line of NUL bytes': (size) => fill('\0', size),
  'a record behind NUL bytes': (size) => fill('\0', size) + RECORD,
  'blank lines': (size) => fill('\n', size),
  'lines of blanks': (size) => fill('        \n', size),
  'lines that begin a record': (size) => fill('{"a":\n', size),
  'lines that begin a record and seem to end it': (size) => fill('{"a":}\n', size),
  'lines that end a record': (size) => fill('}\n', size),
  'a record broken by every line feed that may be held': (size) => `{"a":"${fill('x\n', size)}"}`,
  'lines that are no JSON': (size) => fill('no json\n', size),
  'lines that are JSON and no records': (size) => fill('[1]\n', size),
  'values nested deeply': (size) => `{"type":"custom","id":"a","data":${fill('[', size / 2)}${fill(']', size / 2)}}`,
};

describe('steps of decoding hostile text', () => {
  const stepsOf = (text: string, chunk: number): number => {
    const bytes = new TextEncoder().encode(`${JSON.stringify(HEADER)}\n${text}\n${RECORD}\n`);
    const counted = countingBytes(bytes);
    let decoded = 0;
    const decoder = new SessionDecoder({
      decode(from, start, end) {
        decoded += end - start;
        return decodeUtf8(counted.plain(from), start, end);
      },
    });
    for (let at = 0; at < bytes.length; at += chunk) decoder.push(counted.value.subarray(at, Math.min(at + chunk, bytes.length)));
    decoder.settle();
    expect(decoder.outline.rowCount).toBeGreaterThan(0);
    return counted.steps() + decoded;
  };

  it.each(Object.entries(TEXTS))('%s: linear', (_, make) => {
    expectLinear((size) => stepsOf(make(size), Number.MAX_SAFE_INTEGER), 6000);
  });

  it.each(Object.entries(TEXTS))('%s, in small chunks: linear', (_, make) => {
    expectLinear((size) => stepsOf(make(size), 50), 6000);
  });
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** As many entries, whose ids and parents are made to cost. */
const STRUCTURES: Record<string, (count: number) => Line[]> = {
  'one id for all': (count) => numbers(count).map(() => user(1, null)),
  'one id for all, each its own parent': (count) => numbers(count).map(() => user(1, 1)),
  'ids that look like those given to repeated ones': (count) =>
    numbers(count).map((n) => ({ ...user(1, null), id: n % 2 === 0 ? 'a' : `a~${String((n + 3) / 2)}` })),
  'every id twice': (count) => numbers(count).map((n) => user(n >> 1, (n >> 1) - 1)),
  'no ids': (count) => numbers(count).map((n) => ({ ...user(n, n - 1), id: undefined })),
  'one parent that is missing': (count) => numbers(count).map((n) => ({ ...user(n, null), parentId: 'gone' })),
  'parents that are missing': (count) => numbers(count).map((n) => ({ ...user(n, null), parentId: `gone ${String(n)}` })),
  'each its own parent': (count) => numbers(count).map((n) => user(n, n)),
  'one circle': (count) => numbers(count).map((n) => user(n, n === count ? 1 : n + 1)),
  'circles of two': (count) => numbers(count).map((n) => user(n, n % 2 === 0 ? n - 1 : n + 1)),
  'a tail of all others before a circle': (count) => numbers(count).map((n) => user(n, n <= 2 ? 3 - n : n - 1)),
  'parents behind their children': (count) => numbers(count).map((n) => user(n, n === count ? null : n + 1)),
  'the last one is the parent of all': (count) => numbers(count).map((n) => user(n, n === count ? null : count)),
  'ids of another form': (count) =>
    numbers(count).map((n) => ({ ...user(n, null), id: `x${idOf(n)}`, parentId: `x${idOf(n - 1)}` })),
  'ids that fall on one another in a table': (count) =>
    numbers(count).map((n) => ({ ...user(n, null), id: idOf((n * 0x1000) >>> 0), parentId: idOf(((n - 1) * 0x1000) >>> 0) })),
  'labels of what is missing': (count) => numbers(count).map((n) => entry(n, n - 1, 'label', { targetId: 'gone', label: 'x' })),
  'compactions that keep what is missing': (count) =>
    numbers(count).map((n) => entry(n, n - 1, 'compaction', { summary: 's', firstKeptEntryId: 'gone' })),
};

describe('steps of settling hostile structures', () => {
  afterEach(() => vi.restoreAllMocks());

  const stepsOf = (lines: Line[], again: boolean): number => {
    const spies = [
      ...(['rowOf', 'get', 'push'] as const).map((name) => vi.spyOn(IdIndex.prototype, name)),
      ...(['get', 'set', 'push'] as const).map((name) => vi.spyOn(RowColumn.prototype, name)),
      ...(['get', 'set'] as const).map((name) => vi.spyOn(CountTable.prototype, name)),
    ];
    const decoder = new SessionDecoder();
    const bytes = file([HEADER, ...lines]);
    const cut = again ? bytes.length >> 1 : bytes.length;
    decoder.push(bytes.subarray(0, cut));
    decoder.settle();
    if (again) {
      decoder.push(bytes.subarray(cut));
      decoder.settle();
    }
    expect(decoder.outline.rowCount).toBe(lines.length);
    const steps = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    vi.restoreAllMocks();
    return steps;
  };

  it.each(Object.entries(STRUCTURES))('%s: linear', (_, make) => {
    expectLinear((size) => stepsOf(make(size), false), 1500);
  });

  it.each(Object.entries(STRUCTURES))('%s, settled in between: linear', (_, make) => {
    expectLinear((size) => stepsOf(make(size), true), 1500);
  });
});
