import type { RawRecord, SessionEntry } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import type { EntryTree } from './entry-tree.ts';
import type { SessionWriter } from './session-writer.ts';

/**
 * Adds an entry and stores it. One that can be no line (big integers, circles, what is too deep or too long) is not added:
 * kept, it would keep everything after it from being stored. @throws `invalid_argument` for such, and what the writer throws
 */
export function addStorable(entry: SessionEntry, tree: EntryTree, writer: SessionWriter): void {
  if (!writer.handle.stored) {
    const problem = problemOf(entry);
    if (problem !== null) throw unstorable(problem.error);
  }
  writer.holding(() => {
    tree.add(entry);
    try {
      writer.save();
    } catch (error) {
      const problem = problemOf(entry);
      if (problem === null) throw error;
      tree.takeBack(entry);
      throw unstorable(problem.error);
    }
  });
}

/** @throws `invalid_argument` for a list with something that is no entry */
export function checkEntries(entries: readonly unknown[]): void {
  for (const [at, value] of entries.entries()) {
    const entry = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawRecord) : {};
    if (typeof entry['type'] !== 'string' || entry['type'] === 'session' || typeof entry['id'] !== 'string' || entry['id'] === '')
      throw new SessionStoreError('invalid_argument', 'An entry has a type and an id.', { at });
  }
}

function unstorable(cause: unknown): SessionStoreError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new SessionStoreError('invalid_argument', 'The entry cannot be written as JSON; it was not added.', { reason }, cause);
}

function problemOf(entry: SessionEntry): { error: unknown } | null {
  try {
    JSON.stringify(entry);
    return null;
  } catch (error) {
    // Also what a getter of the caller's throws, whatever that is.
    return { error };
  }
}
