import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { PROJECTIONS, type SampleOptions } from '../support/projections.ts';

/**
 * Cases as data: `<view>/<case>/` holds `input.jsonl`, `expected.json` and perhaps `options.json` (a list of options is a list of
 * runs). `FILTER=context/pi npx vitest run …` runs some of them; `UPDATE=1` writes what came out, for reading it in the diff.
 */
const SAMPLES = import.meta.dirname;
const FILTER = process.env['FILTER'] ?? '';
const UPDATE = process.env['UPDATE'] === '1';

interface Expected {
  /** Where the expectation comes from. */
  source: string;
  result: unknown;
}

const folders = (at: string): string[] =>
  readdirSync(at, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

function readJson(file: string): unknown {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : undefined;
}

/** The fields of `actual` that the expectation speaks of; lists of runs one by one. */
function spokenOf(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(expected))
    return Array.isArray(actual) ? actual.map((item, i) => spokenOf(item, (expected as unknown[])[i])) : actual;
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) return actual;
  return Object.fromEntries(Object.keys(expected).map((key) => [key, (actual as Record<string, unknown>)[key]]));
}

async function run(view: string, folder: string): Promise<{ actual: unknown; expected: Expected | undefined }> {
  const bytes = new Uint8Array(readFileSync(path.join(folder, 'input.jsonl')));
  const options = (readJson(path.join(folder, 'options.json')) ?? {}) as SampleOptions | SampleOptions[];
  const results = await Promise.all([options].flat().map((each) => PROJECTIONS[view]!(bytes, each)));
  const expected = readJson(path.join(folder, 'expected.json')) as Expected | undefined;
  const actual = Array.isArray(options) ? results : results[0];
  return { actual: expected === undefined ? actual : spokenOf(actual, expected.result), expected };
}

describe.each(Object.keys(PROJECTIONS))('samples: %s', (view) => {
  const names = folders(path.join(SAMPLES, view)).filter((name) => `${view}/${name}`.includes(FILTER));

  it.skipIf(FILTER !== '')('are there', () => {
    expect(names.length).toBeGreaterThan(0);
  });

  it.each(names)('%s', async (name) => {
    const folder = path.join(SAMPLES, view, name);
    const { actual, expected } = await run(view, folder);
    if (UPDATE) {
      const written: Expected = { source: expected?.source ?? 'own', result: actual };
      writeFileSync(path.join(folder, 'expected.json'), `${JSON.stringify(written, null, 2)}\n`);
      return;
    }
    expect(expected?.source).toMatch(/\S/);
    expect(actual).toEqual(expected?.result);
  });
});
