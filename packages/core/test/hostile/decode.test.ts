import { describe, expect, it } from 'vitest';

import { SessionDecoder } from '../../src/pure.ts';
import { INPUTS, type HostileInput } from './inputs.ts';

/** Pieces of the size that a disk gives. */
function decodeInChunks(bytes: Uint8Array, chunk = 1024 * 1024): SessionDecoder {
  const decoder = new SessionDecoder();
  for (let at = 0; at < bytes.length; at += chunk) decoder.push(bytes.subarray(at, at + chunk));
  decoder.settle();
  return decoder;
}

/** Lines with anything on them that neither an entry nor the header nor a problem speaks for. */
function silentLines(bytes: Uint8Array, decoder: SessionDecoder): number[] {
  const { outline } = decoder;
  const named = new Set<number>(decoder.problems.map((found) => found.line ?? 0));
  for (let row = 0; row < outline.rowCount; row++) {
    const start = outline.offset(row);
    let line = outline.line(row);
    named.add(line);
    for (let at = bytes.indexOf(10, start); at >= 0 && at < start + outline.bytes(row); at = bytes.indexOf(10, at + 1))
      named.add(++line);
  }
  const silent: number[] = [];
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const lf = bytes.indexOf(10, start);
    const end = lf < 0 ? bytes.length : lf;
    const isHeader = line === 1 && decoder.header !== null;
    const blank = bytes.subarray(start, end).every((byte) => byte === 32 || byte === 9 || byte === 13);
    if (!blank && !isHeader && !named.has(line)) silent.push(line);
    start = end + 1;
  }
  return silent;
}

function problemCounts(decoder: SessionDecoder): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of decoder.problems) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/** How many problems are kept one by one. */
const KEPT = 2000;

function expectProblems(input: HostileInput, decoder: SessionDecoder): void {
  const { problems } = input;
  if (problems === 'any') {
    expect(decoder.problemsTotal).toBeGreaterThan(0);
    return;
  }
  const wanted = Object.values(problems).reduce((sum, count) => sum + count, 0);
  expect(decoder.problemsTotal).toBe(wanted);
  if (wanted <= KEPT) expect(problemCounts(decoder)).toEqual(problems);
  else expect(Object.keys(problems)).toEqual(expect.arrayContaining(Object.keys(problemCounts(decoder))));
}

describe.each(INPUTS)('$name', (input) => {
  // Work that is quadratic in these sizes does not come to its end in the time that a test has.
  it('is decoded: every entry is there, and what is wrong is named', { timeout: 60_000 }, () => {
    const bytes = input.bytes();
    const decoder = decodeInChunks(bytes);
    expect(decoder.outline.rowCount).toBe(input.entries);
    expectProblems(input, decoder);
    if (decoder.problemsTotal <= KEPT) expect(silentLines(bytes, decoder)).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
