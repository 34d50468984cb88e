import { dirname } from 'node:path';

import Sqlite, { type Database } from 'better-sqlite3';

import { diskCode, type DiskStat } from '../disk/disk.ts';
import { NodeDisk } from '../disk/node-disk.ts';
import { migrate, rebuildIndex } from './migrations.ts';
import { inspect, type HistorySchema } from './schema.ts';

/** How long a write waits for other processes, in ms. */
const BUSY_MS = 5000;
const PAUSE_MS = 20;

export interface NewPrompt {
  prompt: string;
  /** Seconds since 1970. */
  createdAt: number;
  cwd: string | null;
  sessionId: string | null;
}

/** A question to the database and what it holds. */
export type Question<T> = (db: Database, schema: HistorySchema) => T;

const INSERT = 'INSERT INTO history (prompt, created_at, cwd, session_id) VALUES (@prompt, @createdAt, @cwd, @sessionId)';
const REPEAT =
  'ON CONFLICT(prompt) DO UPDATE SET created_at = excluded.created_at, cwd = excluded.cwd, session_id = excluded.session_id';
const LAST_PROMPT = 'SELECT prompt FROM history ORDER BY id DESC LIMIT 1';

const disk = new NodeDisk();

/** The database opened for writing. It is made, and migrated, by the first write. */
export class HistoryWriter {
  readonly #path: string;
  readonly #db: Database;
  readonly #place: string;
  readonly #onMigration: (names: string[]) => void;

  /** @param onMigration told of what adding needed, by name */
  constructor(path: string, onMigration: (names: string[]) => void) {
    this.#path = path;
    this.#onMigration = onMigration;
    disk.mkdirSync(dirname(path), 0o700);
    createEmpty(path);
    // The timeout is in force before the first statement, which may already have to wait.
    this.#db = new Sqlite(path, { timeout: BUSY_MS });
    this.#place = placeOf(disk.statSync(path));
    try {
      untilFree(() => this.#db.pragma('journal_mode = WAL'));
      this.#db.pragma('synchronous = NORMAL');
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  /** The file is still the one that was opened: others may have replaced it, and what we write into a removed file is lost. */
  isCurrent(): boolean {
    try {
      return placeOf(disk.statSync(this.#path)) === this.#place;
    } catch (error) {
      if (diskCode(error) === 'ENOENT') return false;
      throw error;
    }
  }

  /** All of them or none. They are on disk, as far as a crash of the process goes, when this returns. */
  write(prompts: readonly NewPrompt[]): void {
    try {
      this.#writeOnce(prompts);
    } catch (error) {
      // Ways in which a damaged index shows when a row is added to it. The index can be made again.
      if (!/^SQLITE_(CORRUPT|CONSTRAINT)/.test(diskCode(error) ?? '')) throw error;
      rebuildIndex(this.#db);
      this.#writeOnce(prompts);
    }
  }

  /** Looks anew each time at what there is: oh-my-pi rebuilds the tables when it starts. */
  ask<T>(question: Question<T>): T {
    return question(this.#db, inspect(this.#db));
  }

  close(): void {
    this.#db.close();
  }

  #writeOnce(prompts: readonly NewPrompt[]): void {
    const work = this.#db.transaction((): string[] => {
      const { schema, applied } = migrate(this.#db);
      insert(this.#db, schema, prompts);
      return applied;
    });
    const applied = untilFree(() => work.immediate());
    if (applied.length > 0) this.#onMigration(applied);
  }
}

function insert(db: Database, { unique }: HistorySchema, prompts: readonly NewPrompt[]): void {
  if (unique) {
    const upsert = db.prepare(`${INSERT} ${REPEAT}`);
    for (const prompt of prompts) upsert.run(prompt);
    return;
  }
  const add = db.prepare(INSERT);
  let last = db.prepare<[], string>(LAST_PROMPT).pluck().get();
  for (const prompt of prompts) {
    if (prompt.prompt !== last) add.run(prompt);
    last = prompt.prompt;
  }
}

/** A file that is there before SQLite makes it has the rights that we give, and so have the files beside it. */
function createEmpty(path: string): void {
  try {
    disk.openSync(path, 'create', 0o600).closeSync();
  } catch (error) {
    if (diskCode(error) !== 'EEXIST') throw error;
  }
}

export const placeOf = ({ dev, ino }: DiskStat): string => `${String(dev)}:${String(ino)}`;

/** Changing to WAL, and putting right what a killed process left, answer "busy" without waiting; so we wait. */
function untilFree<T>(work: () => T): T {
  const end = Date.now() + BUSY_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(diskCode(error) ?? '').startsWith('SQLITE_BUSY') || Date.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
