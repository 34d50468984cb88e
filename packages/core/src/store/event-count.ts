import { codecFor } from '../codec/registry.ts';
import type { Disk } from '../disk/disk.ts';
import { nodeDecodeUtf8 } from './bodies.ts';
import { storeError } from './store-error.ts';

/** A last line that is longer tells nothing. */
const TAIL_BYTES = 64 * 1024;
const LF = 10;

/**
 * How many events a log of DeepSeek Harness holds, as its last row tells; undefined where it does not. Reads the end of the
 * file only. @throws `session_not_found`, `storage_io`
 */
export async function eventCount(disk: Disk, file: string): Promise<number | undefined> {
  try {
    const open = await disk.openNoFollow(file);
    try {
      const { bytes, whole } = await codecFor(file)!.tail(open, open.statSync().size, TAIL_BYTES);
      return countIn(bytes, whole);
    } finally {
      open.closeSync();
    }
  } catch (error) {
    throw storeError(error, file);
  }
}

/** @param whole the bytes begin with the header */
function countIn(bytes: Uint8Array, whole: boolean): number | undefined {
  let end = bytes.lastIndexOf(LF);
  while (end > 0) {
    const before = bytes.lastIndexOf(LF, end - 1);
    // What stands before the first line feed may be half a line.
    if (before < 0 && !whole) return undefined;
    const row = parsed(nodeDecodeUtf8(bytes, before + 1, end));
    const next = row === null ? undefined : afterRow(row);
    if (next !== undefined) return next;
    if (before < 0) return 0;
    end = before;
  }
  return undefined;
}

/** The number that the event after a row has. */
function afterRow(row: Record<string, unknown>): number | undefined {
  const { seq, seq0, data } = row;
  if (isNumber(seq)) return seq + 1;
  // Several pieces of an answer in one row: times stand between each two of them.
  const gaps: unknown = (data as { dt?: unknown } | undefined | null)?.dt;
  return isNumber(seq0) && Array.isArray(gaps) ? seq0 + gaps.length + 1 : undefined;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
