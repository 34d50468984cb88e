import { afterEach, describe, expect, it, vi } from 'vitest';

import { WORKED_CASES } from './worked-cases.ts';
import { World } from './world.ts';

afterEach(() => vi.unstubAllEnvs());

describe('worked cases', () => {
  it.each(WORKED_CASES)('$source: $name', async ({ dialect, run, result }) => {
    expect(await run(new World(dialect))).toEqual(result);
  });
});
