import path from 'node:path';
import { expect, it } from 'vitest';

import { FaultDisk, MemoryDisk, ProjectSessionStore, type SessionEntry } from '../../src/index.ts';
import { pi } from '../../src/shapes/pi.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';

const header = { type: 'session' as const, version: 3, id: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/w' };

/** An answer with a text that is not compressed to nothing. */
function answer(n: number): SessionEntry {
  const text = Array.from({ length: 300 }, (_, i) => ((n * 7919 + i * 104_729) % 1_000_003).toString(36)).join(' ');
  const timestamp = new Date(Date.UTC(2026, 1, 1) + n * 1_000).toISOString();
  const parentId = n === 0 ? null : `e${String(n - 1)}`;
  return {
    type: 'message',
    id: `e${String(n)}`,
    parentId,
    timestamp,
    message: { role: 'assistant', content: [{ type: 'text', text }] },
  };
}

it('the list of compressed sessions reads their ends, whatever their length', async () => {
  const disk = new MemoryDisk();
  const counts = { reads: 0 };
  const counting = new FaultDisk(disk, (operation) => {
    if (operation === 'read') counts.reads++;
    return null;
  });
  const readsFor = async (entries: number): Promise<number> => {
    const root = `/root${String(entries)}`;
    const store = new ProjectSessionStore({ root, shapes: pi, storage: new DiskSessionStorage(disk) });
    const handle = store.create(header);
    for (let n = 0; n < entries; n++) handle.appendSync([{ value: answer(n) }]);
    await handle.close();
    const fresh = new ProjectSessionStore({ root, shapes: pi, storage: new DiskSessionStorage(counting) });
    counts.reads = 0;
    const { sessions } = await fresh.list();
    expect(sessions.map(({ modified }) => modified)).toEqual([Date.UTC(2026, 1, 1) + (entries - 1) * 1_000]);
    expect(disk.statSync(path.join(root, '--w--/s/session.jsonl.zstd')).size).toBeGreaterThan(entries * 900);
    return counts.reads;
  };
  const few = await readsFor(200);
  expect(await readsFor(4_000)).toBeLessThanOrEqual(few);
});
