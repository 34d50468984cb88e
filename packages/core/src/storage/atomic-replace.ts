import * as path from 'node:path';

import { diskCode, writeAllSync, type Disk, type DiskAccess, type DiskFile } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import { backupPath, isAbsent, PRIVATE_FILE, removeIfPossible, tempPath } from './names.ts';

export interface ReplaceOptions {
  /** The new content survives a power failure once it has the name. */
  durable?: boolean;
}

/** A disk without hard links says one of these. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EACCES'];

/**
 * A new content for a file. It is written beside it and takes its name at once: whoever reads sees the old file or the
 * new one. A file that is replaced keeps its permissions. Until `commit` nothing has happened to the old file; an error
 * at any step removes what was written. Errors are the platform's.
 */
export class AtomicReplace {
  readonly path: string;
  readonly #disk: Disk;
  readonly #durable: boolean;
  /** Where the new content lies until it has the name. */
  readonly temp: string;
  #file: DiskFile | null;
  #size = 0;
  #done = false;
  #committed = false;
  #leftover: string | null = null;

  /** @param file where the content shall be; its folder must exist. Where it may be a link, `realTarget` of it. */
  constructor(disk: Disk, file: string, options: ReplaceOptions = {}) {
    this.#disk = disk;
    this.path = file;
    this.#durable = options.durable ?? false;
    this.temp = tempPath(file);
    const access = accessOf(disk, file);
    this.#file = disk.openSync(this.temp, 'create', PRIVATE_FILE);
    if (access !== null) this.#orAbort(() => this.#file!.setAccessSync(access));
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#size;
  }

  /** The new content has the name: also after a commit that threw because the folder could not be synced. */
  get committed(): boolean {
    return this.#committed;
  }

  /** A file beside the new one that the disk did not let go of; null, as a rule. */
  get leftover(): string | null {
    return this.#leftover;
  }

  /** Adds bytes to the new content. */
  write(bytes: Uint8Array): void {
    this.#orAbort(() => writeAllSync(this.#writable(), bytes, this.#size, this.temp));
    this.#size += bytes.length;
  }

  /**
   * Gives the new content the name.
   * @param check asked right before; on false, or where it throws, nothing is replaced
   * @returns whether it was replaced
   */
  commit(check: () => boolean = () => true): boolean {
    this.seal();
    if (!this.#orAbort(check)) {
      this.abort();
      return false;
    }
    this.#orAbort(() => this.#takeName());
    this.#finish();
    return true;
  }

  /** As `commit`, but only where there is no such file. @throws EEXIST where there is one */
  commitNew(): void {
    this.seal();
    this.#orAbort(() => this.#takeNewName());
    this.#finish();
  }

  /** Gives up: nothing has happened. Without effect after a commit. */
  abort(): void {
    if (this.#done) return;
    this.#done = true;
    const file = this.#file;
    this.#file = null;
    try {
      file?.closeSync();
    } finally {
      this.#remove(this.temp);
    }
  }

  #writable(): DiskFile {
    if (this.#file === null) throw new SessionStoreError('storage_closed', 'The new content is complete.', { path: this.path });
    return this.#file;
  }

  /** Everything is written: it may be looked at, at `temp`, before it gets the name. May be called again. */
  seal(): void {
    if (this.#file === null && !this.#done) return;
    // A file that is open cannot be renamed on Windows.
    this.#orAbort(() => {
      const file = this.#writable();
      if (this.#durable) file.syncSync();
      this.#file = null;
      file.closeSync();
    });
  }

  #finish(): void {
    this.#done = true;
    this.#committed = true;
    if (this.#durable) this.#disk.syncDirectorySync(path.dirname(this.path));
  }

  #takeName(): void {
    try {
      this.#disk.renameSync(this.temp, this.path);
    } catch (error) {
      // Windows does not replace a file that others hold open; it lets it be moved away.
      if (diskCode(error) !== 'EPERM') throw error;
      this.#moveAside(error);
    }
  }

  #moveAside(reason: unknown): void {
    const backup = backupPath(this.path);
    try {
      this.#disk.renameSync(this.path, backup);
    } catch (error) {
      if (diskCode(error) === null) throw error;
      throw reason;
    }
    try {
      this.#disk.renameSync(this.temp, this.path);
    } catch (error) {
      this.#moveBack(backup);
      throw error;
    }
    this.#remove(backup);
  }

  #takeNewName(): void {
    try {
      this.#disk.linkSync(this.temp, this.path);
    } catch (error) {
      if (!NO_LINKS.includes(diskCode(error) ?? '')) throw error;
      this.#takeReservedName();
      return;
    }
    this.#remove(this.temp);
  }

  /** Without links: an empty file holds the name until the content takes it. */
  #takeReservedName(): void {
    this.#disk.openSync(this.path, 'create', PRIVATE_FILE).closeSync();
    try {
      this.#takeName();
    } catch (error) {
      this.#remove(this.path);
      throw error;
    }
  }

  /** Where not even that works the old content waits under the backup's name: `restoreBackup` finds it. */
  #moveBack(backup: string): void {
    try {
      this.#disk.renameSync(backup, this.path);
    } catch (error) {
      if (diskCode(error) === null) throw error;
      this.#leftover = backup;
    }
  }

  #remove(file: string): void {
    if (!removeIfPossible(this.#disk, file)) this.#leftover = file;
  }

  #orAbort<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      this.#abortAfter(error);
      throw error;
    }
  }

  /** What closing says after another error is not the news. */
  #abortAfter(error: unknown): void {
    try {
      this.abort();
    } catch (second) {
      if (diskCode(second) === null) throw new AggregateError([error, second]);
    }
  }
}

function accessOf(disk: Disk, file: string): DiskAccess | null {
  try {
    return disk.statSync(file);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}
