import Sqlite, { type Database } from 'better-sqlite3';

import { diskCode, readSpanSync, type DiskStat } from '../disk/disk.ts';
import { NodeDisk } from '../disk/node-disk.ts';
import { placeOf, type Question } from './connection.ts';
import { inspect, type HistorySchema } from './schema.ts';

/** Larger files are not copied into memory to be looked at. */
const MAX_COPY_BYTES = 64 * 1024 * 1024;

/** A file that changed so short a time ago may change again within the same tick of the file system's clock. */
const FRESH_MS = 2000;

const HEADER_VERSIONS = [18, 19] as const;
const ROLLBACK = 1;

const disk = new NodeDisk();

interface Copy {
  signature: string;
  db: Database;
  schema: HistorySchema;
}

/**
 * The database for looking only: it, and its folder, stay as they are. SQLite leaves files beside a database in WAL mode even when it
 * opens it for reading, so a database that nobody is writing to is read as bytes. Otherwise those files are there already.
 */
export class HistoryView {
  readonly #path: string;
  #copy: Copy | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Null where there is no database, or an empty one. */
  ask<T>(question: Question<T>): T | null {
    const stat = this.#stat('');
    if (stat === null || stat.size === 0) {
      this.close();
      return null;
    }
    const copy = this.#currentCopy(stat);
    if (copy !== null) return question(copy.db, copy.schema);
    const db = new Sqlite(this.#path, { readonly: true, fileMustExist: true, timeout: FRESH_MS });
    try {
      return question(db, inspect(db));
    } finally {
      db.close();
    }
  }

  close(): void {
    this.#copy?.db.close();
    this.#copy = null;
  }

  #currentCopy(stat: DiskStat): Copy | null {
    if (stat.size > MAX_COPY_BYTES || this.#isBeingWritten()) return null;
    const signature = signatureOf(stat);
    if (this.#copy?.signature === signature) return this.#copy;
    this.close();
    const bytes = readAll(this.#path, stat.size);
    const after = this.#stat('');
    if (after === null || signatureOf(after) !== signature || this.#isBeingWritten()) return null;
    // Bytes in memory have no log beside them, so they must not say that they have one.
    for (const place of HEADER_VERSIONS) bytes[place] = ROLLBACK;
    const db = new Sqlite(bytes, { readonly: true });
    try {
      this.#copy = { signature: isFresh(after) ? '' : signature, db, schema: inspect(db) };
    } catch (error) {
      db.close();
      throw error;
    }
    return this.#copy;
  }

  /** A log with something in it: of a program that runs, or of one that was killed. */
  #isBeingWritten(): boolean {
    return ['-wal', '-journal'].some((suffix) => (this.#stat(suffix)?.size ?? 0) > 0);
  }

  #stat(suffix: string): DiskStat | null {
    try {
      return disk.statSync(this.#path + suffix);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(diskCode(error) ?? '')) return null;
      throw error;
    }
  }
}

const signatureOf = (stat: DiskStat): string => `${placeOf(stat)}:${String(stat.size)}:${String(stat.mtimeNs)}`;

const isFresh = ({ mtimeMs }: DiskStat): boolean => Date.now() - mtimeMs < FRESH_MS;

function readAll(path: string, size: number): Buffer {
  const file = disk.openSync(path, 'read');
  try {
    const bytes = readSpanSync(file, 0, size);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } finally {
    file.closeSync();
  }
}
