import { createHash } from 'node:crypto';
import * as path from 'node:path';

import { diskCode, readSpan, type Disk } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';

const HASH = /^[0-9a-f]{64}$/;

/** Content-addressed files: `<folder>/<sha256>`. Reading only. */
export class FileBlobs {
  readonly #disk: Disk;
  readonly #folder: string;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  /** Bytes of a blob; undefined when there is none. Throws `blob_corrupt` when they do not have that hash. */
  async get(hash: string): Promise<Uint8Array | undefined> {
    if (!HASH.test(hash)) return undefined;
    const bytes = await this.#read(path.join(this.#folder, hash));
    if (bytes === undefined) return undefined;
    if (createHash('sha256').update(bytes).digest('hex') !== hash) {
      throw new SessionStoreError('blob_corrupt', 'The blob does not have the content that its name says.', { hash });
    }
    return bytes;
  }

  async #read(at: string): Promise<Uint8Array | undefined> {
    try {
      const file = await this.#disk.openNoFollow(at);
      try {
        return await readSpan(file, 0, file.statSync().size);
      } finally {
        file.closeSync();
      }
    } catch (error) {
      const code = diskCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      if (code === null) throw error;
      throw new SessionStoreError('storage_io', `The blob cannot be read (${code}).`, {}, error);
    }
  }
}
