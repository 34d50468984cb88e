import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

import type { BlobStore } from '../blobs/blob-store.ts';
import type { TestKit } from './disk-contract.ts';

export interface BlobFixture {
  blobs: BlobStore;
  dispose(): void | Promise<void>;
}

type Test = (blobs: BlobStore) => void | Promise<void>;

/** What every blob store must do alike. `make` is called for each test. */
export function blobContract(kit: TestKit, name: string, make: () => BlobFixture | Promise<BlobFixture>): void {
  kit.describe(`BlobStore contract: ${name}`, () => {
    for (const [title, test] of Object.entries(TESTS)) {
      kit.it(title, async () => {
        const { blobs, dispose } = await make();
        try {
          await test(blobs);
        } finally {
          await dispose();
        }
      });
    }
  });
}

const GONE = 'f'.repeat(64);

const TESTS: Record<string, Test> = {
  async 'answers the hash, and the bytes for it'(blobs) {
    for (const bytes of [new Uint8Array([0, 1, 255]), new Uint8Array(0), new Uint8Array(300_000).fill(7)]) {
      const hash = blobs.put(bytes);
      assert.equal(hash, createHash('sha256').update(bytes).digest('hex'));
      assert.equal(blobs.has(hash), true);
      assert.deepEqual(plain(blobs.getSync(hash)), plain(bytes));
      assert.deepEqual(plain(await blobs.get(hash)), plain(bytes));
    }
  },
  'takes the same content as often as it comes'(blobs) {
    const bytes = new Uint8Array([1, 2, 3]);
    assert.equal(blobs.put(bytes), blobs.put(new Uint8Array([1, 2, 3])));
    assert.deepEqual(plain(blobs.getSync(blobs.put(bytes))), plain(bytes));
  },
  async 'keeps its own bytes'(blobs) {
    const bytes = new Uint8Array([1, 2, 3]);
    const hash = blobs.put(bytes);
    bytes.fill(9);
    blobs.getSync(hash)!.fill(8);
    (await blobs.get(hash))!.fill(7);
    assert.deepEqual(plain(blobs.getSync(hash)), plain(new Uint8Array([1, 2, 3])));
  },
  async 'has nothing under other names'(blobs) {
    const hash = blobs.put(new Uint8Array([1]));
    for (const name of [GONE, '', '..', `../${hash}`, hash.toUpperCase(), `${hash} `, hash.slice(1)]) {
      assert.equal(blobs.has(name), false);
      assert.equal(blobs.getSync(name), undefined);
      assert.equal(await blobs.get(name), undefined);
    }
  },
};

const plain = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('base64');
