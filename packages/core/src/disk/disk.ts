/** The port to a file system. Everything that touches files goes through it; nothing else imports `node:fs`. */

export type DiskKind = 'file' | 'directory' | 'link' | 'other';

export interface DiskStat {
  kind: DiskKind;
  /** Bytes. */
  size: number;
  mtimeMs: number;
  mtimeNs: bigint;
  dev: bigint;
  ino: bigint;
}

export interface DiskEntry {
  name: string;
  kind: DiskKind;
}

/** How a file is opened. read: must exist. append: created when absent, writes go to the end. create: must not exist. */
export type OpenMode = 'read' | 'append' | 'create' | 'readwrite';

export interface DiskFile {
  /** Reads into `buffer`; answers the bytes read, 0 at the end. */
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  readSync(buffer: Uint8Array, offset: number, length: number, position: number): number;
  /** Writes at `position`, or at the end in append mode (null); answers the bytes written, which may be fewer. */
  writeSync(buffer: Uint8Array, offset: number, length: number, position: number | null): number;
  syncSync(): void;
  truncateSync(size: number): void;
  statSync(): DiskStat;
  closeSync(): void;
}

/**
 * Errors carry the `code` of the platform (`ENOENT`, `ENOSPC`, …) as Node's do. `openNoFollow` refuses a symbolic
 * link at the last step of the path with `ELOOP`, and what is no file with an error, without waiting for it.
 */
export interface Disk {
  openSync(path: string, mode: OpenMode): DiskFile;
  openNoFollow(path: string): Promise<DiskFile>;
  statSync(path: string): DiskStat;
  /** Follows links. */
  stat(path: string): Promise<DiskStat>;
  /** Does not follow a link at the last step. */
  lstat(path: string): Promise<DiskStat>;
  realpath(path: string): Promise<string>;
  readdir(path: string): Promise<DiskEntry[]>;
  readdirSync(path: string): DiskEntry[];
  mkdirSync(path: string): void;
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
