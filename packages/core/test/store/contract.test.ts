import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'vitest';

import { ZstdDisk } from '../../src/codec/zstd/zstd-disk.ts';
import { readSpanSync, type Disk } from '../../src/disk/disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import { MemoryBlobStore } from '../../src/blobs/memory-blob-store.ts';
import { musepi } from '../../src/shapes/musepi.ts';
import { pi } from '../../src/shapes/pi.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';
import { BucketSessionStore, type BucketStoreOptions } from '../../src/store/bucket-store.ts';
import { ProjectSessionStore, type ProjectStoreOptions } from '../../src/store/project-store.ts';
import { MemorySessionStore } from '../../src/store/memory-store.ts';
import { storeContract, type StoreFixture } from '../../src/testing/index.ts';

type Options = Omit<BucketStoreOptions, 'agentDir' | 'storage' | 'facts'>;
type ProjectOptions = Omit<ProjectStoreOptions, 'root' | 'storage'>;

function files(disk: Disk, base: string, options: Options, dispose: () => void): StoreFixture {
  const facts = { home: '/home/ann', temp: '/tmp', windows: false };
  const storage = new DiskSessionStorage(disk);
  const make = (): BucketSessionStore => new BucketSessionStore({ agentDir: base, storage, facts, ...options });
  return {
    store: make(),
    another: make,
    bytes: (id) => logOf(disk, make().locate(id)),
    put(id, log) {
      const at = path.join(options.folder ?? path.join(base, 'sessions'), `2026-01-01T00-00-00-000Z_${id}.jsonl`);
      disk.mkdirSync(path.dirname(at));
      const file = disk.openSync(at, 'create');
      file.writeSync(log, 0, log.length, 0);
      file.closeSync();
      return { path: at };
    },
    dispose,
  };
}

/** The decoded log of a session, or undefined where there is none. */
function logOf(disk: Disk, at: string | undefined): Uint8Array | undefined {
  if (at === undefined) return undefined;
  const file = disk.openSync(at, 'read');
  try {
    return readSpanSync(file, 0, file.statSync().size);
  } finally {
    file.closeSync();
  }
}

function projects(disk: Disk, root: string, options: ProjectOptions, dispose: () => void): StoreFixture {
  const storage = new DiskSessionStorage(disk);
  const view = new ZstdDisk(disk);
  const make = (): ProjectSessionStore => new ProjectSessionStore({ root, storage, ...options });
  return {
    store: make(),
    another: make,
    bytes: (id) => logOf(view, make().locate(id)),
    sizeOf: (id) => disk.statSync(make().locate(id)!).size,
    put(id, log) {
      const at = path.join(root, '--home-ann-app--', id, options.encoding === 'raw' ? 'session.jsonl' : 'session.jsonl.zstd');
      disk.mkdirSync(path.dirname(at));
      const file = view.openSync(at, 'create');
      file.writeSync(log, 0, log.length, 0);
      file.closeSync();
      return { path: at };
    },
    dispose,
  };
}

function projectsOnDisk(options: ProjectOptions): StoreFixture {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'stemma-store-')));
  return projects(new NodeDisk(), path.join(base, 'root'), options, () => rmSync(base, { recursive: true }));
}

function projectsInMemory(options: ProjectOptions): StoreFixture {
  return projects(new MemoryDisk(), '/root', options, () => undefined);
}

function onDisk(options: (base: string) => Options): StoreFixture {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'stemma-store-')));
  return files(new NodeDisk(), base, options(base), () => rmSync(base, { recursive: true }));
}

function inMemory(options: Options): StoreFixture {
  return files(new MemoryDisk(), '/agent', options, () => undefined);
}

const kit = { describe, it };

storeContract(kit, 'buckets, musepi, real files', () => onDisk(() => ({ shapes: musepi })));
storeContract(kit, 'buckets, pi, real files', () => onDisk(() => ({ shapes: pi, durable: true })));
storeContract(kit, 'one folder, real files', () => onDisk((base) => ({ folder: path.join(base, 'flat') })));
storeContract(kit, 'buckets, musepi, memory disk', () => inMemory({ shapes: musepi }));
storeContract(kit, 'buckets, pi, memory disk', () => inMemory({ shapes: pi }));
storeContract(kit, 'projects, raw, real files', () => projectsOnDisk({ encoding: 'raw', durable: true }));
storeContract(kit, 'projects, raw, memory disk', () => projectsInMemory({ encoding: 'raw' }));
storeContract(kit, 'projects, raw, pi, memory disk', () => projectsInMemory({ encoding: 'raw', shapes: pi }));
storeContract(kit, 'projects, zstd, real files', () => projectsOnDisk({ encoding: 'zstd', durable: true }));
storeContract(kit, 'projects, zstd, memory disk', () => projectsInMemory({ encoding: 'zstd' }));
storeContract(kit, 'projects, zstd, pi, memory disk', () => projectsInMemory({ encoding: 'zstd', shapes: pi }));
storeContract(kit, 'MemorySessionStore', () => {
  let now = 0;
  const store = new MemorySessionStore({ blobs: new MemoryBlobStore(), now: () => ++now });
  return { store, another: () => store, bytes: (id) => store.bytesOf(id), put: null, dispose: () => undefined };
});
