import { DiskError, type Disk, type DiskAccess, type DiskEntry, type DiskFile, type DiskStat, type OpenMode } from './disk.ts';

interface FileNode {
  kind: 'file';
  bytes: Uint8Array;
  size: number;
  mtimeNs: bigint;
  ino: bigint;
  mode: number;
}
interface DirectoryNode {
  kind: 'directory';
  children: Map<string, Node>;
  mtimeNs: bigint;
  ino: bigint;
  mode: number;
}
type Node = FileNode | DirectoryNode;

/** A disk that is gone with the process: for tests, and for the demo. Paths are POSIX. Knows no links. */
export class MemoryDisk implements Disk {
  readonly #root: DirectoryNode = { kind: 'directory', children: new Map(), mtimeNs: 0n, ino: 1n, mode: 0o777 };
  #nextIno = 2n;
  #clock = 0n;
  readonly #now: () => number;

  /** @param now epoch ms; every change gets a later time than the one before. */
  constructor(now: () => number = () => 0) {
    this.#now = now;
  }

  /** Puts a file in place, with its directories. */
  writeFile(path: string, bytes: Uint8Array, mtimeMs?: number): void {
    const parts = split(path);
    const name = parts.pop();
    if (name === undefined) throw new DiskError('EISDIR', 'write', path);
    this.mkdirSync(`/${parts.join('/')}`);
    const node = this.#fileIn(this.#directory(`/${parts.join('/')}`, 'write'), name);
    node.bytes = bytes;
    node.size = bytes.length;
    node.mtimeNs = mtimeMs === undefined ? this.#tick() : BigInt(Math.round(mtimeMs)) * 1_000_000n;
  }

