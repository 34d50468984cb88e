import { MemoryDisk } from '../disk/memory-disk.ts';
import { NodeDisk } from '../disk/node-disk.ts';
import { DiskSessionStorage, type StorageOptions } from './disk-storage.ts';

/** Sessions in files. */
export class FileSessionStorage extends DiskSessionStorage {
  constructor(options: StorageOptions = {}) {
    super(new NodeDisk(), options);
  }
}

/** Sessions that are gone with the process. */
export class MemorySessionStorage extends DiskSessionStorage {
  /** @param now epoch ms; dates what is written, and never goes back. */
  constructor(now: () => number = Date.now) {
    super(new MemoryDisk(now));
  }
}
