import { expect, it } from 'vitest';

import { BucketSessionStore, FaultDisk, MemoryDisk, ProjectSessionStore, type SessionStore } from '../../src/index.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';

const header = { type: 'session' as const, version: 3, id: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/w' };
const note = { type: 'custom' as const, id: 'e1', parentId: null, timestamp: header.timestamp, customType: 'note' };

it.each([
  ['buckets', (storage: DiskSessionStorage): SessionStore => new BucketSessionStore({ agentDir: '/agent', storage })],
  ['raw', (storage: DiskSessionStorage): SessionStore => new ProjectSessionStore({ root: '/root', encoding: 'raw', storage })],
  ['zstd', (storage: DiskSessionStorage): SessionStore => new ProjectSessionStore({ root: '/root', encoding: 'zstd', storage })],
])('%s: a session that the disk does not let be read is not said to be absent', async (_name, make) => {
  const disk = new MemoryDisk();
  const handle = make(new DiskSessionStorage(disk)).create(header);
  handle.appendSync([{ value: note }]);
  await handle.close();
  const broken = new FaultDisk(disk, (operation, at) =>
    operation === 'open' && at.includes('.jsonl') ? { error: 'EIO' } : null,
  );
  const store = make(new DiskSessionStorage(broken));
  await expect(store.delete('s')).rejects.toMatchObject({ code: 'storage_io' });
  await expect(store.open('s', 'write')).rejects.toMatchObject({ code: 'storage_io' });
  const whole = make(new DiskSessionStorage(disk));
  await whole.delete('s');
  await expect(whole.delete('s')).rejects.toMatchObject({ code: 'session_not_found' });
});
