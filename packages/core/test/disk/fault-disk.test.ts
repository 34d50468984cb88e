import { describe, expect, it } from 'vitest';

import { DiskError, diskCode, readSpan } from '../../src/disk/disk.ts';
import { FaultDisk, type FaultPlan } from '../../src/disk/fault-disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';

function diskWith(plan: FaultPlan): FaultDisk {
  const memory = new MemoryDisk();
  memory.writeFile('/a', new TextEncoder().encode('hello world'));
  return new FaultDisk(memory, plan);
}

function codeOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return diskCode(error);
  }
}

describe('FaultDisk', () => {
  it('asks the plan before every operation, with its name, path and number', () => {
    const seen: string[] = [];
    const disk = diskWith((operation, path, count) => {
      seen.push(`${String(count)} ${operation} ${path}`);
      return null;
    });
    const file = disk.openSync('/a', 'readwrite');
    file.readSync(new Uint8Array(2), 0, 2, 0);
    file.writeSync(new Uint8Array(2), 0, 2, 0);
    file.statSync();
    file.truncateSync(1);
    file.syncSync();
    file.closeSync();
    disk.statSync('/a');
    disk.renameSync('/a', '/b');
    disk.unlinkSync('/b');
    const steps = ['open', 'read', 'write', 'fstat', 'truncate', 'fsync', 'close', 'stat', 'rename'].map((name) => `${name} /a`);
    expect(seen).toEqual([...steps, 'unlink /b'].map((step, i) => `${String(i + 1)} ${step}`));
    expect(disk.count).toBe(10);
  });

  it.each(['ENOSPC', 'EIO', 'EACCES'])('throws %s before anything has happened', (code) => {
    const disk = diskWith((operation) => (operation === 'write' ? { error: code } : null));
    const file = disk.openSync('/a', 'readwrite');
    expect(codeOf(() => file.writeSync(new Uint8Array(3), 0, 3, 0))).toBe(code);
    const buffer = new Uint8Array(5);
    file.readSync(buffer, 0, 5, 0);
    expect(new TextDecoder().decode(buffer)).toBe('hello');
  });

  it('writes and reads fewer bytes than asked for where the plan says so', async () => {
    const disk = diskWith((operation) => (operation === 'write' || operation === 'read' ? { short: 2 } : null));
    const file = disk.openSync('/a', 'readwrite');
    expect(file.writeSync(new TextEncoder().encode('XYZ'), 0, 3, 0)).toBe(2);
    expect(file.readSync(new Uint8Array(9), 0, 9, 0)).toBe(2);
    expect(new TextDecoder().decode(await readSpan(file, 0, 11))).toBe('XYllo world');
  });

  it('closes the file under it even where closing is said to fail', () => {
    const disk = diskWith((operation) => (operation === 'close' ? { error: 'EIO' } : null));
    const file = disk.openSync('/a', 'read');
    expect(codeOf(() => file.closeSync())).toBe('EIO');
    expect(codeOf(() => file.statSync())).toBe('EBADF');
  });

  it('rejects asynchronous operations', async () => {
    const disk = diskWith(() => ({ error: 'EIO' }));
    for (const work of [disk.stat('/a'), disk.lstat('/a'), disk.realpath('/a'), disk.readdir('/'), disk.openNoFollow('/a')]) {
      await expect(work).rejects.toMatchObject({ code: 'EIO' });
    }
  });
});

describe('diskCode', () => {
  it('answers the platform code of an error, else null', () => {
    expect(diskCode(new DiskError('EIO', 'read', '/a'))).toBe('EIO');
    for (const other of [new Error('x'), null, undefined, 'EIO', { code: 5 }]) expect(diskCode(other)).toBeNull();
  });
});
