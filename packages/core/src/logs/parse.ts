import type { Problem } from '../problems.ts';
import { RecordDecoder, type LogRecord } from './records.ts';

export interface LenientResult {
  records: { value: object; line: number; byteOffset: number; byteLength: number }[];
  problems: Problem[];
  /** Bytes up to and including the last LF. */
  committedLength: number;
}

/** Reads JSON Lines and never throws on content. Offsets are bytes, also for a string (as UTF-8). */
export function parseJsonlLenient(src: string | Uint8Array): LenientResult {
  const records: LenientResult['records'] = [];
  const problems: Problem[] = [];
  const decoder = new RecordDecoder({
    record: ({ value, line, byteOffset, byteLength }: LogRecord) => records.push({ value, line, byteOffset, byteLength }),
    problem: (found) => problems.push(found),
  });
  const bytes = typeof src === 'string' ? new TextEncoder().encode(src) : src;
  decoder.push(bytes);
  const committedLength = decoder.committed.offset;
  problems.push(...decoder.settle());
  return { records, problems, committedLength };
}
