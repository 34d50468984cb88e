import type { BlobStore } from '../blobs/blob-store.ts';
import type { FileEntry, RawRecord } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { prepareEntry } from '../persist/prepare.ts';
import { restoreEntry } from '../persist/restore.ts';
import type { Shapes } from '../shapes/define-shapes.ts';

export interface RestoredEntry {
  /** The same object where nothing was put back. */
  value: RawRecord;
  /** Hashes of blobs that could not be had, each once. */
  missing: readonly string[];
  corrupt: readonly string[];
  unreadable: readonly string[];
}

/** How entries become what is stored, and come back. */
export interface EntryForms {
  /** Puts large contents into the blob store first; does not change the entry. @throws `storage_io` */
  prepare(entry: FileEntry): FileEntry;
  restore(value: RawRecord): RestoredEntry;
}

/** The forms in which a dialect stores entries, with its large contents in `blobs`. */
export function entryForms(shapes: Shapes, blobs: BlobStore): EntryForms {
  const putBlob = (bytes: Uint8Array): string => blobs.put(bytes);
  return {
    prepare: (entry) => (shapes.writes.compact ? prepareEntry(entry, { putBlob }) : entry),
    restore(value) {
      const unreadable = new Set<string>();
      const { missing, ...restored } = restoreEntry(value, (hash) => getBlob(blobs, hash, unreadable));
      return { ...restored, missing: missing.filter((hash) => !unreadable.has(hash)), unreadable: [...unreadable] };
    },
  };
}

/** A blob that the disk does not give is no reason not to open a session. */
function getBlob(blobs: BlobStore, hash: string, unreadable: Set<string>): Uint8Array | undefined {
  try {
    return blobs.getSync(hash);
  } catch (error) {
    if (!(error instanceof SessionStoreError && error.code === 'storage_io')) throw error;
    unreadable.add(hash);
    return undefined;
  }
}
