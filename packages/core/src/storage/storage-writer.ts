import { performance } from 'node:perf_hooks';

import type { Disk } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import { AppendFile } from './append-file.ts';
import type { SessionStorageWriter } from './storage.ts';

/** Others may have replaced the file: how long nobody looks. Ms. */
const LOOK_AFTER = 20;

/** Appends lines to a file of a disk; see `SessionStorageWriter`. Follows the file's name where somebody replaces it. */
export class DiskSessionWriter implements SessionStorageWriter {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #durable: boolean;
  readonly #onError: ((error: Error) => void) | undefined;
  #file: AppendFile;
  #looked = 0;
  #error: Error | undefined;
  #open = true;

  /** Opens the file, which is made where it is absent. */
  constructor(disk: Disk, path: string, options: { durable?: boolean; onError?: (error: Error) => void } = {}) {
    this.#disk = disk;
    this.#path = path;
    this.#durable = options.durable ?? false;
    this.#onError = options.onError;
    this.#file = this.#start(true);
  }

  append(line: string): void {
    if (!this.#open) throw new SessionStoreError('storage_closed', 'The writer has been closed.', { path: this.#path });
    if (!line.endsWith('\n')) throw new SessionStoreError('invalid_argument', 'A line ends with a line feed.');
    if (this.#error !== undefined) throw this.#error;
    try {
      this.#follow();
      this.#file.appendText(line);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async flush(): Promise<void> {
    if (this.#error !== undefined) throw this.#error;
  }

  isOpen(): boolean {
    return this.#open;
  }

  async close(): Promise<void> {
    if (this.#open) {
      this.#open = false;
      try {
        this.#file.close();
      } catch (error) {
        this.#fail(error);
      }
    }
    if (this.#error !== undefined) throw this.#error;
  }

  getError(): Error | undefined {
    return this.#error;
  }

  /** A file that has gone meanwhile is not made anew: its lines, the header among them, would be missing. */
  #start(create: boolean): AppendFile {
    const file = new AppendFile(this.#disk, this.#path, { create, durable: this.#durable });
    file.open();
    this.#looked = performance.now();
    return file;
  }

  /** Looks for what others did when that was not done just now, and begins on a line of its own. */
  #follow(): void {
    const now = performance.now();
    if (now - this.#looked > LOOK_AFTER) {
      const change = this.#file.changed();
      this.#looked = now;
      if (change !== 'none' && change !== 'touched') {
        this.#file.close();
        this.#file = this.#start(false);
      }
    }
    if (!this.#file.endsLine) this.#file.appendText('\n');
  }

  /** The first error stays. */
  #fail(error: unknown): Error {
    if (this.#error !== undefined) return this.#error;
    this.#error = error instanceof Error ? error : new Error(String(error));
    this.#onError?.(this.#error);
    return this.#error;
  }
}
