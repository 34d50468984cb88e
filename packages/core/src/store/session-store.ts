import type { BlobStore } from '../blobs/blob-store.ts';
import type { FileEntry, SessionHeader } from '../entries/entry.ts';
import type { Problem } from '../problems.ts';
import type { Shapes } from '../shapes/define-shapes.ts';

export type AccessMode = 'read' | 'write';

/** A session by its id, or by where it lies. */
export type SessionRef = string | { path: string };

/** What a store can do. */
export interface StoreTraits {
  /** The synchronous methods work. Otherwise they throw `unsupported`. */
  sync: boolean;
  /** What was written is also safe from a power failure. */
  durable: boolean;
  /** Large contents are kept apart. */
  blobs: boolean;
}

/** A record as it is meant (current version, contents of blobs in place), and as it is stored. */
export interface LogRecord {
  value: FileEntry;
  /** The stored bytes without the line feed. When given to a write, they are written as they are. */
  readonly raw?: Uint8Array | undefined;
}

/** What must still be true when a session is replaced. */
export interface Guard {
  revision: string;
}

export interface SessionStat {
  id: string;
  header: SessionHeader;
  /** Changes with every change of the stored session. */
  revision: string;
  /** Null where counting would mean to read it all. */
  eventCount?: number;
  sizeBytes: number;
  /** Epoch ms. */
  modified: number;
  /** For people and for `open({ path })`; null where it lies in memory. */
  path: string | null;
}

/**
 * Somebody else changed the stored session.
 * appended: `records` follow what was known; none where the problem is all there is to say (half a line, or the session is
 * gone, which `rewriteRequired` tells). replaced: `records` are all that is stored now, without the header;
 * the handle already stands on it, and whoever owns the session appends what is missing.
 */
export interface ForeignChange {
  kind: 'appended' | 'replaced';
  records: LogRecord[];
  problem: Problem;
}

/**
 * One session in a store. Record 0 is the header. A handle for reading never writes. Errors: `storage_io` (what the
 * disk said; nothing half is left), `storage_closed`, `session_conflict`.
 */
export interface SessionHandle {
  readonly header: SessionHeader;
  readonly mode: AccessMode;
  readonly path: string | null;
  /** The session exists in the store: not yet so between `create` and the first write. */
  readonly stored: boolean;
  readonly revision: string;
  /**
   * What is stored and what `read` answers differ (an old version, damage, repeated ids), or the session has gone:
   * the next write must be a `replace`. Appending throws `session_conflict`.
   */
  readonly rewriteRequired: boolean;
  /** What was found while reading. */
  readonly problems: readonly Problem[];
  readonly blobs: BlobStore;
  /** The folder for what belongs to the session; null where there is none. */
  readonly artifactsDir: string | null;
  /** Told of what others did, before the write goes on during which it was seen. */
  onForeign: ((change: ForeignChange) => void) | null;
  /** Told of records that were published into the session, once they are stored. */
  onPublished?: ((records: readonly LogRecord[]) => void) | null;

  /** @param offset of records, 0 by default  @param limit of records, all by default */
  read(offset?: number, limit?: number): Promise<LogRecord[]>;
  readSync(offset?: number, limit?: number): LogRecord[];
  /** On disk when it returns; with several records all of them or none. The first write of a created session writes its header, too. */
  append(records: readonly LogRecord[]): Promise<void>;
  appendSync(records: readonly LogRecord[]): void;
  /**
   * Replaces all records; record 0 may be a new header. Records that were read or written through this handle and
   * whose `value` is the same object are copied byte for byte. Readers see the old or the new session. What is appended
   * through this handle meanwhile is in the new one, too. @throws `session_conflict` when the revision is another.
   */
  replace(records: readonly LogRecord[], guard: Guard): Promise<void>;
  replaceSync(records: readonly LogRecord[], guard: Guard): void;
  /**
   * Compares entries with what is stored of them. Those that were changed in place, so that they are the same objects as
   * before, are written anew by the next `replace`; without this their old bytes would be copied.
   */
  noticeEdits(entries: readonly FileEntry[]): Promise<void>;
  /** Writes the header anew and nothing else: in place where the format has room for its title. */
  updateHeader(header: SessionHeader): Promise<void>;
  /** Looks now whether somebody else has changed the session, and tells `onForeign`. */
  checkSync(): void;
  flush(): Promise<void>;
  flushSync(): void;
  /** Lets go of file and ownership. May be called again. */
  close(): Promise<void>;
  /**
   * The log as it is stored now, in pieces of whole lines: the header with its fields in a fixed order, then every record's
   * stored bytes. References to blobs stay references.
   */
  log(): AsyncIterable<Uint8Array>;
}

export interface CreateOptions {
  /** Where it shall lie, instead of the place that the store would choose. */
  path?: string;
  /** What lies at `path` without being a session is moved beside it by the first write, and kept. */
  displace?: boolean;
}

/** Where sessions are kept. */
export interface SessionStore {
  readonly traits: StoreTraits;
  /** In which form entries are written. */
  readonly shapes: Shapes;
  /** Does no I/O. @throws `session_exists` for an id that is pending in this process; the first write throws it where the id is in the store. */
  create(header: SessionHeader, options?: CreateOptions): SessionHandle;
  /**
   * @throws `session_not_found` (also for an empty file), `session_invalid` for one without a valid header,
   * `session_newer` for writing to a version that we do not know, `session_owned` when somebody has it open for
   * writing, `session_ambiguous` for an id that occurs twice.
   */
  open(ref: SessionRef, mode: AccessMode): Promise<SessionHandle>;
  openSync(ref: SessionRef, mode: AccessMode): SessionHandle;
  stat(id: string): Promise<SessionStat | undefined>;
  /** All sessions, newest first; what could not be read is a problem. */
  list(): Promise<{ sessions: SessionStat[]; problems: Problem[] }>;
  /** Reads the ends of files only. @param cwd only the sessions of this working directory. */
  listSync(cwd?: string): SessionStat[];
  /** Where a session lies, for messages to people. */
  locate(id: string): string | undefined;
  /** For good, with its artifacts. @throws `session_owned` */
  delete(id: string): Promise<void>;
  /** Gives a session another working directory, and the place that goes with it. */
  move?(id: string, cwd: string): Promise<void>;
  /** Live records, written in batches through the handle that is open for writing in this process. @throws `session_not_found` without one. */
  publish(id: string, records: readonly LogRecord[]): void;
}