  openSync(path: string, mode: OpenMode, permissions = 0o666): DiskFile {
    const existing = this.#find(path);
    if (existing?.kind === 'directory') throw new DiskError('EISDIR', 'open', path);
    if (mode === 'create' && existing !== undefined) throw new DiskError('EEXIST', 'open', path);
    if (mode !== 'append' && mode !== 'create' && existing === undefined) throw new DiskError('ENOENT', 'open', path);
    const { directory, name } = this.#parent(path, 'open');
    return new MemoryFile(existing ?? this.#fileIn(directory, name, permissions), path, mode, () => this.#tick());
  }

  openNoFollowSync(path: string): DiskFile {
    return this.openSync(path, 'read');
  }

  openNoFollow(path: string): Promise<DiskFile> {
    return settle(() => this.openSync(path, 'read'));
  }

  statSync(path: string): DiskStat {
    const node = this.#find(path);
    if (node === undefined) throw new DiskError('ENOENT', 'stat', path);
    return statOf(node);
  }

  stat(path: string): Promise<DiskStat> {
    return settle(() => this.statSync(path));
  }

  lstat(path: string): Promise<DiskStat> {
    return settle(() => this.statSync(path));
  }

  lstatSync(path: string): DiskStat {
    return this.statSync(path);
  }

  realpath(path: string): Promise<string> {
    return settle(() => this.realpathSync(path));
  }

  realpathSync(path: string): string {
    this.statSync(path);
    return `/${split(path).join('/')}`;
  }

  readdir(path: string): Promise<DiskEntry[]> {
    return settle(() => this.readdirSync(path));
  }

  readdirSync(path: string): DiskEntry[] {
    return [...this.#directory(path, 'scandir').children].map(([name, node]) => ({ name, kind: node.kind }));
  }

  mkdirSync(path: string, permissions = 0o777): void {
    let at = this.#root;
    for (const part of split(path)) {
      let next = at.children.get(part);
      if (next === undefined) {
        next = { kind: 'directory', children: new Map(), mtimeNs: this.#tick(), ino: this.#nextIno++, mode: permissions };
        at.children.set(part, next);
      }
      if (next.kind !== 'directory') throw new DiskError('EEXIST', 'mkdir', path);
      at = next;
    }
  }

  renameSync(from: string, to: string): void {
    const node = this.#find(from);
    if (node === undefined) throw new DiskError('ENOENT', 'rename', from);
    const target = this.#parent(to, 'rename');
    const existing = target.directory.children.get(target.name);
    if (existing?.kind === 'directory') {
      if (node.kind === 'file') throw new DiskError('EISDIR', 'rename', to);
      if (existing.children.size > 0) throw new DiskError('ENOTEMPTY', 'rename', to);
    }
    this.#remove(from);
    target.directory.children.set(target.name, node);
  }

  linkSync(from: string, to: string): void {
    const node = this.#find(from);
    if (node?.kind !== 'file') throw new DiskError('ENOENT', 'link', from);
    const target = this.#parent(to, 'link');
    if (target.directory.children.has(target.name)) throw new DiskError('EEXIST', 'link', to);
    target.directory.children.set(target.name, node);
  }

  unlinkSync(path: string): void {
    const node = this.#find(path);
    if (node === undefined) throw new DiskError('ENOENT', 'unlink', path);
    if (node.kind !== 'file') throw new DiskError('EISDIR', 'unlink', path);
    this.#remove(path);
  }

  rmdirSync(path: string): void {
    if (this.#directory(path, 'rmdir').children.size > 0) throw new DiskError('ENOTEMPTY', 'rmdir', path);
    this.#remove(path);
  }

  syncDirectorySync(path: string): void {
    this.#directory(path, 'fsync');
  }

  #tick(): bigint {
    const now = BigInt(Math.round(this.#now())) * 1_000_000n;
    this.#clock = now > this.#clock ? now : this.#clock + 1n;
    return this.#clock;
  }

  #find(path: string): Node | undefined {
    let at: Node | undefined = this.#root;
    for (const part of split(path)) at = at?.kind === 'directory' ? at.children.get(part) : undefined;
    return at;
  }

  #directory(path: string, operation: string): DirectoryNode {
    const node = this.#find(path);
    if (node === undefined) throw new DiskError('ENOENT', operation, path);
    if (node.kind !== 'directory') throw new DiskError('ENOTDIR', operation, path);
    return node;
  }

  #parent(path: string, operation: string): { directory: DirectoryNode; name: string } {
    const parts = split(path);
    const name = parts.pop();
    if (name === undefined) throw new DiskError('EISDIR', operation, path);
    return { directory: this.#directory(`/${parts.join('/')}`, operation), name };
  }

  #fileIn(directory: DirectoryNode, name: string, mode = 0o666): FileNode {
    const existing = directory.children.get(name);
    if (existing?.kind === 'file') return existing;
    if (existing !== undefined) throw new DiskError('EISDIR', 'open', name);
    const ino = this.#nextIno++;
    const node: FileNode = { kind: 'file', bytes: new Uint8Array(0), size: 0, mtimeNs: this.#tick(), ino, mode };
    directory.children.set(name, node);
    return node;
  }

  #remove(path: string): void {
    const { directory, name } = this.#parent(path, 'unlink');
    directory.children.delete(name);
  }
}

class MemoryFile implements DiskFile {
  readonly #node: FileNode;
  readonly #path: string;
  readonly #mode: OpenMode;
  readonly #tick: () => bigint;
  #open = true;

  constructor(node: FileNode, path: string, mode: OpenMode, tick: () => bigint) {
    this.#node = node;
    this.#path = path;
    this.#mode = mode;
    this.#tick = tick;
  }

  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number> {
    return settle(() => this.readSync(buffer, offset, length, position));
  }

  readSync(buffer: Uint8Array, offset: number, length: number, position: number): number {
    this.#check('read');
    if (isAppend(this.#mode)) throw new DiskError('EBADF', 'read', this.#path);
    const end = Math.min(position + length, this.#node.size);
    if (end <= position) return 0;
    buffer.set(this.#node.bytes.subarray(position, end), offset);
    return end - position;
  }

  writeSync(buffer: Uint8Array, offset: number, length: number, position: number | null): number {
    this.#check('write');
    if (this.#mode === 'read') throw new DiskError('EBADF', 'write', this.#path);
    const node = this.#node;
    const at = isAppend(this.#mode) || position === null ? node.size : position;
    const size = Math.max(node.size, at + length);
    if (size > node.bytes.length) {
      const grown = new Uint8Array(Math.max(size, node.bytes.length * 2, 1024));
      grown.set(node.bytes.subarray(0, node.size));
      node.bytes = grown;
    }
    node.bytes.set(buffer.subarray(offset, offset + length), at);
    node.size = size;
    node.mtimeNs = this.#tick();
    return length;
  }

  syncSync(): void {
    this.#check('fsync');
  }

  truncateSync(size: number): void {
    this.#check('ftruncate');
    const bytes = new Uint8Array(size);
    bytes.set(this.#node.bytes.subarray(0, Math.min(size, this.#node.size)));
    this.#node.bytes = bytes;
    this.#node.size = size;
    this.#node.mtimeNs = this.#tick();
  }

  setAccessSync({ mode }: DiskAccess): void {
    this.#check('fchmod');
    this.#node.mode = mode;
  }

  setTimeSync(mtimeMs: number): void {
    this.#check('futime');
    this.#node.mtimeNs = BigInt(Math.round(mtimeMs * 1000)) * 1000n;
  }

  statSync(): DiskStat {
    this.#check('fstat');
    return statOf(this.#node);
  }

  closeSync(): void {
    this.#check('close');
    this.#open = false;
  }

  #check(operation: string): void {
    if (!this.#open) throw new DiskError('EBADF', operation, this.#path);
  }
}

function isAppend(mode: OpenMode): boolean {
  return mode === 'append' || mode === 'append-existing';
}

function split(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}

function statOf(node: Node): DiskStat {
  const size = node.kind === 'file' ? node.size : 0;
  const { kind, mtimeNs, ino, mode } = node;
  return { kind, size, mtimeMs: Number(mtimeNs) / 1e6, mtimeNs, dev: 0n, ino, mode, uid: 0, gid: 0 };
}

/** A promise that rejects where `work` throws. */
async function settle<T>(work: () => T): Promise<T> {
  await Promise.resolve();
  return work();
}
