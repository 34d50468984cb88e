import * as path from 'node:path';

import type { BlobStore } from '../blobs/blob-store.ts';
import type { BlobState } from '../blobs/check.ts';
import { FileBlobStore } from '../blobs/file-blob-store.ts';
import { FileBlobs } from '../blobs/file-blobs.ts';
import type { Disk } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';

/** The blobs of a root. `file` is that of the session which refers to the blob, where that is known. */
export interface RootBlobs {
  /** @throws `blob_corrupt`, `storage_io` */
  get(hash: string, file?: string): Promise<Uint8Array | undefined>;
  blobState(hash: string, file?: string): Promise<BlobState>;
}

/** A root without any. */
export const NO_BLOBS: RootBlobs = {
  get: () => Promise.resolve(undefined),
  blobState: () => Promise.resolve('missing'),
};

/** Where DeepSeek Harness keeps a blob, below its folder of attachments: `v1/objects/<2 digits>/<sha256>`. */
export function attachmentPath(folder: string, hash: string): string {
  return path.join(folder, 'v1', 'objects', hash.slice(0, 2), hash);
}

/** The attachments beside the sessions of DeepSeek Harness. */
export function attachments(disk: Disk, home: string): RootBlobs {
  return new FileBlobs(disk, path.join(home, 'attachments'), attachmentPath);
}

/** What the harness keeps of large contents, under their hashes. */
export class AttachmentStore implements BlobStore {
  readonly #disk: Disk;
  readonly #folder: string;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  put(): never {
    throw new SessionStoreError('unsupported', 'Attachments of DeepSeek Harness are not written.');
  }

  get(hash: string): Promise<Uint8Array | undefined> {
    return this.#beside(hash).get(hash);
  }

  getSync(hash: string): Uint8Array | undefined {
    return this.#beside(hash).getSync(hash);
  }

  has(hash: string): boolean {
    return this.#beside(hash).has(hash);
  }

  #beside(hash: string): FileBlobStore {
    return new FileBlobStore(this.#disk, path.dirname(attachmentPath(this.#folder, hash)));
  }
}

/** Blobs that lie with their sessions: `<session directory>/blobs/<sha256>`. */
export class SessionFolderBlobs implements RootBlobs {
  readonly #disk: Disk;
  readonly #root: string;
  /** As the last scan found them. */
  #folders: readonly string[] = [];
  /** The folder that had the last blob probably has the next one. */
  #last: string | null = null;

  constructor(disk: Disk, root: string) {
    this.#disk = disk;
    this.#root = root;
  }

  /** @param folders all that there are in the root */
  know(folders: readonly string[]): void {
    this.#folders = folders;
  }

  async get(hash: string, file?: string): Promise<Uint8Array | undefined> {
    const own = file === undefined ? [] : this.#foldersOf(file);
    // Contents are named by their hash: whichever session has it, it is the same.
    const order = new Set([...own, ...(this.#last === null ? [] : [this.#last]), ...this.#folders]);
    for (const folder of order) {
      const bytes = await new FileBlobs(this.#disk, folder).get(hash);
      if (bytes === undefined) continue;
      this.#last = folder;
      return bytes;
    }
    return undefined;
  }

  /** A session goes with its own blobs: those of others do not count for it. */
  async blobState(hash: string, file?: string): Promise<BlobState> {
    let state: BlobState = 'missing';
    for (const folder of file === undefined ? this.#folders : this.#foldersOf(file)) {
      const found = await new FileBlobs(this.#disk, folder).blobState(hash);
      if (found === 'present') return found;
      if (state === 'missing') state = found;
    }
    return state;
  }

  /** Of the folder of a file and of those above it, up to that of the session. */
  #foldersOf(file: string): string[] {
    const folders: string[] = [];
    for (let at = path.dirname(file); isBelow(path.dirname(at), this.#root); at = path.dirname(at))
      folders.push(path.join(at, 'blobs'));
    return folders;
  }
}

function isBelow(at: string, folder: string): boolean {
  return at.startsWith(folder + path.sep);
}
