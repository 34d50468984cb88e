import * as path from 'node:path';

import { readSpan, type Disk, type DiskFile } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import { AtomicReplace } from './atomic-replace.ts';
import { deleteSessionWithArtifacts } from './delete-session.ts';
import { isAbsent, PRIVATE_FOLDER, realTarget } from './names.ts';
import { DiskSessionWriter } from './storage-writer.ts';
import type { AtomicWriteOptions, SessionStorage, SessionStorageWriter, StorageStat, WriterOptions } from './storage.ts';

export interface StorageOptions {
  /** Every write also survives a power failure. */
  durable?: boolean;
}

/** The operations of a session store over any disk. */
export class DiskSessionStorage implements SessionStorage {
  readonly disk: Disk;
  readonly #durable: boolean;

  constructor(disk: Disk, options: StorageOptions = {}) {
    this.disk = disk;
    this.#durable = options.durable ?? false;
  }

  ensureDirSync(dir: string): void {
    this.disk.mkdirSync(dir, PRIVATE_FOLDER);
  }

  existsSync(file: string): boolean {
    try {
      this.disk.statSync(file);
    } catch (error) {
      if (isAbsent(error)) return false;
      throw error;
    }
    return true;
  }

  writeTextSync(file: string, text: string, expectedSize?: number): void {
    this.#replace(file, text, expectedSize === undefined ? {} : { expectedSize });
  }

  statSync(file: string): StorageStat {
    const { size, mtimeMs } = this.disk.statSync(file);
    return { size, mtimeMs, mtime: new Date(mtimeMs) };
  }

  listFilesSync(dir: string, pattern: string): string[] {
    const fits = matcher(pattern);
    return this.#entries(dir)
      .filter(({ name }) => fits(name))
      .map(({ name, kind }) => ({ file: path.join(dir, name), kind }))
      .filter(({ file, kind }) => kind === 'file' || (kind === 'link' && this.#leadsToFile(file)))
      .map(({ file }) => file)
      .sort();
  }

  async exists(file: string): Promise<boolean> {
    return this.existsSync(file);
  }

  readText(file: string): Promise<string> {
    return this.#reading(file, async (open) => decode(await readSpan(open, 0, open.statSync().size)));
  }

  readTextSlices(file: string, prefixBytes: number, suffixBytes: number): Promise<[prefix: string, suffix: string]> {
    return this.#reading(file, async (open) => {
      const { size } = open.statSync();
      const first = within(prefixBytes, size);
      const last = within(suffixBytes, size);
      return [decode(await readSpan(open, 0, first)), decode(await readSpan(open, size - last, last))];
    });
  }

  async writeText(file: string, text: string): Promise<void> {
    this.#replace(file, text, {});
  }

  async writeTextAtomic(file: string, text: string, options: AtomicWriteOptions = {}): Promise<void> {
    this.#replace(file, text, options);
  }

  async rename(from: string, to: string): Promise<void> {
    this.disk.renameSync(from, to);
  }

  async unlink(file: string): Promise<void> {
    this.disk.unlinkSync(file);
  }

  async deleteSessionWithArtifacts(file: string): Promise<void> {
    deleteSessionWithArtifacts(this.disk, file);
  }

  openWriter(file: string, { flags = 'a', onError }: WriterOptions = {}): SessionStorageWriter {
    if (flags === 'w') this.#replace(file, '', {});
    else this.ensureDirSync(path.dirname(file));
    return new DiskSessionWriter(this.disk, file, { durable: this.#durable, ...(onError && { onError }) });
  }

  #replace(file: string, text: string, { commitGuard, expectedSize }: AtomicWriteOptions): void {
    const target = realTarget(this.disk, file);
    this.ensureDirSync(path.dirname(target));
    const content = new AtomicReplace(this.disk, target, { durable: this.#durable });
    content.write(Buffer.from(text));
    content.commit(() => {
      if (commitGuard?.() === false) return false;
      const size = expectedSize === undefined ? undefined : this.#sizeOf(target);
      if (size === expectedSize) return true;
      throw new SessionStoreError('session_conflict', 'The file has another size than expected.', {
        path: file,
        size,
        expectedSize,
      });
    });
  }

  /** What is not there has no bytes. */
  #sizeOf(file: string): number {
    return this.existsSync(file) ? this.disk.statSync(file).size : 0;
  }

  #entries(dir: string): ReturnType<Disk['readdirSync']> {
    try {
      return this.disk.readdirSync(dir);
    } catch (error) {
      if (isAbsent(error)) return [];
      throw error;
    }
  }

  #leadsToFile(link: string): boolean {
    return this.existsSync(link) && this.disk.statSync(link).kind === 'file';
  }

  async #reading<T>(file: string, work: (open: DiskFile) => Promise<T>): Promise<T> {
    const open = this.disk.openSync(file, 'read');
    try {
      return await work(open);
    } finally {
      open.closeSync();
    }
  }
}

/** `*`, `*.ext` or a name. As in a shell a star stands for no name that begins with a dot: those are ours, and passing. */
function matcher(pattern: string): (name: string) => boolean {
  if (!pattern.startsWith('*')) return (name) => name === pattern;
  const ending = pattern.slice(1);
  return (name) => !name.startsWith('.') && name.endsWith(ending);
}

function within(bytes: number, size: number): number {
  return Math.max(0, Math.min(Math.floor(bytes), size));
}

/** A character that is cut becomes U+FFFD; a byte order mark is a character. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
