import type { DecoderState } from '../logs/session-decoder.ts';

/** A file to decode, and what it was when it was opened: another file at the same path is not decoded. */
export interface DecodeRequest {
  path: string;
  /** Bytes to decode. */
  size: number;
  dev: bigint;
  ino: bigint;
}

export interface DecodeResult {
  state: DecoderState;
  /** State of the codec, for `Codec.open`. */
  bytes: unknown;
  /** Rows answered earlier have other parents now. */
  changed: boolean;
}

export type ToWorker = { id: number; decode: DecodeRequest } | { id: number; cancel: true };

export type FromWorker =
  | { id: number; bytes: number }
  | { id: number; result: DecodeResult }
  /** The file is another one now, or cannot be read: whoever asked finds out why. */
  | { id: number; failed: true };
