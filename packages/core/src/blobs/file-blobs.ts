import { createHash } from 'node:crypto';
import * as path from 'node:path';

import { diskCode, readSpan, type Disk, type DiskFile } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import type { BlobChecker, BlobState } from './check.ts';

const HASH = /^[0-9a-f]{64}$/;
const CHUNK_BYTES = 256 * 1024;

/** Content-addressed files: `<folder>/<sha256>`. Reading only. */
export class FileBlobs implements BlobChecker {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #pathOf: (folder: string, hash: string) => string;

  /** @param pathOf where a blob lies below the folder; under its hash by default */
  constructor(disk: Disk, folder: string, pathOf: (folder: string, hash: string) => string = path.join) {
    this.#disk = disk;
    this.#folder = folder;
    this.#pathOf = pathOf;
  }

  /** Bytes of a blob; undefined when there is none. Throws `blob_corrupt` when they do not have that hash, and `storage_io`. */
  async get(hash: string): Promise<Uint8Array | undefined> {
    const bytes = await this.#use(hash, (file) => readSpan(file, 0, file.statSync().size));
    if (bytes === undefined) return undefined;
    if (createHash('sha256').update(bytes).digest('hex') !== hash) {
      throw new SessionStoreError('blob_corrupt', 'The blob does not have the content that its name says.', { hash });
    }
    return bytes;
  }

  /** Is the blob there and whole? Reads it piece by piece, however large it is. */
  async blobState(hash: string): Promise<BlobState> {
    try {
      const found = await this.#use(hash, hashOf);
      return found === undefined ? 'missing' : found === hash ? 'present' : 'corrupt';
    } catch (error) {
      if (error instanceof SessionStoreError && error.code === 'storage_io') return 'unreadable';
      throw error;
    }
  }

  /** Works with the open file of a blob; undefined when there is none. */
  async #use<T>(hash: string, work: (file: DiskFile) => Promise<T>): Promise<T | undefined> {
    if (!HASH.test(hash)) return undefined;
    try {
      const file = await this.#disk.openNoFollow(this.#pathOf(this.#folder, hash));
      try {
        return await work(file);
      } finally {
        file.closeSync();
      }
    } catch (error) {
      const code = diskCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      if (code === null || error instanceof SessionStoreError) throw error;
      throw new SessionStoreError('storage_io', `The blob cannot be read (${code}).`, {}, error);
    }
  }
}

async function hashOf(file: DiskFile): Promise<string> {
  const hash = createHash('sha256');
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (let at = 0; ;) {
    const got = await file.read(buffer, 0, buffer.length, at);
    if (got === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, got));
    at += got;
  }
}
