import type { Database } from 'better-sqlite3';

import { inspect, type HistorySchema } from './schema.ts';

interface Migration {
  name: string;
  isNeeded(schema: HistorySchema): boolean;
  sql(schema: HistorySchema): string;
}

const FEED_INDEX = `
  CREATE TRIGGER history_ai AFTER INSERT ON history BEGIN
    INSERT INTO history_fts(rowid, prompt) VALUES (new.id, new.prompt);
  END;`;

const FILL_INDEX = `INSERT INTO history_fts(history_fts) VALUES ('rebuild');`;

/**
 * `user_version` stays 0 in a database that we make: oh-my-pi then gives it the form that it needs when it opens it. In one of
 * its own (1 and more) it expects that form, with each prompt once.
 */
const createTable = ({ userVersion }: HistorySchema): string => `
  CREATE TABLE history (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    prompt TEXT NOT NULL${userVersion > 0 ? ' UNIQUE' : ''},
    created_at INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER)),
    cwd TEXT,
    session_id TEXT
  );
  CREATE INDEX IF NOT EXISTS idx_history_created_at ON history(created_at DESC);`;

const createIndex = `
  CREATE VIRTUAL TABLE history_fts USING fts5(prompt, content='history', content_rowid='id');
  CREATE TRIGGER IF NOT EXISTS history_ad AFTER DELETE ON history BEGIN
    INSERT INTO history_fts(history_fts, rowid, prompt) VALUES ('delete', old.id, old.prompt);
  END;
  CREATE TRIGGER IF NOT EXISTS history_au AFTER UPDATE OF id, prompt ON history BEGIN
    INSERT INTO history_fts(history_fts, rowid, prompt) VALUES ('delete', old.id, old.prompt);
    INSERT INTO history_fts(rowid, prompt) VALUES (new.id, new.prompt);
  END;
  ${FILL_INDEX}`;

/** In this order, each at most once. None removes a row or a column, and none touches another table. */
const MIGRATIONS: readonly Migration[] = [
  { name: 'create-history', isNeeded: ({ hasTable }) => !hasTable, sql: createTable },
  { name: 'add-cwd', isNeeded: ({ hasCwd }) => !hasCwd, sql: () => `ALTER TABLE history ADD COLUMN cwd TEXT;` },
  {
    name: 'add-session-id',
    isNeeded: ({ hasSession }) => !hasSession,
    sql: () => `ALTER TABLE history ADD COLUMN session_id TEXT;`,
  },
  { name: 'create-index', isNeeded: ({ hasIndex }) => !hasIndex, sql: () => createIndex },
  { name: 'feed-index', isNeeded: ({ indexIsFed }) => !indexIsFed, sql: () => `${FEED_INDEX}${FILL_INDEX}` },
];

/** Gives a database what adding a prompt needs, inside the transaction that adds. Answers what was done, by name. */
export function migrate(db: Database): { schema: HistorySchema; applied: string[] } {
  let schema = inspect(db);
  const applied: string[] = [];
  for (const { name, isNeeded, sql } of MIGRATIONS) {
    if (!isNeeded(schema)) continue;
    db.exec(sql(schema));
    applied.push(name);
    schema = inspect(db);
  }
  return { schema, applied };
}

/** The index holds nothing that is not in the table: a damaged one is made again. */
export const rebuildIndex = (db: Database): unknown => db.exec(FILL_INDEX);
