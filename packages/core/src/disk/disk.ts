/** The port to a file system. Everything that touches files goes through it; nothing else imports `node:fs`. */

import type { Problem } from '../problems.ts';

export type DiskKind = 'file' | 'directory' | 'link' | 'other';

export interface DiskStat {
  kind: DiskKind;
  /** Bytes. */
  size: number;
  mtimeMs: number;
  mtimeNs: bigint;
  dev: bigint;
  ino: bigint;
  /** Permission bits. */
  mode: number;
  uid: number;
  gid: number;
}

/** Who may use a file, and whose it is. */
export type DiskAccess = Pick<DiskStat, 'mode' | 'uid' | 'gid'>;

export interface DiskEntry {
  name: string;
  kind: DiskKind;
}

/**
 * How a file is opened. read, readwrite: must exist. append: created when absent, writes go to the end.
 * append-existing: the same, but must exist. create: must not exist.
 */
export type OpenMode = 'read' | 'append' | 'append-existing' | 'create' | 'readwrite';

export interface DiskFile {
  /** Bytes at its end, about as many, where its size cannot be had without reading it all. What comes before their first line feed may be missing. */
  lastBytes?(length: number): Uint8Array;
  /** Its bytes are stored in another form: they can be read, added to and replaced, and not changed in place. */
  readonly isEncoded?: boolean;
  /** What is wrong with that form; damage of it costs bytes. */
  readonly encodingProblems?: readonly Problem[];
  /** Reads into `buffer`; answers the bytes read, 0 at the end. */
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  readSync(buffer: Uint8Array, offset: number, length: number, position: number): number;
  /** Writes at `position`, or at the end in append mode (null); answers the bytes written, which may be fewer. */
  writeSync(buffer: Uint8Array, offset: number, length: number, position: number | null): number;
  syncSync(): void;
  truncateSync(size: number): void;
  /** Gives the file the permissions of another and, where that is allowed, its owner. */
  setAccessSync(access: DiskAccess): void;
  /** Gives the file another time of its last change, epoch ms; fractions may be lost. */
  setTimeSync(mtimeMs: number): void;
  statSync(): DiskStat;
  closeSync(): void;
}

/**
 * Errors carry the `code` of the platform (`ENOENT`, `ENOSPC`, …) as Node's do. `openNoFollow` refuses a symbolic
 * link at the last step of the path with `ELOOP`, and what is no file with an error, without waiting for it.
 */
export interface Disk {
  /** @param permissions bits of a file that is created, of which the process's mask takes some away; 0o666 by default. */
  openSync(path: string, mode: OpenMode, permissions?: number): DiskFile;
  openNoFollow(path: string): Promise<DiskFile>;
  openNoFollowSync(path: string): DiskFile;
  statSync(path: string): DiskStat;
  /** Follows links. */
  stat(path: string): Promise<DiskStat>;
  /** Does not follow a link at the last step. */
  lstat(path: string): Promise<DiskStat>;
  lstatSync(path: string): DiskStat;
  realpath(path: string): Promise<string>;
  realpathSync(path: string): string;
  readdir(path: string): Promise<DiskEntry[]>;
  readdirSync(path: string): DiskEntry[];
  /** Makes a folder with those above it; one that is there already is left as it is. @param permissions 0o777 by default. */
  mkdirSync(path: string, permissions?: number): void;
  renameSync(from: string, to: string): void;
  linkSync(from: string, to: string): void;
  unlinkSync(path: string): void;
  rmdirSync(path: string): void;
  /** Makes a rename or a new file in this directory last, where the platform can. */
  syncDirectorySync(path: string): void;
}

/** An error with a platform code, as a real disk throws it. */
export class DiskError extends Error {
  readonly code: string;
  readonly path: string;

  constructor(code: string, operation: string, path: string) {
    super(`${code}: ${operation} '${path}'`);
    this.name = 'DiskError';
    this.code = code;
    this.path = path;
  }
}

/** The platform code of an error, or null when it has none. */
export function diskCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** Reads exactly the bytes `position … position + length`, fewer only where the file ends. */
export async function readSpan(file: DiskFile, position: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  let used = 0;
  while (used < length) {
    const got = await file.read(buffer, used, length - used, position + used);
    if (got === 0) break;
    used += got;
  }
  return used === length ? buffer : buffer.subarray(0, used);
}

/** See `readSpan`. */
export function readSpanSync(file: DiskFile, position: number, length: number): Uint8Array {
  const buffer = new Uint8Array(length);
  let used = 0;
  while (used < length) {
    const got = file.readSync(buffer, used, length - used, position + used);
    if (got === 0) break;
    used += got;
  }
  return used === length ? buffer : buffer.subarray(0, used);
}

/** Writes all of `bytes`, however few the disk takes at once. @param position null in append mode  @param path for the error */
export function writeAllSync(file: DiskFile, bytes: Uint8Array, position: number | null, path: string): void {
  for (let done = 0; done < bytes.length;) {
    const wrote = file.writeSync(bytes, done, bytes.length - done, position === null ? null : position + done);
    if (wrote === 0) throw new DiskError('EIO', 'write', path);
    done += wrote;
  }
}
