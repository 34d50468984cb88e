import * as fs from 'node:fs';
import * as fsp from 'node:fs/promises';

import {
  diskCode,
  DiskError,
  type Disk,
  type DiskAccess,
  type DiskEntry,
  type DiskFile,
  type DiskKind,
  type DiskStat,
  type OpenMode,
} from './disk.ts';

const { O_APPEND, O_RDONLY, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

const FLAGS: Record<OpenMode, string | number> = {
  // See NO_FOLLOW.
  read: O_RDONLY | (O_NONBLOCK ?? 0),
  append: 'a',
  'append-existing': O_WRONLY | O_APPEND,
  create: 'wx',
  readwrite: 'r+',
};

/**
 * Opens what is a file and no link. Both flags are absent on Windows, where making links takes a privilege and pipes
 * have no paths. Without O_NONBLOCK the opening of a pipe that nobody writes to never ends.
 */
const NO_FOLLOW = O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

type KindTest = Pick<fs.Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

function kindOf(entry: KindTest): DiskKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function toStat(stat: fs.BigIntStats): DiskStat {
  return {
    kind: kindOf(stat),
    size: Number(stat.size),
    mtimeMs: Number(stat.mtimeNs / 1000n) / 1000,
    mtimeNs: stat.mtimeNs,
    dev: stat.dev,
    ino: stat.ino,
    mode: Number(stat.mode) & 0o7777,
    uid: Number(stat.uid),
    gid: Number(stat.gid),
  };
}

function toEntries(entries: fs.Dirent[]): DiskEntry[] {
  return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
}

class NodeFile implements DiskFile {
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number> {
    return new Promise((resolve, reject) => {
      fs.read(this.#fd, buffer, offset, length, position, (error, bytes) => {
        if (error === null) resolve(bytes);
        else reject(error);
      });
    });
  }

  readSync(buffer: Uint8Array, offset: number, length: number, position: number): number {
    return fs.readSync(this.#fd, buffer, offset, length, position);
  }

  writeSync(buffer: Uint8Array, offset: number, length: number, position: number | null): number {
    return fs.writeSync(this.#fd, buffer, offset, length, position);
  }

  syncSync(): void {
    fs.fsyncSync(this.#fd);
  }

  truncateSync(size: number): void {
    fs.ftruncateSync(this.#fd, size);
  }

  setAccessSync({ mode, uid, gid }: DiskAccess): void {
    // First the owner: giving a file away takes permission bits off it.
    const own = this.statSync();
    if (own.uid !== uid || own.gid !== gid) asAllowed(() => fs.fchownSync(this.#fd, uid, gid));
    if (own.mode !== mode) asAllowed(() => fs.fchmodSync(this.#fd, mode));
  }

  setTimeSync(mtimeMs: number): void {
    const seconds = mtimeMs / 1000;
    asAllowed(() => fs.futimesSync(this.#fd, seconds, seconds));
  }

  statSync(): DiskStat {
    return toStat(fs.fstatSync(this.#fd, { bigint: true }));
  }

  closeSync(): void {
    fs.closeSync(this.#fd);
  }
}

/** Only the superuser gives files away, and some file systems have no permissions or times. */
function asAllowed(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'].includes(diskCode(error) ?? '')) throw error;
  }
}

function onlyFile(file: NodeFile, path: string): NodeFile {
  if (file.statSync().kind === 'file') return file;
  file.closeSync();
  throw new DiskError('EINVAL', 'open', path);
}

/** The real file system. */
export class NodeDisk implements Disk {
  openSync(path: string, mode: OpenMode, permissions = 0o666): DiskFile {
    const file = new NodeFile(fs.openSync(path, FLAGS[mode], permissions));
    // Of a pipe there is no end.
    return mode === 'read' && file.statSync().kind === 'other' ? onlyFile(file, path) : file;
  }

  async openNoFollow(path: string): Promise<DiskFile> {
    const file = await new Promise<NodeFile>((resolve, reject) => {
      fs.open(path, NO_FOLLOW, (error, fd) => {
        if (error === null) resolve(new NodeFile(fd));
        else reject(error);
      });
    });
    return onlyFile(file, path);
  }

  openNoFollowSync(path: string): DiskFile {
    return onlyFile(new NodeFile(fs.openSync(path, NO_FOLLOW)), path);
  }

  statSync(path: string): DiskStat {
    return toStat(fs.statSync(path, { bigint: true }));
  }

  /** Called for every file of a folder: by a callback, which takes half the time of Node's promises. */
  stat(path: string): Promise<DiskStat> {
    return new Promise((resolve, reject) => {
      fs.stat(path, { bigint: true }, (error, stat) => {
        if (error === null) resolve(toStat(stat));
        else reject(error);
      });
    });
  }

  async lstat(path: string): Promise<DiskStat> {
    return toStat(await fsp.lstat(path, { bigint: true }));
  }

  lstatSync(path: string): DiskStat {
    return toStat(fs.lstatSync(path, { bigint: true }));
  }

  realpathSync(path: string): string {
    return fs.realpathSync.native(path);
  }

  realpath(path: string): Promise<string> {
    return fsp.realpath(path);
  }

  async readdir(path: string): Promise<DiskEntry[]> {
    return toEntries(await fsp.readdir(path, { withFileTypes: true }));
  }

  readdirSync(path: string): DiskEntry[] {
    return toEntries(fs.readdirSync(path, { withFileTypes: true }));
  }

  mkdirSync(path: string, permissions = 0o777): void {
    fs.mkdirSync(path, { recursive: true, mode: permissions });
  }

  renameSync(from: string, to: string): void {
    fs.renameSync(from, to);
  }

  linkSync(from: string, to: string): void {
    fs.linkSync(from, to);
  }

  unlinkSync(path: string): void {
    fs.unlinkSync(path);
  }

  rmdirSync(path: string): void {
    fs.rmdirSync(path);
  }

  syncDirectorySync(path: string): void {
    let fd: number;
    try {
      fd = fs.openSync(path, 'r');
    } catch (error) {
      // Windows cannot open directories; there a rename needs no such help.
      if (['EISDIR', 'EPERM', 'EACCES'].includes(diskCode(error) ?? '')) return;
      throw error;
    }
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  }
}
