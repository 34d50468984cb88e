import type { DiskFile } from '../disk/disk.ts';

/** An open file with several readers: retired at once, closed when the last one is done. */
export class SharedFile {
  readonly #file: DiskFile;
  #users = 0;
  #retired = false;

  constructor(file: DiskFile) {
    this.#file = file;
  }

  async use<T>(work: (file: DiskFile) => Promise<T>): Promise<T> {
    this.#users++;
    try {
      return await work(this.#file);
    } finally {
      this.#users--;
      if (this.#retired && this.#users === 0) this.#file.closeSync();
    }
  }

  /** Must be called once. */
  retire(): void {
    this.#retired = true;
    if (this.#users === 0) this.#file.closeSync();
  }
}
