import { afterEach, describe, expect, it, vi } from 'vitest';

import { tree } from './cases/branches.ts';
import { buckets } from './cases/buckets.ts';
import { closing } from './cases/closing.ts';
import { lifecycle } from './cases/lifecycle.ts';
import { loading } from './cases/loading.ts';
import { writing } from './cases/writing.ts';
import { World } from './world.ts';

afterEach(() => vi.unstubAllEnvs());

describe('worked cases', () => {
  it.each([...buckets, ...loading, ...tree, ...writing, ...lifecycle, ...closing])(
    '$source: $name',
    async ({ dialect, run, result }) => {
      expect(await run(new World(dialect))).toEqual(result);
    },
  );
});
