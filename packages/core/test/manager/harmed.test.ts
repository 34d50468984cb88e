import { describe, expect, it } from 'vitest';

import type { SessionManager } from '../../src/manager/session-manager.ts';
import { assistant, user, World } from './world.ts';

const HARMS: [string, (world: World, file: string) => void][] = [
  ['removed', (world, file) => world.inner.unlinkSync(file)],
  ['emptied', (world, file) => world.inner.openSync(file, 'readwrite').truncateSync(0)],
  ['cut to 30 bytes', (world, file) => world.inner.openSync(file, 'readwrite').truncateSync(30)],
  ['overwritten', (world, file) => world.put(file, 'garbage')],
];

const LEAVING: [string, (manager: SessionManager) => unknown][] = [
  ['flush', (manager) => manager.flush()],
  ['flushSync', (manager) => manager.flushSync()],
  ['close', (manager) => manager.close()],
];

describe.each(HARMS)('a session file that somebody has %s right before an append', (_, harm) => {
  it.each(LEAVING)('is whole after %s', async (_name, leave) => {
    const world = new World('pi');
    const manager = world.create();
    manager.appendMessage(user('one'));
    manager.appendMessage(assistant('two'));
    const file = manager.getSessionFile()!;
    harm(world, file);
    manager.appendMessage(user('three'));
    await leave(manager);
    const known = manager.getEntries().map(({ id }) => id);
    const stored = world
      .records(file)
      .slice(1)
      .map(({ id }) => id);
    expect(known).toHaveLength(3);
    expect(known.filter((id) => !stored.includes(id))).toEqual([]);
  });
});

it('stores what comes after other entries without an answer were given', async () => {
  const world = new World('pi');
  const manager = world.create();
  manager.appendMessage(user('one'));
  manager.appendMessage(assistant('two'));
  await manager.rewriteEntries(manager.getEntries().slice(0, 1));
  manager.appendMessage(user('three'));
  expect(world.records(manager.getSessionFile()!)).toHaveLength(3);
});
