import type { RawRecord, SessionEntry } from '../entries/entry.ts';
import { isRecord } from '../entries/read.ts';
import { IdIndex } from '../outline/id-index.ts';

/**
 * Entries from the root to a leaf, by their parents' ids. null where that is not all there is to it: ids that are
 * missing or repeated, and circles.
 * @param leafId absent, empty or unknown: the last entry.
 */
export function entriesTo(entries: readonly SessionEntry[], leafId: string | undefined): RawRecord[] | null {
  const ids = new IdIndex(entries.length);
  for (const entry of entries as readonly unknown[]) {
    const id = isRecord(entry) ? entry['id'] : null;
    if (typeof id !== 'string' || id === '' || !ids.push(id)) return null;
  }
  const path: RawRecord[] = [];
  const known = leafId === undefined ? -1 : ids.rowOf(leafId);
  let row = known >= 0 ? known : entries.length - 1;
  while (row >= 0) {
    if (path.length === entries.length) return null;
    const entry = entries[row] as unknown as RawRecord;
    path.push(entry);
    const parentId = entry['parentId'];
    row = typeof parentId === 'string' ? ids.rowOf(parentId) : -1;
  }
  return path.reverse();
}
