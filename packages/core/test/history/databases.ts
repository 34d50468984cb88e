import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import Sqlite from 'better-sqlite3';
import { afterEach } from 'vitest';

import { HistoryStorage, type HistoryEntry, type HistoryOptions } from '../../src/history/index.ts';

const folders: string[] = [];
const opened: HistoryStorage[] = [];

afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close().catch(() => undefined);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Where a database may lie; its folder is gone after the test. */
export function databasePath(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'stemma-history-')));
  folders.push(folder);
  return path.join(folder, 'history.db');
}

export function openHistory(at: string, options: HistoryOptions = {}): HistoryStorage {
  const storage = HistoryStorage.open(at, options);
  opened.push(storage);
  return storage;
}

export const prompts = (rows: readonly HistoryEntry[]): string[] => rows.map(({ prompt }) => prompt);

/** Runs SQL on the file itself, as another program would. */
export function sql(at: string, statements: string): void {
  const db = new Sqlite(at);
  db.exec(statements);
  db.close();
}

/** What stands in the index makes no sense any more. */
export function damageIndex(at: string): void {
  const db = new Sqlite(at);
  // The tables behind an index are protected otherwise.
  db.unsafeMode();
  db.exec("UPDATE history_fts_data SET block = x'ff00ff00ff00ff'");
  db.close();
}

export function rows(at: string, query: string): unknown[] {
  const db = new Sqlite(at, { readonly: true });
  try {
    return db.prepare(query).all();
  } finally {
    db.close();
  }
}

const FULL_TEXT = `
  CREATE VIRTUAL TABLE history_fts USING fts5(prompt, content='history', content_rowid='id');
  CREATE TRIGGER history_ai AFTER INSERT ON history BEGIN
    INSERT INTO history_fts(rowid, prompt) VALUES (new.id, new.prompt);
  END;`;

const RECENT = 'CREATE INDEX idx_history_created_at ON history(created_at DESC);';

/** Databases as programs leave them, by what is particular to each. */
export const FOREIGN = {
  /** oh-my-pi 18, MusePi: each prompt once. */
  unique: `
    PRAGMA journal_mode = WAL;
    CREATE TABLE history (
      id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL DEFAULT (CAST(strftime('%s','now') AS INTEGER)), cwd TEXT, session_id TEXT);
    ${RECENT} ${FULL_TEXT}
    CREATE TABLE session_titles (session_id TEXT PRIMARY KEY, title TEXT NOT NULL, updated_at INTEGER NOT NULL);
    INSERT INTO session_titles VALUES ('s1', 'Title one', 1);
    PRAGMA user_version = 1;`,
  /** oh-my-pi before sessions were kept with prompts. */
  old: `
    PRAGMA journal_mode = WAL;
    CREATE TABLE history (
      id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL, created_at INTEGER NOT NULL DEFAULT (unixepoch()), cwd TEXT);
    ${RECENT} ${FULL_TEXT}`,
  /** The oldest: no index over the words. */
  plain: `
    CREATE TABLE history (id INTEGER PRIMARY KEY, prompt TEXT NOT NULL, created_at INTEGER NOT NULL);`,
  /** An index that nothing feeds. */
  unfed: `
    CREATE TABLE history (
      id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL, created_at INTEGER NOT NULL, cwd TEXT, session_id TEXT);
    CREATE VIRTUAL TABLE history_fts USING fts5(prompt, content='history', content_rowid='id');`,
  /** Only titles of sessions, which oh-my-pi keeps in the same file. */
  titlesOnly: `
    CREATE TABLE session_titles (session_id TEXT PRIMARY KEY, title TEXT NOT NULL, updated_at INTEGER NOT NULL);
    INSERT INTO session_titles VALUES ('s1', 'Title one', 1);`,
} as const;

export type ForeignKind = keyof typeof FOREIGN;

export const FOREIGN_KINDS = Object.keys(FOREIGN) as ForeignKind[];

/** Kinds in which a prompt can stand more than once. */
export const REPEATING: readonly ForeignKind[] = ['old', 'plain', 'unfed', 'titlesOnly'];

/** A database of that kind with those prompts, one second apart from 1000 on. */
export function foreign(kind: ForeignKind, texts: readonly string[] = []): string {
  const at = databasePath();
  sql(at, FOREIGN[kind]);
  const db = new Sqlite(at);
  texts.forEach((text, n) => {
    db.prepare('INSERT INTO history (prompt, created_at) VALUES (?, ?)').run(text, 1000 + n);
  });
  db.close();
  return at;
}
