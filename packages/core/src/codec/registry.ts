import type { Codec } from './codec.ts';
import { raw } from './raw.ts';
import { zstd } from './zstd/zstd.ts';

/** The only list of codecs. */
const CODECS: readonly Codec[] = [raw, zstd];

/** The codec for a file by its name, or null when it is no session file that can be read. */
export function codecFor(name: string): Codec | null {
  return CODECS.find((codec) => name.endsWith(codec.suffix)) ?? null;
}
