import { dirname } from 'node:path';

import { diskCode, NodeDisk, SessionStoreError } from '@stemma/core';
import Sqlite, { type Database } from 'better-sqlite3';

import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts';

const BUSY_MS = 5_000;
const CACHE_KIB = 16 * 1024;
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

const disk = new NodeDisk();

/**
 * Opens the catalog, and makes it where there is none. One of another version, or a damaged one, is made anew; what is no
 * catalog is refused untouched. @param path its file, in a folder of ours
 * @throws `unsupported` for a file that is not a catalog; `storage_io`
 */
export function openCatalog(path: string): Database {
  try {
    disk.mkdirSync(dirname(path), PRIVATE_FOLDER);
    createEmpty(path);
    return open(path) ?? open(removed(path)) ?? refuse(path);
  } catch (error) {
    const code = diskCode(error);
    if (code === null || error instanceof SessionStoreError) throw error;
    if (code === 'SQLITE_NOTADB') return refuse(path);
    throw new SessionStoreError('storage_io', `The catalog cannot be opened (${code}).`, { path, errno: code }, error);
  }
}

/** The same for those who only ask. The catalog must be there. */
export function openCatalogForReading(path: string): Database {
  const db = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  db.pragma(`cache_size = -${String(CACHE_KIB)}`);
  db.pragma('query_only = 1');
  return db;
}

/** Null for a catalog that has to be made anew. */
function open(path: string): Database | null {
  const db = new Sqlite(path, { timeout: BUSY_MS });
  try {
    const kind = kindOf(db);
    if (kind === 'foreign') refuse(path);
    if (kind === 'old') {
      db.close();
      return null;
    }
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma(`cache_size = -${String(CACHE_KIB)}`);
    if (kind === 'empty') make(db);
    return db;
  } catch (error) {
    db.close();
    if (diskCode(error) === 'SQLITE_CORRUPT') return null;
    throw error;
  }
}

function make(db: Database): void {
  db.transaction(() => {
    db.exec(SCHEMA);
    db.pragma(`application_id = ${String(APPLICATION_ID)}`);
    db.pragma(`user_version = ${String(SCHEMA_VERSION)}`);
  }).immediate();
}

function kindOf(db: Database): 'ours' | 'old' | 'empty' | 'foreign' {
  const id = db.pragma('application_id', { simple: true });
  const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get();
  if (id === APPLICATION_ID) return db.pragma('user_version', { simple: true }) === SCHEMA_VERSION ? 'ours' : 'old';
  return id === 0 && tables === 0 ? 'empty' : 'foreign';
}

/** Removes a catalog with the files beside it. */
function removed(path: string): string {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      disk.unlinkSync(file);
    } catch (error) {
      if (diskCode(error) !== 'ENOENT') throw error;
    }
  }
  createEmpty(path);
  return path;
}

/** A file that is there before SQLite makes it has the rights that we give, and so have the files beside it. */
function createEmpty(path: string): void {
  try {
    disk.openSync(path, 'create', PRIVATE_FILE).closeSync();
  } catch (error) {
    if (diskCode(error) !== 'EEXIST') throw error;
  }
}

function refuse(path: string): never {
  throw new SessionStoreError('unsupported', 'The file is not a catalog of this program.', { path });
}
