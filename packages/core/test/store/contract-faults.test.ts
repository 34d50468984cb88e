import path from 'node:path';
import { describe, it } from 'vitest';

import { ZstdDisk } from '../../src/codec/zstd/zstd-disk.ts';
import type { FaultDisk } from '../../src/disk/fault-disk.ts';
import type { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { compressFrame } from '../../src/codec/zstd/engine.ts';
import { readSpanSync, type Disk } from '../../src/disk/disk.ts';
import { musepi } from '../../src/shapes/musepi.ts';
import { pi } from '../../src/shapes/pi.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';
import { BucketSessionStore, type BucketStoreOptions } from '../../src/store/bucket-store.ts';
import { projectLogsOf } from '../../src/store/project-sessions.ts';
import { ProjectSessionStore, type ProjectStoreOptions } from '../../src/store/project-store.ts';
import { findByHeader } from '../../src/store/stored-sessions.ts';
import { storeFaultContract, type FaultyGround } from '../../src/testing/index.ts';

type Options = Omit<BucketStoreOptions, 'agentDir' | 'storage' | 'facts'>;

function over(options: Options): (faulty: FaultDisk, ground: MemoryDisk) => FaultyGround {
  return (faulty, ground) => {
    const facts = { home: '/home/ann', temp: '/tmp', windows: false };
    const folder = options.folder ?? '/agent/sessions';
    return {
      store: new BucketSessionStore({ agentDir: '/agent', storage: new DiskSessionStorage(faulty), facts, ...options }),
      logs: (id) =>
        findByHeader({ disk: ground, folder, flat: options.folder !== undefined }, id).map((file) => bytesOf(ground, file)),
      put(id, log) {
        const at = path.join(folder, `2026-01-01T00-00-00-000Z_${id}.jsonl`);
        ground.writeFile(at, log);
        return { path: at };
      },
    };
  };
}

function projects(
  options: Omit<ProjectStoreOptions, 'root' | 'storage'>,
): (faulty: FaultDisk, ground: MemoryDisk) => FaultyGround {
  return (faulty, stored) => {
    const ground = new ZstdDisk(stored);
    return {
      store: new ProjectSessionStore({ root: '/root', storage: new DiskSessionStorage(faulty), ...options }),
      logs(id) {
        const places = { root: '/root', disk: ground, stored, shapes: musepi };
        return projectLogsOf(places, id).map((file) => bytesOf(ground, file));
      },
      put(id, log) {
        const at = `/root/--home-ann-app--/${id}/session.jsonl${options.encoding === 'raw' ? '' : '.zstd'}`;
        stored.writeFile(at, options.encoding === 'raw' ? log : tornFrames(log));
        return { path: at };
      },
    };
  };
}

/** A log whose last line was being written: the header, whole lines, and half a frame. */
function tornFrames(log: Uint8Array): Uint8Array {
  const header = log.indexOf(10) + 1;
  const last = log.lastIndexOf(10) + 1;
  const [head, body, torn] = [log.subarray(0, header), log.subarray(header, last), log.subarray(last)].map(compressFrame);
  return Buffer.concat([head!, body!, torn!.subarray(0, torn!.length - 6)]);
}

function bytesOf(disk: Disk, at: string): Uint8Array {
  const file = disk.openSync(at, 'read');
  return readSpanSync(file, 0, file.statSync().size);
}

// Each tells the story some hundred times.
const kit = { describe, it: (name: string, body: () => Promise<void> | void) => void it(name, body, 120_000) };

storeFaultContract(kit, 'buckets, musepi', over({ shapes: musepi }));
storeFaultContract(kit, 'buckets, musepi, durable', over({ shapes: musepi, durable: true }));
storeFaultContract(kit, 'one folder, pi', over({ shapes: pi, folder: '/flat' }));
storeFaultContract(kit, 'projects, raw', projects({ encoding: 'raw' }));
storeFaultContract(kit, 'projects, raw, durable', projects({ encoding: 'raw', durable: true }));
storeFaultContract(kit, 'projects, zstd', projects({ encoding: 'zstd' }));
storeFaultContract(kit, 'projects, zstd, durable', projects({ encoding: 'zstd', durable: true }));
