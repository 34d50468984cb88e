import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { parseJsonlLenient } from '../../src/logs/parse.ts';
import { SessionManager } from '../../src/manager/session-manager.ts';
import { ModelSession, plain, viewOf, viewOfModel } from './model.ts';
import { operations, type Pair } from './operations.ts';
import {
  memoryDiskPlace,
  memoryPlace,
  nodeDiskPlace,
  projectOnDiskPlace,
  projectPlace,
  type Dialect,
  type Place,
} from './places.ts';

afterEach(() => vi.unstubAllEnvs());

const PLACES: [string, (dialect: Dialect) => Place, number][] = [
  ['a store in memory', memoryPlace, 60],
  ['files in memory', memoryDiskPlace, 80],
  ['files on a disk', nodeDiskPlace, 25],
  ['raw logs in project directories', (dialect) => projectPlace(dialect, { encoding: 'raw' }), 40],
  ['compressed logs in project directories', (dialect) => projectPlace(dialect, { encoding: 'zstd' }), 60],
  ['compressed logs by their paths', (dialect) => projectPlace(dialect, { encoding: 'zstd', byPath: true }), 40],
  ['compressed logs on a disk', (dialect) => projectOnDiskPlace(dialect, { encoding: 'zstd' }), 20],
];

function begin(place: Place, dialect: Dialect): Pair {
  const cwd = place.projects[0];
  return { manager: SessionManager.create(cwd, undefined, place.options), model: new ModelSession(dialect, cwd) };
}

function check({ manager, model }: Pair, place: Place): void {
  expect(viewOf(manager)).toEqual(viewOfModel(model));
  const bytes = place.bytesOf(manager);
  expect(bytes !== null).toBe(model.stored);
  if (bytes === null) return;
  const { records, problems } = parseJsonlLenient(bytes);
  expect(problems).toEqual([]);
  const [header, ...entries] = records.map(({ value }) => value as Record<string, unknown>);
  expect(header).toMatchObject({ type: 'session', id: manager.getSessionId(), cwd: model.cwd });
  expect(entries.map(plain)).toEqual(manager.getEntries().map(plain));
}

describe.each(['musepi', 'pi'] as const)('a session of %s', (dialect) => {
  it.each(PLACES)(
    'in %s is what the operations on it say, also after it was closed and opened again',
    async (_, makePlace, numRuns) => {
      await fc.assert(
        fc.asyncProperty(operations, async (steps) => {
          const place = makePlace(dialect);
          let pair = begin(place, dialect);
          try {
            for (const step of steps) {
              const next = (await step(pair, place)) as Pair | 'lost' | undefined;
              if (next === 'lost') pair = begin(place, dialect);
              else if (next) pair = next;
              check(pair, place);
            }
            await pair.manager.close();
            if (!pair.model.stored) return;
            pair.model.reopen();
            pair = { ...pair, manager: place.reopen(pair.manager) };
            check(pair, place);
            // Compactions name any entry, also one that is not on the branch.
            expect(pair.manager.problems.filter(({ code }) => code !== 'kept_entry_missing')).toEqual([]);
            await pair.manager.close();
          } finally {
            place.dispose();
          }
        }),
        { numRuns },
      );
    },
    120_000,
  );
});
