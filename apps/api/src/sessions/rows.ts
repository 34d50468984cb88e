import { SessionStoreError, type SessionReader } from '@stemma/core';

/**
 * The row of an entry, by its id or as `@row`. An id of the form `@12` always means the row: an entry that really
 * has such an id is reached by its row.
 *
 * @throws SessionStoreError `entry_not_found`
 */
export function rowOfEntry(reader: SessionReader, ref: string): number {
  const byRow = /^@(\d{1,15})$/.exec(ref);
  const row = byRow === null ? reader.outline.rowOf(ref) : Number(byRow[1]);
  if (row < 0 || row >= reader.outline.rowCount) {
    throw new SessionStoreError('entry_not_found', 'The session has no such entry.', { entryId: ref });
  }
  return row;
}

/** The row of the leaf that was asked for; without one that of the session's own leaf, -1 when it has no entries. */
export function leafRowFor(reader: SessionReader, leaf: string | undefined): number {
  return leaf === undefined ? reader.outline.leafRow : rowOfEntry(reader, leaf);
}

/** The id of a row, null for -1. */
export function idOrNull(reader: SessionReader, row: number): string | null {
  return row < 0 ? null : reader.outline.id(row);
}
