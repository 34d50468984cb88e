import type { Outline } from '../outline/outline.ts';

const WORD = Buffer.from('blob:sha256:');
/** So many bytes of it may lie in the piece before. */
const OVERLAP = WORD.length - 1;

/** Finds the entries that may refer to blobs, from the bytes of their file. */
export class BlobMentions {
  /** Where the word ends, in order. */
  readonly #places: number[] = [];
  #at = 0;
  #end = Buffer.alloc(0);

  /** Takes the next bytes of the file. */
  push(bytes: Uint8Array): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const seam = Buffer.concat([this.#end, buffer.subarray(0, OVERLAP)]);
    this.#find(seam, this.#at - this.#end.length);
    this.#find(buffer, this.#at);
    const kept = Buffer.concat([this.#end, buffer.subarray(Math.max(0, buffer.length - OVERLAP))]);
    this.#end = kept.subarray(Math.max(0, kept.length - OVERLAP));
    this.#at += buffer.length;
  }

  /** Rows of entries in which the word stands, in file order. */
  *rows(outline: Outline): Generator<number> {
    let row = 0;
    let last = -1;
    for (const place of this.#places) {
      while (row < outline.rowCount && outline.offset(row) + outline.bytes(row) <= place) row++;
      if (row === outline.rowCount) return;
      if (row === last || outline.offset(row) > place) continue;
      last = row;
      yield row;
    }
  }

  #find(buffer: Buffer, offset: number): void {
    for (let at = buffer.indexOf(WORD); at >= 0; at = buffer.indexOf(WORD, at + WORD.length)) {
      this.#places.push(offset + at + WORD.length);
    }
  }
}
