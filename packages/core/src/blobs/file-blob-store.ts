import * as path from 'node:path';

import { diskCode, readSpanSync, type Disk } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import { AtomicReplace, type ReplaceOptions } from '../storage/atomic-replace.ts';
import { isAbsent, PRIVATE_FOLDER, sha256 } from '../storage/names.ts';
import type { BlobStore } from './blob-store.ts';
import { FileBlobs } from './file-blobs.ts';

const HASH = /^[0-9a-f]{64}$/;

/** Blobs as files `<folder>/<sha256>`. The folder is made by the first `put`. */
export class FileBlobStore implements BlobStore {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #options: ReplaceOptions;
  readonly #reader: FileBlobs;

  constructor(disk: Disk, folder: string, options: ReplaceOptions = {}) {
    this.#disk = disk;
    this.#folder = folder;
    this.#options = options;
    this.#reader = new FileBlobs(disk, folder);
  }

  put(bytes: Uint8Array): string {
    const hash = sha256(bytes);
    const file = path.join(this.#folder, hash);
    asStorageError(file, () => {
      // One of another size is what somebody else left half written.
      if (this.#sizeOf(file) === bytes.length) return;
      this.#disk.mkdirSync(this.#folder, PRIVATE_FOLDER);
      const blob = new AtomicReplace(this.#disk, file, this.#options);
      blob.write(bytes);
      blob.commit();
    });
    return hash;
  }

  get(hash: string): Promise<Uint8Array | undefined> {
    return this.#reader.get(hash);
  }

  getSync(hash: string): Uint8Array | undefined {
    if (!HASH.test(hash)) return undefined;
    const file = path.join(this.#folder, hash);
    const bytes = asStorageError(file, () => this.#read(file));
    if (bytes === undefined || sha256(bytes) === hash) return bytes;
    throw new SessionStoreError('blob_corrupt', 'The blob does not have the content that its name says.', { hash });
  }

  has(hash: string): boolean {
    if (!HASH.test(hash)) return false;
    const file = path.join(this.#folder, hash);
    return asStorageError(file, () => this.#sizeOf(file) !== null);
  }

  #read(file: string): Uint8Array | undefined {
    try {
      const open = this.#disk.openNoFollowSync(file);
      try {
        return readSpanSync(open, 0, open.statSync().size);
      } finally {
        open.closeSync();
      }
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  /** Null where there is no such file. */
  #sizeOf(file: string): number | null {
    try {
      const { kind, size } = this.#disk.lstatSync(file);
      return kind === 'file' ? size : null;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }
}

function asStorageError<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const errno = diskCode(error);
    if (errno === null || error instanceof SessionStoreError) throw error;
    throw new SessionStoreError('storage_io', `The blob cannot be stored or read (${errno}).`, { path: file, errno }, error);
  }
}
