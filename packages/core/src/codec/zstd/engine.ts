import { createRequire } from 'node:module';
import * as zlib from 'node:zlib';

import { SessionStoreError } from '../../errors.ts';
import { scanFrame } from './frames.ts';

/** Makes and decodes single frames. Both engines answer the same. */
export interface ZstdEngine {
  readonly id: 'node' | 'packages';
  /** One frame, with a checksum of its content and the size of it. */
  compress(bytes: Uint8Array): Uint8Array;
  /**
   * The content of one whole frame; its checksum, where it has one, is checked.
   * @param mostBytes that it can decode to, from `scanFrame`: so much memory may be taken  @throws `FrameError`
   */
  decompress(frame: Uint8Array, mostBytes: number): Uint8Array;
  /** A checksum of content that comes in pieces: the low 32 bits of XXH64. */
  checksum(): { update(bytes: Uint8Array): void; digest(): number };
}

/** A frame that cannot be decoded, or whose content is not what it was made of. */
export class FrameError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FrameError';
  }
}

const LEVEL = 3;
/** Log2 of the largest window that is decoded. */
const WINDOW_LOG = 27;

interface ZstdZlib {
  zstdCompressSync(bytes: Uint8Array, options: object): Buffer;
  zstdDecompressSync(bytes: Uint8Array, options: object): Buffer;
  constants: Record<string, number>;
}

interface NativeZstd {
  Encoder: new (level: number) => { encodeSync(bytes: Buffer): Buffer };
  Decoder: new () => { decodeSync(bytes: Buffer): Buffer };
}

interface NativeHash {
  xxh64(bytes: Uint8Array): bigint;
  Xxh64: new () => { update(bytes: Uint8Array): unknown; digest(): bigint };
}

const require = createRequire(import.meta.url);
let hash: NativeHash | null = null;

/** @throws `unsupported` where there is no build of the package for this computer */
function loaded(name: string): unknown {
  try {
    return require(name);
  } catch (error) {
    const message = `Compressed sessions need Node 22.15 or newer, or the package ${name}, which cannot be loaded here.`;
    throw new SessionStoreError('unsupported', message, {}, error);
  }
}

/** Loaded when it is needed: where Node has zstd that is for few files. */
function hashes(): NativeHash {
  return (hash ??= loaded('@node-rs/xxhash') as NativeHash);
}

function checksum(): ReturnType<ZstdEngine['checksum']> {
  const state = new (hashes().Xxh64)();
  return {
    update: (bytes) => void state.update(bytes),
    digest: () => Number(BigInt.asUintN(32, state.digest())),
  };
}

/** Node's own, from 22.15 on; null where it has none. */
export function nodeEngine(): ZstdEngine | null {
  if (!('zstdCompressSync' in zlib)) return null;
  const { zstdCompressSync, zstdDecompressSync, constants } = zlib as unknown as ZstdZlib;
  const writing = {
    [constants['ZSTD_c_compressionLevel']!]: LEVEL,
    [constants['ZSTD_c_checksumFlag']!]: 1,
    [constants['ZSTD_c_contentSizeFlag']!]: 1,
  };
  const reading = { [constants['ZSTD_d_windowLogMax']!]: WINDOW_LOG };
  return {
    id: 'node',
    compress: (bytes) => zstdCompressSync(bytes, { params: writing, pledgedSrcSize: bytes.length }),
    decompress(frame, mostBytes) {
      // A chunk of the size of what comes out spares copying.
      const chunkSize = Math.min(Math.max(64, mostBytes), 128 * 1024);
      return decoded(() => zstdDecompressSync(frame, { params: reading, maxOutputLength: Math.max(1, mostBytes), chunkSize }));
    },
    checksum,
  };
}

const CHECKSUM_FLAG = 0b0100;
const DESCRIPTOR_AT = 4;

/** Packages, for a Node that has none: they write frames without a checksum, so it is put in here. @throws `unsupported` */
export function packagesEngine(): ZstdEngine {
  const { Encoder, Decoder } = loaded('@toondepauw/node-zstd') as NativeZstd;
  const encoder = new Encoder(LEVEL);
  const decoder = new Decoder();
  return {
    id: 'packages',
    compress(bytes) {
      const frame = encoder.encodeSync(asBuffer(bytes));
      if ((frame[DESCRIPTOR_AT]! & CHECKSUM_FLAG) !== 0) return frame;
      const whole = Buffer.allocUnsafe(frame.length + 4);
      frame.copy(whole);
      whole[DESCRIPTOR_AT] = whole[DESCRIPTOR_AT]! | CHECKSUM_FLAG;
      whole.writeUInt32LE(Number(BigInt.asUintN(32, hashes().xxh64(bytes))), frame.length);
      return whole;
    },
    decompress(frame, mostBytes) {
      const content = decoded(() => decoder.decodeSync(asBuffer(frame)));
      if (content.length > mostBytes) throw new FrameError('The frame decodes to more than its blocks allow.');
      return content;
    },
    checksum,
  };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function decoded(work: () => Uint8Array): Uint8Array {
  try {
    return work();
  } catch (error) {
    // Whatever the decoder has to say: the frame is at fault.
    throw new FrameError('The frame cannot be decoded.', error);
  }
}

let chosen: ZstdEngine | null = null;

/** The engine of this process: Node's where it has one. @throws `unsupported` where there is none */
export function zstdEngine(): ZstdEngine {
  return (chosen ??= nodeEngine() ?? packagesEngine());
}

/** One frame of an append: a checksum and its size are in it. */
export function compressFrame(bytes: Uint8Array): Uint8Array {
  return zstdEngine().compress(bytes);
}

/** The content of bytes that are exactly one frame. @throws `FrameError` */
export function decompressFrame(bytes: Uint8Array): Uint8Array {
  const scan = scanFrame(bytes, 0);
  if (scan.kind !== 'frame' || scan.frame.length !== bytes.length) throw new FrameError('The bytes are not one whole frame.');
  return zstdEngine().decompress(bytes, scan.frame.mostBytes);
}
