import type { Codec } from './codec.ts';
import { raw } from './raw.ts';

/** The only list of codecs. */
const CODECS: readonly Codec[] = [raw];

/** The codec for a file by its name, or null when it is no session file that can be read. */
export function codecFor(name: string): Codec | null {
  return CODECS.find((codec) => name.endsWith(codec.suffix)) ?? null;
}

/** Ends of file names that hold sessions in encodings that this version cannot read. */
export const UNREADABLE_SUFFIXES: readonly string[] = ['.jsonl.zstd'];
