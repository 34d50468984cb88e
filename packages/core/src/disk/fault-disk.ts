import { DiskError, type Disk, type DiskEntry, type DiskFile, type DiskStat, type OpenMode } from './disk.ts';

/** What the disk does at one operation: nothing special, a platform error, or fewer bytes than asked for. */
export type Fault = { error: string } | { short: number } | null;

/** Decides before every operation; `count` numbers the operations from 1. */
export type FaultPlan = (operation: string, path: string, count: number) => Fault;

/** A disk that fails where a plan says so. For tests of everything that must survive a bad disk. */
export class FaultDisk implements Disk {
  readonly #disk: Disk;
  readonly #plan: FaultPlan;
  #count = 0;

  constructor(disk: Disk, plan: FaultPlan) {
    this.#disk = disk;
    this.#plan = plan;
  }

  /** Operations so far. */
  get count(): number {
    return this.#count;
  }

  openSync(path: string, mode: OpenMode, permissions?: number): DiskFile {
    this.#strike('open', path);
    return this.#wrap(this.#disk.openSync(path, mode, permissions), path);
  }

  openNoFollowSync(path: string): DiskFile {
    this.#strike('open', path);
    return this.#wrap(this.#disk.openNoFollowSync(path), path);
  }

  async openNoFollow(path: string): Promise<DiskFile> {
    this.#strike('open', path);
    return this.#wrap(await this.#disk.openNoFollow(path), path);
  }

  statSync(path: string): DiskStat {
    this.#strike('stat', path);
    return this.#disk.statSync(path);
  }

  async stat(path: string): Promise<DiskStat> {
    this.#strike('stat', path);
    return this.#disk.stat(path);
  }

  async lstat(path: string): Promise<DiskStat> {
    this.#strike('lstat', path);
    return this.#disk.lstat(path);
  }

  lstatSync(path: string): DiskStat {
    this.#strike('lstat', path);
    return this.#disk.lstatSync(path);
  }

  realpathSync(path: string): string {
    this.#strike('realpath', path);
    return this.#disk.realpathSync(path);
  }

  async realpath(path: string): Promise<string> {
    this.#strike('realpath', path);
    return this.#disk.realpath(path);
  }

  async readdir(path: string): Promise<DiskEntry[]> {
    this.#strike('readdir', path);
    return this.#disk.readdir(path);
  }

  readdirSync(path: string): DiskEntry[] {
    this.#strike('readdir', path);
    return this.#disk.readdirSync(path);
  }

  mkdirSync(path: string, permissions?: number): void {
    this.#strike('mkdir', path);
    this.#disk.mkdirSync(path, permissions);
  }

  renameSync(from: string, to: string): void {
    this.#strike('rename', from);
    this.#disk.renameSync(from, to);
  }

  linkSync(from: string, to: string): void {
    this.#strike('link', from);
    this.#disk.linkSync(from, to);
  }

  unlinkSync(path: string): void {
    this.#strike('unlink', path);
    this.#disk.unlinkSync(path);
  }

  rmdirSync(path: string): void {
    this.#strike('rmdir', path);
    this.#disk.rmdirSync(path);
  }

  syncDirectorySync(path: string): void {
    this.#strike('fsyncdir', path);
    this.#disk.syncDirectorySync(path);
  }

  /** Throws the planned error, or answers how many bytes may pass. */
  #strike(operation: string, path: string): number {
    this.#count++;
    const fault = this.#plan(operation, path, this.#count);
    if (fault === null) return Number.POSITIVE_INFINITY;
    if ('error' in fault) throw new DiskError(fault.error, operation, path);
    return fault.short;
  }

  #wrap(file: DiskFile, path: string): DiskFile {
    const strike = (operation: string): number => this.#strike(operation, path);
    return {
      async read(buffer, offset, length, position) {
        return file.read(buffer, offset, Math.min(length, strike('read')), position);
      },
      readSync: (buffer, offset, length, position) => file.readSync(buffer, offset, Math.min(length, strike('read')), position),
      writeSync: (buffer, offset, length, position) =>
        file.writeSync(buffer, offset, Math.min(length, strike('write')), position),
      syncSync() {
        strike('fsync');
        file.syncSync();
      },
      truncateSync(size) {
        strike('truncate');
        file.truncateSync(size);
      },
      setAccessSync(access) {
        strike('chmod');
        file.setAccessSync(access);
      },
      setTimeSync(mtimeMs) {
        strike('utimes');
        file.setTimeSync(mtimeMs);
      },
      statSync() {
        strike('fstat');
        return file.statSync();
      },
      closeSync() {
        file.closeSync();
        strike('close');
      },
    };
  }
}
