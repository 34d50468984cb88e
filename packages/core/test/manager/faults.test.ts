import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';

import type { Fault } from '../../src/disk/fault-disk.ts';
import type { SessionManager } from '../../src/manager/session-manager.ts';
import { assistant, user, World } from './world.ts';

afterEach(() => vi.unstubAllEnvs());

const fault = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Fault>(null) },
  { weight: 3, arbitrary: fc.constantFrom('ENOSPC', 'EIO', 'EPERM', 'EACCES').map((error): Fault => ({ error })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 }).map((short): Fault => ({ short })) },
);

type Step = (manager: SessionManager, world: World) => unknown;
const step = fc.constantFrom<Step>(
  (manager) => manager.appendMessage(user('question')),
  (manager) => manager.appendMessage(assistant('answer')),
  (manager) => manager.appendLabelChange(manager.getEntries()[0]!.id, 'label'),
  (manager) => manager.branchWithSummary(manager.getEntries()[0]!.id, 'left'),
  (manager) => manager.setSessionName('a name', 'user'),
  (manager) => manager.rewriteEntries(),
  (manager) => manager.flush(),
  (manager) => manager.flushSync(),
  (manager) => manager.moveTo('/work/other'),
  (manager) => manager.moveTo('/work/app'),
);

/** What the caller gets of an attempt; only errors of the disk may come. */
async function attempt(work: () => unknown): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    expect((error as { code?: string }).code).toBe('storage_io');
    return false;
  }
}

/** Where not even the cutting off of half a line succeeded, one may stand at the end for now. */
const wholeLines = (world: World, manager: SessionManager): unknown[] =>
  world
    .text(manager.getSessionFile()!)!
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { id: unknown }).id);

const idsOf = (world: World, manager: SessionManager): unknown[] => world.records(manager.getSessionFile()!).map(({ id }) => id);

describe.each(['musepi', 'pi'] as const)('on a disk that fails, a session of %s', (dialect) => {
  it('keeps every entry, leaves whole lines, and is stored when the disk is well again', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 15 }),
        fc.array(fault, { maxLength: 80 }),
        async (steps, faults) => {
          const world = new World(dialect);
          world.inner.mkdirSync('/work/other');
          const manager = world.create();
          manager.appendMessage(user('first'));
          manager.appendMessage(assistant('first answer'));
          const acknowledged = new Set(manager.getEntries().map(({ id }) => id));
          let left = [...faults];
          world.fault = () => left.shift() ?? null;
          for (const each of steps) {
            const before = manager.getEntries().length;
            const done = await attempt(() => each(manager, world));
            // Entries are there even where the append threw.
            const added = manager.getEntries().slice(before);
            if (done) for (const { id } of added) acknowledged.add(id);
            const kept = left;
            left = [];
            const stored = new Set(wholeLines(world, manager));
            for (const id of acknowledged) expect(stored).toContain(id);
            left = kept;
          }
          left = [];
          await manager.flush();
          const ids = [manager.getSessionId(), ...manager.getEntries().map(({ id }) => id)];
          expect(idsOf(world, manager)).toEqual(ids);
          await manager.close();
          const again = world.open(manager.getSessionFile()!);
          expect(again.getEntries()).toEqual(manager.getEntries());
          expect(again.getSessionName()).toBe(manager.getSessionName());
          expect(again.getCwd()).toBe(manager.getCwd());
        },
      ),
      { numRuns: 80 },
    );
  });

  it('says once in the log what it cannot store, and closes all the same', async () => {
    const world = new World(dialect);
    const logged: string[] = [];
    const logger = {
      warn: () => undefined,
      error: (message: string, data?: Record<string, unknown>) => logged.push(`${message} ${String(data?.['path'])}`),
    };
    Object.assign(world.options, { logger });
    const manager = world.create();
    const file = manager.getSessionFile()!;
    manager.appendMessage(user('q'));
    world.fault = (operation) => (operation === 'write' ? { error: 'ENOSPC' } : null);
    expect(() => manager.appendMessage(assistant('a'))).toThrow(expect.objectContaining({ code: 'storage_io' }));
    expect(() => manager.appendMessage(user('q2'))).toThrow(expect.objectContaining({ code: 'storage_io' }));
    expect(manager.getEntries()).toHaveLength(3);
    expect(logged).toEqual([expect.stringContaining(file)]);
    await expect(manager.close()).rejects.toMatchObject({ code: 'storage_io' });
    await manager.close();
    expect(() => manager.appendMessage(user('late'))).toThrow(expect.objectContaining({ code: 'storage_closed' }));
    expect(manager.getEntries()).toHaveLength(3);
    expect(world.text(file)).toBeNull();
  });
});
