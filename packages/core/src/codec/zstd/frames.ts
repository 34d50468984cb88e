/**
 * The structure of Zstandard frames, read without decoding them (RFC 8878, section 3.1). A log is such frames, one after another,
 * and nothing else: frames to be skipped and other formats are damage.
 */

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd] as const;
const MAGIC_BYTES = MAGIC.length;
const CHECKSUM_BYTES = 4;
const BLOCK_HEADER_BYTES = 3;
const RESERVED_BITS = 0b0001_1000;
/** A block decodes to no more, whatever the window. */
const MAX_BLOCK_BYTES = 128 * 1024;
/** Longest header: magic, descriptor, window, dictionary id, content size. */
export const MAX_HEADER_BYTES = MAGIC_BYTES + 1 + 1 + 4 + 8;

/** Frames that ask for more memory than this are not decoded, bytes. */
export const MAX_WINDOW_BYTES = 128 * 1024 * 1024;

const RAW_BLOCK = 0;
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;

export interface FrameHeader {
  /** Bytes of the header. */
  length: number;
  windowBytes: number;
  /** Decoded bytes as the frame states them; null where it does not. */
  contentBytes: number | null;
  hasChecksum: boolean;
}

export interface Frame {
  /** Stored bytes. */
  length: number;
  header: FrameHeader;
  /** It decodes to no more bytes than this. */
  mostBytes: number;
}

/** torn: the bytes end before the frame does. bad: this is no frame. */
export type FrameScan = { kind: 'frame'; frame: Frame } | { kind: 'torn' } | { kind: 'bad'; why: string };

const TORN = { kind: 'torn' } as const;

/** Looks at the frame that begins at an offset. */
export function scanFrame(bytes: Uint8Array, at: number): FrameScan {
  const header = scanHeader(bytes, at);
  if ('kind' in header) return header;
  const walk = new BlockWalk(header);
  let from = at + header.length;
  while (!walk.isLast) {
    if (from + BLOCK_HEADER_BYTES > bytes.length) return TORN;
    const step = walk.take(bytes, from);
    if (step === null) return bad('A block of it is of no known type, or too large.');
    from += step;
    if (from > bytes.length) return TORN;
  }
  const end = from + (header.hasChecksum ? CHECKSUM_BYTES : 0);
  return end > bytes.length ? TORN : { kind: 'frame', frame: { length: end - at, header, mostBytes: walk.mostBytes } };
}

/** Asks for bytes by their place, gets those that there are, and answers what was found. For frames that are too large to be held. */
export type FrameSteps = Generator<{ at: number; length: number }, FrameScan, Uint8Array>;

/** As `scanFrame`, reading no more than the headers of its blocks. @param end of all bytes */
export function* scanFrameSteps(start: number, end: number): FrameSteps {
  const header = scanHeader(yield { at: start, length: Math.min(MAX_HEADER_BYTES, end - start) }, 0);
  if ('kind' in header) return header;
  const walk = new BlockWalk(header);
  let from = start + header.length;
  while (!walk.isLast) {
    if (from + BLOCK_HEADER_BYTES > end) return TORN;
    const bytes = yield { at: from, length: BLOCK_HEADER_BYTES };
    if (bytes.length < BLOCK_HEADER_BYTES) return TORN;
    const step = walk.take(bytes, 0);
    if (step === null) return bad('A block of it is of no known type, or too large.');
    from += step;
    if (from > end) return TORN;
  }
  const last = from + (header.hasChecksum ? CHECKSUM_BYTES : 0);
  return last > end ? TORN : { kind: 'frame', frame: { length: last - start, header, mostBytes: walk.mostBytes } };
}

/** Where the next frame may begin; -1 where there is no more magic. */
export function nextMagic(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(MAGIC[0], from); at >= 0; at = bytes.indexOf(MAGIC[0], at + 1)) {
    if (MAGIC.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}

/** Adds up the blocks of a frame. */
class BlockWalk {
  isLast = false;
  mostBytes = 0;
  readonly #blockBytes: number;

  constructor({ windowBytes }: FrameHeader) {
    this.#blockBytes = Math.min(MAX_BLOCK_BYTES, windowBytes);
  }

  /** Bytes of the block whose header is here; null for one that no frame has. */
  take(bytes: Uint8Array, at: number): number | null {
    const head = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
    const type = (head >> 1) & 0b11;
    const size = head >>> 3;
    this.isLast = (head & 1) === 1;
    // No block is larger than this on either side, so that few bytes never stand for very many.
    if (type === RESERVED_BLOCK || size > this.#blockBytes) return null;
    this.mostBytes += type === RAW_BLOCK || type === RLE_BLOCK ? size : this.#blockBytes;
    return BLOCK_HEADER_BYTES + (type === RLE_BLOCK ? 1 : size);
  }
}

/** The header of the frame that begins at an offset, or what is wrong with it. */
export function scanHeader(bytes: Uint8Array, at: number): FrameHeader | Exclude<FrameScan, { kind: 'frame' }> {
  const there = Math.min(MAGIC_BYTES, bytes.length - at);
  for (let i = 0; i < there; i++) if (bytes[at + i] !== MAGIC[i]) return bad('It does not begin as a frame does.');
  if (bytes.length - at <= MAGIC_BYTES) return TORN;
  const descriptor = bytes[at + MAGIC_BYTES]!;
  if ((descriptor & RESERVED_BITS) !== 0) return bad('Its descriptor has bits that must not be set.');
  const isSingle = (descriptor & 0b0010_0000) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 0b11]!;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const length = MAGIC_BYTES + 1 + (isSingle ? 0 : 1) + dictionaryBytes + sizeBytes;
  if (bytes.length - at < length) return TORN;
  const stated = little(bytes, at + length - sizeBytes, sizeBytes);
  const contentBytes = sizeBytes === 0 ? null : stated + (sizeBytes === 2 ? 256 : 0);
  const windowBytes = isSingle ? contentBytes! : windowOf(bytes[at + MAGIC_BYTES + 1]!);
  if (dictionaryBytes > 0 && little(bytes, at + length - sizeBytes - dictionaryBytes, dictionaryBytes) !== 0)
    return bad('It needs a dictionary.');
  return { length, windowBytes, contentBytes, hasChecksum: (descriptor & 0b0100) !== 0 };
}

/** Bytes of the window that a descriptor means. */
function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 0b111);
}

function little(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let i = length - 1; i >= 0; i--) value = value * 256 + bytes[at + i]!;
  return value;
}

function bad(why: string): FrameScan & { kind: 'bad' } {
  return { kind: 'bad', why };
}
