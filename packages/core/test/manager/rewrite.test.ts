import { describe, expect, it } from 'vitest';

import type { SessionMessageEntry } from '../../src/entries/entry.ts';
import type { SessionManager } from '../../src/manager/session-manager.ts';
import { assistant, user, World } from './world.ts';

type Json = Record<string, unknown>;

const stored = (world: World, manager: SessionManager): Json[] =>
  world
    .text(manager.getSessionFile()!)!
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);

const texts = (records: readonly Json[]): unknown[] =>
  records.slice(1).map(({ message, data }) => (message as Json | undefined)?.['content'] ?? data);

describe.each(['musepi', 'pi'] as const)('rewriting a session in %s', (dialect) => {
  function session(world: World): SessionManager {
    const manager = world.create();
    manager.appendMessage(user('one'));
    manager.appendMessage(assistant('two'));
    manager.appendMessage(user('three'));
    return manager;
  }

  it('stores entries that were changed in place, and copies the others byte for byte', async () => {
    const world = new World(dialect);
    const manager = session(world);
    const file = manager.getSessionFile()!;
    const before = world.text(file)!.split('\n');
    (manager.getEntries()[0] as SessionMessageEntry).message.content = 'pruned';
    await manager.rewriteEntries();
    const after = world.text(file)!.split('\n');
    expect(after[1]).toContain('"pruned"');
    expect(after.slice(2)).toEqual(before.slice(2));
    await manager.close();
    expect((world.open(file).getEntries()[0] as SessionMessageEntry).message.content).toBe('pruned');
  });

  it('keeps the bytes of records that it did not change, however they were written', async () => {
    const world = new World(dialect);
    const manager = session(world);
    const file = manager.getSessionFile()!;
    await manager.close();
    const odd =
      '{ "type":"custom","id":"odd00001","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","customType":"x","data":1.50e1 }';
    world.put(file, `${world.text(file)!}${odd}\n`);
    const again = world.open(file);
    await again.rewriteEntries();
    expect(world.text(file)!.split('\n')).toContain(odd);
  });

  it('stores what changed while another rewrite was on its way', async () => {
    const world = new World(dialect);
    const manager = session(world);
    const first = manager.rewriteEntries();
    (manager.getEntries()[0] as SessionMessageEntry).message.content = 'late';
    const second = manager.rewriteEntries();
    await Promise.all([first, second]);
    expect(texts(stored(world, manager))[0]).toBe('late');
  });

  it('has on disk what is appended after other entries were given during a rewrite', async () => {
    const world = new World(dialect);
    const manager = session(world);
    const first = manager.rewriteEntries();
    await Promise.resolve();
    const second = manager.rewriteEntries(manager.getEntries().slice(0, 2));
    manager.appendCustomEntry('note', 'appended');
    expect(texts(stored(world, manager)).at(-1)).toBe('appended');
    await Promise.all([first, second]);
    expect(texts(stored(world, manager))).toHaveLength(3);
    expect(texts(stored(world, manager)).at(-1)).toBe('appended');
  });
});
