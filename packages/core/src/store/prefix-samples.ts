type Read = (offset: number, length: number) => Promise<Uint8Array>;

const BLOCK = 1024;
const BLOCKS = 48;

/** Small pieces of what has been decoded, kept to tell an appended file from a rewritten one. */
export class PrefixSamples {
  #samples: { at: number; bytes: Uint8Array }[] = [];
  #fingerprint = '';

  /** Differs for files that begin otherwise. */
  get fingerprint(): string {
    return this.#fingerprint;
  }

  /** Reads how the file begins. */
  async begin(read: Read): Promise<void> {
    this.#fingerprint = Buffer.from(await read(0, BLOCK)).toString('base64');
  }

  /** Takes samples spread over the first `length` bytes, the beginning and the end among them. */
  async take(length: number, read: Read): Promise<void> {
    const places = new Set<number>();
    const last = Math.max(0, length - BLOCK);
    for (let i = 0; i < BLOCKS; i++) places.add(Math.floor((last * i) / (BLOCKS - 1)));
    this.#samples = [];
    if (length === 0) return;
    for (const at of places) this.#samples.push({ at, bytes: await read(at, Math.min(BLOCK, length - at)) });
  }

  async match(read: Read): Promise<boolean> {
    for (const { at, bytes } of this.#samples) {
      const now = await read(at, bytes.length);
      if (Buffer.compare(now, bytes) !== 0) return false;
    }
    return true;
  }
}
