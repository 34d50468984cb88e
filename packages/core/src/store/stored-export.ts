import { diskCode, readSpanSync, type Disk, type DiskFile } from '../disk/disk.ts';
import { mendLineFeeds } from '../logs/held-lines.ts';
import { letGo } from './let-go.ts';
import { runAsync } from './steps.ts';
import { storeError } from './store-error.ts';
import { headerLine, joinLines } from './stored-lines.ts';
import { scanFile } from './stored-log.ts';
import type { StoredSpans } from './stored-spans.ts';

/** Records that lie this close together are read at once, up to so many bytes. */
const GAP_BYTES = 64 * 1024;
const MOST_BYTES = 4 * 1024 * 1024;
const LF = 10;

/** See `SessionHandle.log`. A file that is replaced meanwhile is read on as it was. */
export async function* storedLines(disk: Disk, path: string): AsyncGenerator<Uint8Array> {
  try {
    const file = disk.openSync(path, 'read');
    try {
      const { head, spans } = await runAsync(scanFile(file, path));
      yield joinLines([headerLine(head.header)]);
      for (let from = 1; from < spans.count;) {
        const to = groupEnd(spans, from);
        yield joinLines(recordsOf(file, spans, from, to));
        from = to;
      }
    } finally {
      letGo(file);
    }
  } catch (error) {
    throw diskCode(error) === null ? error : storeError(error, path);
  }
}

/** The record after those that are read together with one. */
function groupEnd(spans: StoredSpans, from: number): number {
  const start = spans.offset(from);
  let to = from;
  for (let end = start; to < spans.count && spans.offset(to) - end <= GAP_BYTES; to++) {
    end = spans.offset(to) + spans.length(to);
    if (end - start > MOST_BYTES && to > from) break;
  }
  return to;
}

function recordsOf(file: DiskFile, spans: StoredSpans, from: number, to: number): Uint8Array[] {
  const start = spans.offset(from);
  const last = to - 1;
  const bytes = readSpanSync(file, start, spans.offset(last) + spans.length(last) - start);
  return Array.from({ length: to - from }, (_, i) => {
    const at = spans.offset(from + i) - start;
    const line = bytes.subarray(at, at + spans.length(from + i));
    // A record that raw line feeds break is exported as it is meant.
    return line.includes(LF) ? Buffer.from(mendLineFeeds(Buffer.from(line).toString('utf8'))) : line;
  });
}
