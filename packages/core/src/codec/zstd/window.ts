import { readInto, type Asking } from '../../asking.ts';
import type { DiskFile } from '../../disk/disk.ts';
import { MOST_WINDOW_BYTES, WINDOW_BYTES } from './limits.ts';

/** The stored bytes of a file from a place on, as far as they are looked at together. */
export class StoredWindow {
  readonly #file: DiskFile;
  /** Stored bytes end here. */
  readonly end: number;
  #buffer: Buffer;
  #used = 0;
  /** Where the window begins in the file. */
  #from: number;
  /** Where it is looked at, in the window. */
  #at = 0;
  #atEnd = false;

  constructor(file: DiskFile, from: number, end: number) {
    this.#file = file;
    this.#from = from;
    this.end = end;
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(1, Math.min(WINDOW_BYTES, end - from)));
    this.#atEnd = from >= end;
  }

  /** Where it is looked at, in the file. */
  get place(): number {
    return this.#from + this.#at;
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#used);
  }

  /** Where it is looked at, in `bytes`. */
  get at(): number {
    return this.#at;
  }

  /** All stored bytes from the place on are in the window. */
  get hasAll(): boolean {
    return this.#atEnd;
  }

  /** There is nothing behind the place. */
  get isDone(): boolean {
    return this.#atEnd && this.#at >= this.#used;
  }

  skip(length: number): void {
    this.#at += length;
  }

  /** Goes to a place further on, whether it is in the window or not. */
  moveTo(place: number): void {
    if (place <= this.#from + this.#used) {
      this.#at = place - this.#from;
      return;
    }
    this.#from = place;
    this.#used = 0;
    this.#at = 0;
    this.#atEnd = place >= this.end;
  }

  /** Reads more. False: the window cannot be larger, or there is no more. */
  *more(): Asking<boolean> {
    if (this.#atEnd) return false;
    if (this.#at > 0) {
      this.#buffer.copy(this.#buffer, 0, this.#at, this.#used);
      this.#from += this.#at;
      this.#used -= this.#at;
      this.#at = 0;
    } else if (this.#used === this.#buffer.length && !this.#enlarge()) return false;
    const room = Math.min(this.#buffer.length - this.#used, this.end - this.#from - this.#used);
    const got = room === 0 ? 0 : yield* readInto(this.#file, this.#buffer, this.#used, room, this.#from + this.#used);
    this.#used += got;
    // A file that became shorter ends earlier.
    this.#atEnd = got === 0 || this.#from + this.#used >= this.end;
    return got > 0;
  }

  #enlarge(): boolean {
    if (this.#buffer.length >= MOST_WINDOW_BYTES) return false;
    const larger = Buffer.allocUnsafeSlow(this.#buffer.length * 2);
    this.#buffer.copy(larger, 0, 0, this.#used);
    this.#buffer = larger;
    return true;
  }
}
