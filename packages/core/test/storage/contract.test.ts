import { describe, it } from 'vitest';

import { FaultDisk, type FaultPlan } from '../../src/disk/fault-disk.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';
import { FileSessionStorage, MemorySessionStorage } from '../../src/storage/storages.ts';
import { storageContract, storageFaultContract, type FaultFixture } from '../../src/testing/index.ts';
import { inMemory, onDisk, type Place } from './fixtures.ts';

const kit = { describe, it };

storageContract(kit, 'FileSessionStorage', () => ({ ...onDisk(), storage: new FileSessionStorage() }));
storageContract(kit, 'FileSessionStorage, durable', () => ({ ...onDisk(), storage: new FileSessionStorage({ durable: true }) }));
storageContract(kit, 'MemorySessionStorage', () => {
  const storage = new MemorySessionStorage();
  storage.ensureDirSync('/base');
  return { storage, base: '/base', dispose: () => undefined };
});
storageContract(kit, 'a disk that takes few bytes at once', () => {
  const { disk, ...place } = inMemory();
  return { ...place, storage: new DiskSessionStorage(new FaultDisk(disk, (at) => (at === 'write' ? { short: 1000 } : null))) };
});
storageContract(kit, 'a disk that replaces no file', () => {
  const { disk, ...place } = inMemory();
  return { ...place, storage: new DiskSessionStorage(new FaultDisk(disk, onlyOntoNothing(disk))) };
});

/** As Windows while somebody has the file open: a rename onto it fails, moving it away works. */
function onlyOntoNothing(disk: Place['disk']): FaultPlan {
  return (operation, path) => {
    if (operation !== 'rename' || !path.endsWith('.tmp')) return null;
    const target = path.replace(/\.([^/]+)\.[0-9a-f]{16}\.tmp$/, '$1');
    try {
      disk.statSync(target);
      return { error: 'EPERM' };
    } catch {
      return null;
    }
  };
}

const faulty =
  (place: () => Place, durable: boolean) =>
  (plan: FaultPlan): FaultFixture => {
    const { disk, ...rest } = place();
    return { ...rest, disk, storage: new DiskSessionStorage(new FaultDisk(disk, plan), { durable }) };
  };

storageFaultContract(kit, 'in memory', faulty(inMemory, false));
storageFaultContract(kit, 'in memory, durable', faulty(inMemory, true));
storageFaultContract(kit, 'on disk', faulty(onDisk, false));
