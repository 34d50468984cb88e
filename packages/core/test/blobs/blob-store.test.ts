import { describe, expect, it } from 'vitest';

import { FileBlobStore } from '../../src/blobs/file-blob-store.ts';
import { MemoryBlobStore } from '../../src/blobs/memory-blob-store.ts';
import { diskCode, type Disk } from '../../src/disk/disk.ts';
import { FaultDisk, type Fault } from '../../src/disk/fault-disk.ts';
import { blobContract } from '../../src/testing/index.ts';
import { failsWith, fileText, namesIn, putFile } from '../../src/testing/disk-files.ts';
import { inMemory, onDisk, PLACES, type Place } from '../storage/fixtures.ts';

const kit = { describe, it };
const files =
  (make: () => Place, durable = false) =>
  () => {
    const { disk, base, dispose } = make();
    return { blobs: new FileBlobStore(disk, `${base}/blobs`, { durable }), dispose };
  };

blobContract(kit, 'files on disk', files(onDisk));
blobContract(kit, 'files on disk, durable', files(onDisk, true));
blobContract(kit, 'files in memory', files(inMemory));
blobContract(kit, 'memory', () => ({ blobs: new MemoryBlobStore(), dispose: () => undefined }));

const BYTES = new TextEncoder().encode('content '.repeat(30));
const HASH = new MemoryBlobStore().put(BYTES);

describe.each(PLACES)('blob files %s', (_name, make) => {
  it('have the decoded bytes under their hash, once, for nobody else to read', () => {
    const { disk, base, dispose } = make();
    const blobs = new FileBlobStore(disk, `${base}/deep/blobs`);
    const image = Buffer.from('iVBORw0KGgo'.repeat(200), 'base64');
    const hash = blobs.put(image);
    const written = disk.statSync(`${base}/deep/blobs/${hash}`);
    expect(blobs.put(new Uint8Array(image))).toBe(hash);
    expect(disk.statSync(`${base}/deep/blobs/${hash}`)).toEqual(written);
    expect(namesIn(disk, `${base}/deep/blobs`)).toEqual([hash]);
    expect([written.size, written.mode & 0o077]).toEqual([image.length, 0]);
    expect(disk.statSync(`${base}/deep/blobs`).mode & 0o077).toBe(0);
    dispose();
  });

  it('are written anew where somebody left half of one, and named as corrupt where the content is another', async () => {
    const { disk, base, dispose } = make();
    const blobs = new FileBlobStore(disk, base);
    putFile(disk, `${base}/${HASH}`, 'content');
    await failsWith('blob_corrupt', () => blobs.getSync(HASH));
    await failsWith('blob_corrupt', () => blobs.get(HASH));
    blobs.put(BYTES);
    expect(Buffer.from(blobs.getSync(HASH)!).equals(BYTES)).toBe(true);
    dispose();
  });

  it.each(['ENOSPC', 'EIO', 'EACCES', 'EPERM', 'short writes'])('are whole or not there on a bad disk: %s', async (kind) => {
    const fault: Fault = kind === 'short writes' ? { short: 10 } : { error: kind };
    const attempt = (step: number): number => {
      const { disk, base, dispose } = make();
      const faulty = new FaultDisk(disk, (_operation, _path, count) => (count === step ? fault : null));
      const error = put(faulty, base);
      const there = fileText(disk, `${base}/blobs/${HASH}`);
      if (error === null) expect(there).toBe('content '.repeat(30));
      else expect([error, there]).toEqual(['storage_io', null]);
      const names = there === null && !disk.readdirSync(base).length ? [] : namesIn(disk, `${base}/blobs`);
      expect(names.filter((name) => name !== HASH)).toEqual([]);
      dispose();
      return faulty.count;
    };
    const steps = attempt(0);
    expect(steps).toBeGreaterThan(4);
    for (let step = 1; step <= steps; step++) attempt(step);
  });

  it('say what the disk said', async () => {
    const { disk, base, dispose } = make();
    const broken = new FileBlobStore(new FaultDisk(disk, () => ({ error: 'EIO' })), base);
    for (const work of [() => broken.put(BYTES), () => broken.getSync(HASH), () => broken.has(HASH)]) {
      await expect(async () => work()).rejects.toMatchObject({
        code: 'storage_io',
        data: { errno: 'EIO', path: `${base}/${HASH}` },
      });
    }
    await failsWith('storage_io', () => broken.get(HASH));
    dispose();
  });
});

function put(disk: Disk, base: string): string | null {
  try {
    new FileBlobStore(disk, `${base}/blobs`).put(BYTES);
    return null;
  } catch (error) {
    return diskCode(error);
  }
}
