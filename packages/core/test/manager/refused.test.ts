import { describe, expect, it } from 'vitest';

import type { SessionManager } from '../../src/manager/session-manager.ts';
import { assistant, user, World } from './world.ts';

const REFUSED: [string, string, (manager: SessionManager) => unknown][] = [
  ['a compaction that keeps from an entry that is not there', 'entry_not_found', (m) => m.appendCompaction('s', 'nobody', 1)],
  ['a summary of a branch that is not there', 'entry_not_found', (m) => m.appendBranchSummary('nobody', 's')],
  ['a message without a role', 'invalid_argument', (m) => m.appendMessage({ content: 'x' } as never)],
  ['a message whose role is no text', 'invalid_argument', (m) => m.appendMessage({ role: 1 } as never)],
  ['no message', 'invalid_argument', (m) => m.appendMessage(null as never)],
  ['nothing in the place of an entry', 'invalid_argument', (m) => m.rewriteEntries([null as never])],
  ['a list in the place of an entry', 'invalid_argument', (m) => m.rewriteEntries([[] as never])],
  ['an entry without an id', 'invalid_argument', (m) => m.rewriteEntries([{ type: 'custom' } as never])],
  ['an entry without a type', 'invalid_argument', (m) => m.rewriteEntries([{ id: 'a' } as never])],
  ['a second header', 'invalid_argument', (m) => m.rewriteEntries([{ type: 'session', id: 'a' } as never])],
];

describe.each(['musepi', 'pi'] as const)('refused in %s', (dialect) => {
  it.each(REFUSED)('%s', async (_, code, attempt) => {
    const world = new World(dialect);
    const manager = world.create();
    manager.appendMessage(user('q'));
    manager.appendMessage(assistant('a'));
    const before = manager.getEntries();
    const text = world.text(manager.getSessionFile()!);
    await expect(async () => attempt(manager)).rejects.toMatchObject({ code });
    expect(manager.getEntries()).toEqual(before);
    expect(manager.getLeafId()).toBe(before.at(-1)!.id);
    await manager.close();
    expect(world.text(manager.getSessionFile()!)).toBe(text);
  });
});
