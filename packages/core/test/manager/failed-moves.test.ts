import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { SessionManager } from '../../src/manager/session-manager.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';
import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { ProjectSessionStore } from '../../src/store/project-store.ts';
import { assistant, user, World } from './world.ts';

afterEach(() => vi.unstubAllEnvs());

/** Session files anywhere below a folder. */
function sessionsBelow(world: World, folder: string): string[] {
  return world.inner.readdirSync(folder).flatMap(({ name, kind }) => {
    const at = path.join(folder, name);
    if (kind === 'directory') return sessionsBelow(world, at);
    return name.endsWith('.jsonl') ? [at] : [];
  });
}

type Start = (world: World) => SessionManager;
const PLACES: [string, string, Start][] = [
  ['in buckets', '/agent/sessions', (world) => world.create()],
  [
    'in project directories',
    '/root',
    (world) => {
      const disk = new FaultDisk(world.inner, (operation, at, count) => world.fault(operation, at, count));
      const storage = new DiskSessionStorage(disk);
      const store = new ProjectSessionStore({ root: '/root', encoding: 'raw', storage, durable: true });
      return SessionManager.create('/work/app', undefined, { store });
    },
  ],
];

function started(start: Start): { world: World; manager: SessionManager; file: string } {
  const world = new World('musepi');
  world.inner.mkdirSync('/work/other');
  const manager = start(world);
  manager.appendMessage(user('q'));
  manager.appendMessage(assistant('a'));
  const file = manager.getSessionFile()!;
  world.put(path.join(file.replace(/\.jsonl$/, ''), '0.log'), 'artifact');
  return { world, manager, file };
}

describe.each(PLACES)('a move that fails %s', (_, root, start) => {
  it('and cannot be taken back leaves one file of the session, with which it goes on', async () => {
    let met = true;
    for (let first = 0; met; first++) {
      // One operation fails, and after it no directory entry is ever changed back.
      const { world, manager } = started(start);
      let count = 0;
      let broken = false;
      world.fault = (operation) => {
        if (broken) return operation === 'rename' ? { error: 'EACCES' } : null;
        broken = count++ === first;
        return broken ? { error: 'EIO' } : null;
      };
      await manager.moveTo('/work/other').catch((error: unknown) => expect(error).toMatchObject({ code: 'storage_io' }));
      met = broken;
      world.fault = () => null;
      manager.appendMessage(user('goes on'));
      await manager.flush();
      expect(sessionsBelow(world, root)).toEqual([manager.getSessionFile()]);
      expect(world.records(manager.getSessionFile()!)).toHaveLength(4);
      await manager.close();
    }
  });

  it('because the other folder is on another device changes nothing', async () => {
    const { world, manager, file } = started(start);
    const before = world.text(file);
    world.fault = (operation, at) => (operation === 'rename' && !at.includes('.tmp') ? { error: 'EXDEV' } : null);
    await expect(manager.moveTo('/work/other')).rejects.toMatchObject({ code: 'storage_io', data: { errno: 'EXDEV' } });
    expect(manager.getCwd()).toBe('/work/app');
    expect(world.text(file)).toBe(before);
    expect(sessionsBelow(world, root)).toEqual([file]);
    manager.appendMessage(user('goes on'));
    expect(world.records(file)).toHaveLength(4);
  });
});

it('what a failed move has left elsewhere is said', async () => {
  const { world, manager, file } = started((at) => at.create());
  const artifacts = file.replace(/\.jsonl$/, '');
  world.fault = (operation, at) => {
    if (operation === 'open' && at.includes('/--work-other--/')) return { error: 'EIO' };
    return operation === 'rename' && at.includes('--work-other--') && !at.endsWith('.jsonl') ? { error: 'EACCES' } : null;
  };
  const error: unknown = await manager.moveTo('/work/other').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'storage_io', data: { left: [{ from: artifacts }] } });
  expect(manager.getSessionFile()).toBe(file);
  const [left] = (error as { data: { left: { to: string }[] } }).data.left;
  expect(world.names(left!.to)).toEqual(['0.log']);
});
