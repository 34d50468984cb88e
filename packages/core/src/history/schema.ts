import type { Database } from 'better-sqlite3';

import { SessionStoreError } from '../errors.ts';

/** What a `history.db` holds, found by looking: others rebuild these tables, so nothing that we noted down would stay true. */
export interface HistorySchema {
  /** 1 in databases that MusePi or oh-my-pi have made or rebuilt. */
  userVersion: number;
  hasTable: boolean;
  hasCwd: boolean;
  hasSession: boolean;
  /** A prompt stands in it once: a repeat moves it to the top. */
  unique: boolean;
  hasIndex: boolean;
  /** A trigger keeps the index in step with new rows. */
  indexIsFed: boolean;
}

const UNIQUE_PROMPT = `
  SELECT 1 FROM pragma_index_list('history') AS list
  WHERE list."unique" = 1 AND list.partial = 0
    AND (SELECT group_concat(name) FROM pragma_index_info(list.name)) = 'prompt'`;

const FEEDING_TRIGGER = `
  SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'history' AND sql LIKE '%AFTER INSERT%history_fts%'`;

const INDEX_TABLE = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'history_fts'`;

/** @throws `unsupported` for a table `history` that is none of these. */
export function inspect(db: Database): HistorySchema {
  const columns = new Set(db.prepare(`SELECT name FROM pragma_table_info('history')`).pluck().all());
  const hasTable = columns.size > 0;
  if (hasTable && !['id', 'prompt', 'created_at'].every((name) => columns.has(name))) {
    throw new SessionStoreError('unsupported', 'The table "history" of this database is not a prompt history.', {
      path: db.name,
    });
  }
  const found = (sql: string): boolean => db.prepare(sql).get() !== undefined;
  return {
    userVersion: Number(db.pragma('user_version', { simple: true })),
    hasTable,
    hasCwd: columns.has('cwd'),
    hasSession: columns.has('session_id'),
    unique: found(UNIQUE_PROMPT),
    hasIndex: found(INDEX_TABLE),
    indexIsFed: found(FEEDING_TRIGGER),
  };
}
