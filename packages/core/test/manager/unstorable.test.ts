import { describe, expect, it } from 'vitest';

import type { SessionManager } from '../../src/manager/session-manager.ts';
import { assistant, user, World } from './world.ts';

function circle(): unknown {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

function deep(): unknown {
  let value: unknown = 1;
  for (let level = 0; level < 20_000; level++) value = { value };
  return value;
}

const getter = {
  get value(): never {
    throw new Error('not now');
  },
};

const VALUES: [string, () => unknown][] = [
  ['a big integer', () => 10n],
  ['a circle', circle],
  ['20,000 levels', deep],
  ['a getter that throws', () => getter],
];

const ids = (manager: SessionManager): unknown[] => manager.getEntries().map(({ id }) => id);

describe.each(['musepi', 'pi'] as const)('what cannot be a line in %s', (dialect) => {
  describe.each(VALUES)('%s', (_, make) => {
    it('is refused; the session goes on', async () => {
      const world = new World(dialect);
      const manager = world.create();
      manager.appendMessage(user('one'));
      manager.appendMessage(assistant('two'));
      const before = ids(manager);
      expect(() => manager.appendCustomEntry('x', make())).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
      expect(ids(manager)).toEqual(before);
      expect(manager.getLeafId()).toBe(before.at(-1));
      const last = manager.appendMessage(user('three'));
      await manager.close();
      const stored = world.records(manager.getSessionFile()!).slice(1);
      expect(stored.map(({ id }) => id)).toEqual([...before, last]);
      expect(stored.at(-1)!['parentId']).toBe(before.at(-1));
    });

    it('is refused before the first answer, too', async () => {
      const world = new World(dialect);
      const manager = world.create();
      expect(() => manager.appendCustomEntry('x', make())).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
      manager.appendMessage(assistant('two'));
      await manager.close();
      expect(world.records(manager.getSessionFile()!)).toHaveLength(2);
    });
  });
});
