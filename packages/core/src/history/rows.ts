import type { Database } from 'better-sqlite3';

import { containsAll, queryTokens, wordQuery } from './query.ts';
import type { HistorySchema } from './schema.ts';

export interface HistoryEntry {
  id: number;
  prompt: string;
  /** When it was last sent, in seconds since 1970. */
  createdAt: number;
  /** The working directory that it was last sent in. */
  cwd: string | null;
  /** The session that it was last sent to. */
  sessionId: string | null;
}

const NEWEST_FIRST = 'ORDER BY h.created_at DESC, h.id DESC LIMIT ?';

/** `FROM …` follows. A database that was only looked at may lack the younger columns. */
function select({ hasCwd, hasSession }: HistorySchema): string {
  const cwd = hasCwd ? 'h.cwd' : 'NULL';
  const session = hasSession ? 'h.session_id' : 'NULL';
  return `SELECT h.id AS id, h.prompt AS prompt, h.created_at AS createdAt, ${cwd} AS cwd, ${session} AS sessionId`;
}

/** The newest prompts, newest first. */
export function recentRows(db: Database, schema: HistorySchema, limit: number): HistoryEntry[] {
  return db.prepare<[number], HistoryEntry>(`${select(schema)} FROM history h ${NEWEST_FIRST}`).all(limit);
}

/**
 * The newest prompts that hold every word of the query, as a word's beginning by the index, which also knows accents, or anywhere.
 * @param onIndexFailure the index could not be asked; the rest is answered
 */
export function searchRows(
  db: Database,
  schema: HistorySchema,
  query: string,
  limit: number,
  onIndexFailure: (error: unknown) => void,
): HistoryEntry[] {
  const tokens = queryTokens(query);
  if (tokens.length === 0) return [];
  const { condition, parameters } = containsAll(tokens);
  const anywhere = `${select(schema)} FROM history h WHERE ${condition} ${NEWEST_FIRST}`;
  const rows = db.prepare<unknown[], HistoryEntry>(anywhere).all(...parameters, limit);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of byWords(db, schema, tokens, limit, onIndexFailure)) byId.set(row.id, row);
  return [...byId.values()].sort((a, b) => b.createdAt - a.createdAt || b.id - a.id).slice(0, limit);
}

function byWords(
  db: Database,
  schema: HistorySchema,
  tokens: readonly string[],
  limit: number,
  onFailure: (error: unknown) => void,
): HistoryEntry[] {
  if (!schema.hasIndex) return [];
  // With the plus sign rows are walked newest first and looked up among the hits, until there are enough; otherwise all hits are sorted.
  const hits = 'SELECT rowid FROM history_fts WHERE history_fts MATCH ?';
  const sql = `${select(schema)} FROM history h WHERE +h.id IN (${hits}) ${NEWEST_FIRST}`;
  try {
    return db.prepare<[string, number], HistoryEntry>(sql).all(wordQuery(tokens), limit);
  } catch (error) {
    // A damaged index, or more words than it takes.
    onFailure(error);
    return [];
  }
}
