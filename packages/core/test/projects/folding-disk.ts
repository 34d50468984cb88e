import type { Disk, DiskEntry, DiskFile, DiskStat, OpenMode } from '../../src/disk/disk.ts';

/** A disk on which names that differ in case alone are one name, as on Windows; each keeps the case that it was given first. */
export class FoldingDisk implements Disk {
  readonly #disk: Disk;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  openSync(path: string, mode: OpenMode, permissions?: number): DiskFile {
    return this.#disk.openSync(this.#known(path), mode, permissions);
  }

  openNoFollow(path: string): Promise<DiskFile> {
    return this.#disk.openNoFollow(this.#known(path));
  }

  openNoFollowSync(path: string): DiskFile {
    return this.#disk.openNoFollowSync(this.#known(path));
  }

  statSync(path: string): DiskStat {
    return this.#disk.statSync(this.#known(path));
  }

  stat(path: string): Promise<DiskStat> {
    return this.#disk.stat(this.#known(path));
  }

  lstat(path: string): Promise<DiskStat> {
    return this.#disk.lstat(this.#known(path));
  }

  lstatSync(path: string): DiskStat {
    return this.#disk.lstatSync(this.#known(path));
  }

  realpath(path: string): Promise<string> {
    return this.#disk.realpath(this.#known(path));
  }

  realpathSync(path: string): string {
    return this.#disk.realpathSync(this.#known(path));
  }

  readdir(path: string): Promise<DiskEntry[]> {
    return this.#disk.readdir(this.#known(path));
  }

  readdirSync(path: string): DiskEntry[] {
    return this.#disk.readdirSync(this.#known(path));
  }

  mkdirSync(path: string, permissions?: number): void {
    this.#disk.mkdirSync(this.#known(path), permissions);
  }

  renameSync(from: string, to: string): void {
    this.#disk.renameSync(this.#known(from), this.#known(to));
  }

  linkSync(from: string, to: string): void {
    this.#disk.linkSync(this.#known(from), this.#known(to));
  }

  unlinkSync(path: string): void {
    this.#disk.unlinkSync(this.#known(path));
  }

  rmdirSync(path: string): void {
    this.#disk.rmdirSync(this.#known(path));
  }

  syncDirectorySync(path: string): void {
    this.#disk.syncDirectorySync(this.#known(path));
  }

  /** The path in the case in which its parts are there. */
  #known(path: string): string {
    let known = '';
    for (const part of path.split('/').filter((each) => each !== '')) {
      const there = this.#namesIn(known || '/').find((name) => name.toLowerCase() === part.toLowerCase());
      known += `/${there ?? part}`;
    }
    return known;
  }

  #namesIn(folder: string): string[] {
    try {
      return this.#disk.readdirSync(folder).map(({ name }) => name);
    } catch {
      // What is not there has no names.
      return [];
    }
  }
}
