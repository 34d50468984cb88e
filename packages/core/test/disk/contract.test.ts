import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'vitest';

import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import { diskContract, type DiskFixture } from '../../src/testing/index.ts';

function onDisk(): DiskFixture {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'stemma-disk-')));
  return { disk: new NodeDisk(), base, dispose: () => rmSync(base, { recursive: true }) };
}

function inMemory(): DiskFixture {
  const disk = new MemoryDisk();
  disk.mkdirSync('/base');
  return { disk, base: '/base', dispose: () => undefined };
}

function withoutFaults({ disk, base, dispose }: DiskFixture): DiskFixture {
  return { disk: new FaultDisk(disk, () => null), base, dispose };
}

const kit = { describe, it };
diskContract(kit, 'NodeDisk', onDisk);
diskContract(kit, 'MemoryDisk', inMemory);
diskContract(kit, 'FaultDisk without faults over NodeDisk', () => withoutFaults(onDisk()));
diskContract(kit, 'FaultDisk without faults over MemoryDisk', () => withoutFaults(inMemory()));
