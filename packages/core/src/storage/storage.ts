import type { Disk } from '../disk/disk.ts';

export interface StorageStat {
  /** Bytes. */
  size: number;
  mtimeMs: number;
  mtime: Date;
}

export interface WriterOptions {
  /** `a` (the default) appends and creates what is absent, `w` empties the file first. */
  flags?: 'a' | 'w';
  /** Told once, of the first error. */
  onError?: (error: Error) => void;
}

export interface AtomicWriteOptions {
  /** Asked right before the file is replaced; on false nothing is replaced, and the call resolves. */
  commitGuard?: () => boolean;
  /** Bytes that the file to be replaced must have; `session_conflict` where it has others. */
  expectedSize?: number;
}

/**
 * The file operations of a session store (seed 000). Errors carry the platform's `code` (`ENOENT`, `ENOSPC`, …).
 * Texts are UTF-8.
 */
export interface SessionStorage {
  /** Where it all lies: the stores work on its bytes. */
  readonly disk: Disk;
  /** Makes the folder and those above it. */
  ensureDirSync(dir: string): void;
  existsSync(path: string): boolean;
  /** Replaces the whole content by a new file under the same name; makes the folder. @throws `session_conflict` where the size is another than expected. */
  writeTextSync(path: string, text: string, expectedSize?: number): void;
  /** @throws ENOENT */
  statSync(path: string): StorageStat;
  /** Full paths of files directly inside; `*`, `*.ext` or an exact name. A missing folder has none. */
  listFilesSync(dir: string, pattern: string): string[];
  /** Rethrows every error but ENOENT and ENOTDIR. */
  exists(path: string): Promise<boolean>;
  readText(path: string): Promise<string>;
  /** The first and the last bytes, as texts; a character that is cut becomes U+FFFD. The two may overlap. 0 or less: empty. */
  readTextSlices(path: string, prefixBytes: number, suffixBytes: number): Promise<[prefix: string, suffix: string]>;
  writeText(path: string, text: string): Promise<void>;
  /** Readers see the old file or the new one, never a part. */
  writeTextAtomic(path: string, text: string, options?: AtomicWriteOptions): Promise<void>;
  /** Replaces what is at the destination. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Removes a session file, backups of it that replacing left, and the folder of its artifacts. */
  deleteSessionWithArtifacts(path: string): Promise<void>;
  openWriter(path: string, options?: WriterOptions): SessionStorageWriter;
}

/** An open file that lines are appended to. The first error stays: later calls throw it again. */
export interface SessionStorageWriter {
  /** Writes one line, which must end with a line feed. It is on disk, as far as a crash of the process goes, when this returns. */
  append(line: string): void;
  flush(): Promise<void>;
  isOpen(): boolean;
  /** May be called again; rejects with the first error. */
  close(): Promise<void>;
  getError(): Error | undefined;
}
