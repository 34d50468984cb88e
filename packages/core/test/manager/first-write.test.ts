import { describe, expect, it } from 'vitest';

import { SessionManager } from '../../src/manager/session-manager.ts';
import { assistant, user, World } from './world.ts';

describe.each(['musepi', 'pi'] as const)('the first write in %s', (dialect) => {
  it('is made good after the disk has failed twice, once behind it and once before it', async () => {
    const world = new World(dialect);
    const manager = SessionManager.create('/work/app', undefined, { ...world.options, durable: true });
    manager.appendMessage(user('one'));
    world.fault = (operation) => (operation === 'fsyncdir' ? { error: 'EIO' } : null);
    expect(() => manager.appendMessage(assistant('two'))).toThrow(expect.objectContaining({ code: 'storage_io' }));
    world.fault = (operation) => (operation === 'rename' || operation === 'link' ? { error: 'EIO' } : null);
    expect(() => manager.appendMessage(user('three'))).toThrow(expect.objectContaining({ code: 'storage_io' }));
    world.fault = () => null;
    manager.appendMessage(user('four'));
    await manager.close();
    expect(world.records(manager.getSessionFile()!)).toHaveLength(5);
  });
});
