import { resolve } from 'node:path';

import { diskCode } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import type { SessionLogger } from '../manager/options.ts';
import { atExit } from './at-exit.ts';
import { HistoryWriter, type NewPrompt, type Question } from './connection.ts';
import { normalisePrompt, rowLimit } from './query.ts';
import { recentRows, searchRows, type HistoryEntry } from './rows.ts';
import { HistoryView } from './view.ts';

export interface HistoryOptions {
  /** Epoch ms. */
  now?: () => number;
  logger?: SessionLogger;
}

/** Prompts wait so long for others to be written with, so that a turn does not wait for the disk. */
const DRAIN_MS = 100;

interface Waiting {
  row: NewPrompt;
  written: () => void;
  failed: (error: SessionStoreError) => void;
}

/**
 * The prompts that a person has sent, in an SQLite file that agents share: `history.db` of MusePi and oh-my-pi, or one of our own.
 * Looking changes nothing on disk; the first `add` makes or migrates what it needs.
 */
export class HistoryStorage {
  readonly #path: string;
  readonly #now: () => number;
  readonly #logger: SessionLogger | undefined;
  readonly #view: HistoryView;
  #writer: HistoryWriter | null = null;
  #queue: Waiting[] = [];
  #timer: NodeJS.Timeout | null = null;
  #forgetExit: (() => void) | null = null;
  #failure: SessionStoreError | null = null;
  #closed = false;

  private constructor(path: string, { now = Date.now, logger }: HistoryOptions) {
    this.#path = path;
    this.#now = now;
    this.#logger = logger;
    this.#view = new HistoryView(path);
  }

  /**
   * The file need not exist. It is looked at now, so that what cannot be read is said now.
   * @throws `storage_io`; `unsupported` for a database that is no prompt history. Without a compiled `better-sqlite3` any call that needs
   * the database fails with `unsupported`: opening, or the first `add` where there is no file.
   */
  static open(path: string, options: HistoryOptions = {}): HistoryStorage {
    const storage = new HistoryStorage(resolve(path), options);
    storage.#ask(() => undefined);
    return storage;
  }

  /**
   * Keeps a prompt; an empty one is ignored. Where a prompt stands in the database once, a repeat gets the new time, directory and
   * session; otherwise it is left out when it repeats the last one. Resolves when it is on disk, about 100 ms later. Rejects with
   * `storage_io` when that failed: the prompt is kept and tried again with the next `add`, `flush`, `close` and at the end of the
   * process. A rejection that nobody waits for is only logged. What still waits is written when the process ends, unless it is killed.
   */
  add(prompt: string, cwd?: string, sessionId?: string): Promise<void> {
    if (this.#closed) return Promise.reject(closedError());
    const text = normalisePrompt(prompt);
    if (text === '') return Promise.resolve();
    const row = { prompt: text, createdAt: Math.floor(this.#now() / 1000), cwd: cwd ?? null, sessionId: sessionId ?? null };
    const result = new Promise<void>((written, failed) => this.#queue.push({ row, written, failed }));
    result.catch(() => undefined);
    this.#timer ??= setTimeout(() => this.#drain(), DRAIN_MS);
    this.#forgetExit ??= atExit(() => this.#drain());
    return result;
  }

  /**
   * The newest prompts that hold every word of the query: at the beginning of a word, inside of one, or in a text without spaces.
   * Small and capital letters are the same. Without a letter or digit in the query: none.
   * @param limit at most 1,000
   * @throws `invalid_query` for a query over 4,000 characters, `storage_io`, `storage_closed`
   */
  search(query: string, limit: number): HistoryEntry[] {
    const rows = rowLimit(limit);
    return this.#rows((db, schema) => searchRows(db, schema, query, rows, (error) => this.#indexFailed(error)));
  }

  /**
   * The newest prompts, newest first.
   * @param limit at most 1,000
   * @throws `storage_io`, `storage_closed`
   */
  getRecent(limit: number): HistoryEntry[] {
    const rows = rowLimit(limit);
    return this.#rows((db, schema) => recentRows(db, schema, rows));
  }

  /** Writes what waits. @throws `storage_io`, `storage_closed` */
  async flush(): Promise<void> {
    if (this.#closed) throw closedError();
    this.#drain();
    if (this.#failure !== null) throw this.#failure;
  }

  /** Writes what waits and lets go of the file. May be called again. @throws `storage_io` when something could not be written */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#drain();
    this.#closed = true;
    this.#forgetExit?.();
    this.#writer?.close();
    this.#view.close();
    if (this.#failure !== null) throw this.#failure;
  }

  #rows(question: Question<HistoryEntry[]>): HistoryEntry[] {
    if (this.#closed) throw closedError();
    // What was just added is found, too.
    if (this.#failure === null) this.#drain();
    return this.#ask((db, schema) => (schema.hasTable ? question(db, schema) : [])) ?? [];
  }

  #ask<T>(question: Question<T>): T | null {
    try {
      return this.#currentWriter()?.ask(question) ?? this.#view.ask(question);
    } catch (error) {
      throw this.#asStoreError(error);
    }
  }

  /** Writes all that waits; what could not be written keeps waiting. */
  #drain(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#queue.length === 0) return;
    const batch = this.#queue;
    try {
      this.#writer = this.#currentWriter() ?? new HistoryWriter(this.#path, (names) => this.#migrated(names));
      this.#writer.write(batch.map(({ row }) => row));
    } catch (error) {
      this.#fail(batch, this.#asStoreError(error));
      return;
    }
    this.#queue = [];
    this.#failure = null;
    this.#forgetExit?.();
    this.#forgetExit = null;
    for (const { written } of batch) written();
  }

  /** The open connection, unless somebody has put another file in its place. */
  #currentWriter(): HistoryWriter | null {
    if (this.#writer === null || this.#writer.isCurrent()) return this.#writer;
    this.#writer.close();
    this.#writer = null;
    return null;
  }

  #fail(batch: readonly Waiting[], error: SessionStoreError): void {
    // Logged once, however often it is tried again.
    if (this.#failure === null) this.#logger?.error(error.message, error.data);
    this.#failure = error;
    for (const { failed } of batch) failed(error);
  }

  #migrated(names: string[]): void {
    this.#logger?.warn('The prompt history was migrated.', { path: this.#path, migrations: names });
  }

  #indexFailed(error: unknown): void {
    this.#logger?.warn('The index of the prompt history could not be asked.', { path: this.#path, cause: String(error) });
  }

  /** What SQLite or the disk said. Anything else that is thrown is the native module that is missing. */
  #asStoreError(error: unknown): SessionStoreError {
    if (error instanceof SessionStoreError) return error;
    const errno = diskCode(error) ?? '';
    const reason = error instanceof Error ? error.message : String(error);
    const data = { path: this.#path, errno };
    if (/^(SQLITE_|E[A-Z0-9]+$)/.test(errno)) {
      return new SessionStoreError('storage_io', `The prompt history cannot be used: ${reason}`, data, error);
    }
    return new SessionStoreError('unsupported', `The prompt history needs better-sqlite3, compiled: ${reason}`, data, error);
  }
}

const closedError = (): SessionStoreError => new SessionStoreError('storage_closed', 'This prompt history is closed.');
