import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { answer, inMemory, listing, onDisk, type DiscoverySample, type MakeDisk } from './discovery-sample.ts';

/** Cases as data, see `DiscoverySample`. Expectations name the fields that they are about; lists are complete. */
const SAMPLES = path.join(import.meta.dirname, 'samples');
const names = readdirSync(SAMPLES).map((file) => path.basename(file, '.json'));

describe.each<[string, MakeDisk]>([
  ['in memory', inMemory],
  ['on disk', onDisk],
])('discovery %s', (_, make) => {
  it.each(names)('%s', async (name) => {
    const sample = JSON.parse(readFileSync(path.join(SAMPLES, `${name}.json`), 'utf8')) as DiscoverySample;
    expect(sample.source).toMatch(/\S/);
    const { disk, base } = make(sample);
    const before = listing(disk, base);
    // Twice: the second answers come from what is remembered.
    for (let round = 0; round < 2; round++) {
      for (const { expected, ...ask } of sample.asks) {
        expect({ answer: await answer(ask, disk, base) }).toMatchObject({ answer: expected });
      }
    }
    expect(listing(disk, base)).toEqual(before);
  });
});
