import type { Disk, DiskEntry, DiskFile, DiskStat, OpenMode } from '../../disk/disk.ts';
import { DecodedStates } from './decoded-states.ts';
import { ZstdAppendFile, ZstdNewFile, ZstdReadFile } from './zstd-files.ts';

/** Logs, and what stands in for one while it is replaced. Copies that are kept of them are stored bytes, and are not meant. */
const LOG = /\.jsonl\.zstd(\.[0-9a-f]{16}\.(tmp|bak))?$/;

/**
 * A disk on which compressed logs are files of their decoded bytes, so that everything that reads and writes sessions works on
 * them. Each write at the end is one frame; a new file gets its first line as a frame of its own, then frames of whole lines.
 * All other files are as they are.
 */
export class ZstdDisk implements Disk {
  /** The disk with the bytes as they are stored. */
  readonly stored: Disk;
  readonly #states: DecodedStates;

  constructor(disk: Disk) {
    this.stored = disk;
    this.#states = new DecodedStates(disk);
  }

  openSync(path: string, mode: OpenMode, permissions?: number): DiskFile {
    if (!LOG.test(path)) return this.stored.openSync(path, mode, permissions);
    switch (mode) {
      case 'create':
        return new ZstdNewFile(this.stored.openSync(path, mode, permissions), path);
      case 'append':
      case 'append-existing': {
        const file = this.stored.openSync(path, mode, permissions);
        return this.#orClose(file, () => new ZstdAppendFile(file, path, this.#states));
      }
      default: {
        const file = this.stored.openSync(path, mode, permissions);
        return this.#orClose(file, () => {
          if (mode === 'readwrite') this.#states.settle(file);
          return new ZstdReadFile(file, path, this.#states);
        });
      }
    }
  }

  openNoFollowSync(path: string): DiskFile {
    const file = this.stored.openNoFollowSync(path);
    return LOG.test(path) ? this.#orClose(file, () => new ZstdReadFile(file, path, this.#states)) : file;
  }

  async openNoFollow(path: string): Promise<DiskFile> {
    const file = await this.stored.openNoFollow(path);
    return LOG.test(path) ? this.#orClose(file, () => new ZstdReadFile(file, path, this.#states)) : file;
  }

  statSync(path: string): DiskStat {
    return this.#decoded(path, this.stored.statSync(path));
  }

  async stat(path: string): Promise<DiskStat> {
    return this.#decoded(path, await this.stored.stat(path));
  }

  lstatSync(path: string): DiskStat {
    return this.#decoded(path, this.stored.lstatSync(path));
  }

  async lstat(path: string): Promise<DiskStat> {
    return this.#decoded(path, await this.stored.lstat(path));
  }

  realpathSync(path: string): string {
    return this.stored.realpathSync(path);
  }

  realpath(path: string): Promise<string> {
    return this.stored.realpath(path);
  }

  readdirSync(path: string): DiskEntry[] {
    return this.stored.readdirSync(path);
  }

  readdir(path: string): Promise<DiskEntry[]> {
    return this.stored.readdir(path);
  }

  mkdirSync(path: string, permissions?: number): void {
    this.stored.mkdirSync(path, permissions);
  }

  renameSync(from: string, to: string): void {
    this.stored.renameSync(from, to);
  }

  linkSync(from: string, to: string): void {
    this.stored.linkSync(from, to);
  }

  unlinkSync(path: string): void {
    this.stored.unlinkSync(path);
  }

  rmdirSync(path: string): void {
    this.stored.rmdirSync(path);
  }

  syncDirectorySync(path: string): void {
    this.stored.syncDirectorySync(path);
  }

  /** The stat of a log with the size of its decoded bytes. */
  #decoded(path: string, stat: DiskStat): DiskStat {
    if (!LOG.test(path) || stat.kind !== 'file') return stat;
    const size = this.#states.current(stat)?.bytes.size;
    return { ...stat, size: size ?? this.#sizeOf(path) };
  }

  #sizeOf(path: string): number {
    const file = this.openSync(path, 'read');
    try {
      return file.statSync().size;
    } finally {
      file.closeSync();
    }
  }

  #orClose(file: DiskFile, make: () => DiskFile): DiskFile {
    try {
      return make();
    } catch (error) {
      file.closeSync();
      throw error;
    }
  }
}
