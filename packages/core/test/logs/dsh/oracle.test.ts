import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { generateDshSession, type DshSessionOptions } from '../../../src/corpus/index.ts';
import { modelContext, SessionDecoder, shapesFor, statistics, summarise, type Outline } from '../../../src/index.ts';
import { SessionContentDecoder } from '../../../src/logs/read-entries.ts';
import { loadBodies } from '../../../src/store/bodies.ts';
import { columnsOf, rowsOf } from '../../support/decode.ts';
import { absent, sharedData } from '../../support/shared-data.ts';
import { inheritedOf, linesOf, surfaceOf, tokensOf, wholeEvents } from './oracle.ts';

const RAW = sharedData('dsh', 'raw', '--work-demo--');
const CHILD = sharedData('dsh', '_v3-subagent-child');

const dsh = shapesFor('dsh');
const numberOf = (outline: Outline, row: number): number => Number(outline.id(row));

/** Everything that a log of one writer must give, by the oracle. */
async function expectAsTold(log: string): Promise<void> {
  const told = linesOf(log);
  const bytes = Buffer.from(log);
  const content = new SessionContentDecoder();
  content.push(bytes);
  const { entries, problems } = content.finish();
  const { outline, decoder } = content;
  expect(problems).toEqual([]);

  const partial = rowsOf(outline).filter((row) => outline.name(row) === 'assistant/partial');
  const whole = rowsOf(outline).filter((row) => !partial.includes(row));
  expect(whole.map((row) => numberOf(outline, row))).toEqual(wholeEvents(told.rows).map(({ seq }) => seq));
  // One writer: no branches.
  expect(rowsOf(outline).map((row) => outline.parent(row))).toEqual(rowsOf(outline).map((row) => row - 1));

  const sent = modelContext(outline, outline.leafRow, dsh).emissions.filter(({ kind }) => kind !== 'systemCheckpoint');
  expect(sent.map(({ row }) => numberOf(outline, row))).toEqual(surfaceOf(told.rows));

  const inherited = inheritedOf(told);
  expect(whole.filter((row) => row < outline.inheritedRows).map((row) => numberOf(outline, row))).toEqual(
    wholeEvents(told.rows)
      .map(({ seq }) => seq)
      .filter((seq) => seq < inherited),
  );

  const { active, abandoned, tools } = statistics(outline, outline.leafRow);
  expect([(active.tokens ?? 0) + (abandoned.tokens ?? 0), abandoned.entries]).toEqual([tokensOf(told), 0]);
  expect(tools.filter(({ name }) => name === '')).toEqual([]);
  const titles = told.rows.filter(({ type }) => type === 'session/title');
  expect(summarise(outline, decoder.header, dsh).title).toBe(titles.at(-1)?.data['title'] ?? null);

  const read = async (from: number, length: number): Promise<Uint8Array> => bytes.subarray(from, from + length);
  expect(await loadBodies(rowsOf(outline), { outline, version: 3, isHarness: true, read })).toEqual(entries);
  expectSameInPieces(bytes, outline);
}

/** The log grows, is settled each time, and wanders from decoder to decoder. */
function expectSameInPieces(bytes: Buffer, whole: Outline): void {
  let decoder = new SessionDecoder();
  const size = Math.ceil(bytes.length / 7);
  for (let at = 0; at < bytes.length; at += size) {
    decoder.push(bytes.subarray(at, at + size));
    decoder.settle();
    const next = new SessionDecoder();
    next.restore(structuredClone(decoder.state()));
    decoder = next;
  }
  expect(columnsOf(decoder.outline)).toEqual(columnsOf(whole));
  expect(decoder.problems).toEqual([]);
}

const FORMS = [0, 2, 4] as const;
const CASES: Record<string, Omit<DshSessionOptions, 'seed' | 'form'>> = {
  'a session': { bytes: 150_000 },
  'one that ends before a call was begun': { turns: 3, ending: 'not-started' },
  'one that ends in a call': { turns: 3, ending: 'outcome-unknown' },
  'one that ends while an answer comes': { turns: 3, ending: 'mid-answer' },
  "a sub-agent's": { turns: 2, delegated: { parent: 'session-p', task: 'Look at the tests' } },
};

describe.each(FORMS)('generated logs of format %i', (form) => {
  it.each(Object.entries(CASES))('%s is what the log says', async (_name, options) => {
    for (const seed of [1, 2, 3]) {
      const lines = [...generateDshSession({ seed, form, ...options })].flat();
      await expectAsTold(lines.map((line) => `${line}\n`).join(''));
    }
  });

  it('a fork is what the log says', async () => {
    const original: DshSessionOptions = { seed: 1, form, turns: 4 };
    const lines = [...generateDshSession({ seed: 2, form, turns: 6, forkOf: { options: original, turns: 2 } })].flat();
    await expectAsTold(lines.map((line) => `${line}\n`).join(''));
  });
});

describe.skipIf(RAW === null)(`real logs${absent(RAW)}`, () => {
  const names = RAW === null ? [] : readdirSync(RAW);

  it.each(names)('%s is what the log says', async (name) => {
    await expectAsTold(readFileSync(path.join(RAW!, name, 'session.jsonl'), 'utf8'));
  });
});

describe.skipIf(CHILD === null)(`a log of format 3 whose numbers were taken out${absent(CHILD)}`, () => {
  it('is read in its order, and what is missing is said once', () => {
    const log = readFileSync(path.join(CHILD!, 'session.v3.jsonl'), 'utf8');
    const content = new SessionContentDecoder();
    content.push(Buffer.from(log));
    const { problems } = content.finish();
    // Its directory is a placeholder, and no path.
    expect(problems.map(({ code, line }) => `${code}@${String(line)}`)).toEqual(['header_invalid@1', 'missing_id@2']);
    const { outline } = content;
    expect(outline.rowCount).toBe(linesOf(log).rows.length);
    expect(summarise(outline, content.decoder.header, dsh)).toMatchObject({
      status: 'complete',
      models: ['deepseek-official/deepseek-v4-flash'],
    });
  });
});
