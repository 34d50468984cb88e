import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { normalise } from '../../interop/compare.ts';
import { lensContradiction } from '../../interop/lens.ts';
import { buildSessionContext, explainContext, type ContextOptions } from '../../src/pure.ts';
import { readBodies } from '../support/projections.ts';

/**
 * What the real clients answered for small sessions in which we once answered otherwise (docs/interop.md says how they
 * are recorded). Whole messages are compared, not their short forms.
 */
const SAMPLES = path.join(import.meta.dirname, '..', 'samples', 'clients');

interface Sample {
  source: string;
  result: Record<string, unknown>;
}

const read = (name: string, file: string): Buffer => readFileSync(path.join(SAMPLES, name, file));
const json = (name: string, file: string): unknown => JSON.parse(read(name, file).toString());

describe.each(readdirSync(SAMPLES))('%s', (name) => {
  const entries = readBodies(new Uint8Array(read(name, 'input.jsonl')));
  const options = json(name, 'options.json') as ContextOptions;
  const { result } = json(name, 'expected.json') as Sample;
  const client = options.rules === 'pi' ? 'pi' : 'oh-my-pi';

  it('has the context that the client builds', () => {
    const ours = buildSessionContext(entries, undefined, undefined, options);
    expect(normalise(ours as unknown as Record<string, unknown>, client)).toEqual(result);
  });

  it.skipIf(options.transcript === true)('has a lens that agrees with it', () => {
    const theirs = result['messages'] as Record<string, unknown>[];
    expect(lensContradiction(entries, explainContext(entries, undefined, options), theirs)).toBeNull();
  });
});
