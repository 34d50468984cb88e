import type { BlobStore } from '../blobs/blob-store.ts';
import { MemoryBlobStore } from '../blobs/memory-blob-store.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import type { Problem } from '../problems.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { DEFAULT_SHAPES } from '../shapes/registry.ts';
import { MemoryHandle, type MemoryGround, type MemorySession } from './memory-handle.ts';
import type {
  AccessMode,
  CreateOptions,
  LogRecord,
  SessionHandle,
  SessionRef,
  SessionStat,
  SessionStore,
} from './session-store.ts';
import { entryForms } from './stored-forms.ts';
import { headerLine, headerOf, joinLines } from './stored-lines.ts';

export interface MemoryStoreOptions {
  shapes?: Shapes;
  blobs?: BlobStore;
  /** Epoch ms; dates what is written. */
  now?: () => number;
}

/** Sessions that are gone with the process. They are kept as lines, in the form in which they would be in files. */
export class MemorySessionStore implements SessionStore {
  readonly traits = { sync: true, durable: false, blobs: true };
  readonly shapes: Shapes;
  readonly #sessions = new Map<string, MemorySession>();
  readonly #pending = new Map<string, MemoryHandle>();
  readonly #ground: MemoryGround;

  constructor({ shapes = DEFAULT_SHAPES, blobs = new MemoryBlobStore(), now = Date.now }: MemoryStoreOptions = {}) {
    this.shapes = shapes;
    this.#ground = {
      forms: entryForms(shapes, blobs),
      blobs,
      now,
      session: (id) => this.#sessions.get(id),
      add: (session) => this.#add(session),
      release: (handle) => void (this.#pending.get(handle.header.id) === handle && this.#pending.delete(handle.header.id)),
    };
  }

  create(header: SessionHeader, options: CreateOptions = {}): SessionHandle {
    if (options.path !== undefined) throw new SessionStoreError('unsupported', 'Sessions in memory have no place.');
    const { id } = headerOf([{ value: header }], header.id);
    if (this.#pending.has(id)) throw exists(id);
    const session: MemorySession = { header, lines: [], revision: 0, modified: 0, owner: null };
    const handle = new MemoryHandle(this.#ground, session, 'write');
    session.owner = handle;
    this.#pending.set(id, handle);
    return handle;
  }

  async open(ref: SessionRef, mode: AccessMode): Promise<SessionHandle> {
    return this.openSync(ref, mode);
  }

  openSync(ref: SessionRef, mode: AccessMode): SessionHandle {
    const session = this.#get(ref);
    if (mode === 'write' && session.owner !== null) throw owned(session);
    const handle = new MemoryHandle(this.#ground, session, mode);
    if (mode === 'write') session.owner = handle;
    return handle;
  }

  async stat(id: string): Promise<SessionStat | undefined> {
    const session = this.#sessions.get(id);
    return session === undefined ? undefined : statOf(session);
  }

  async list(): Promise<{ sessions: SessionStat[]; problems: Problem[] }> {
    return { sessions: this.listSync(), problems: [] };
  }

  listSync(cwd?: string): SessionStat[] {
    const all = [...this.#sessions.values()].filter(({ header }) => cwd === undefined || header.cwd === cwd);
    // Of two of the same time the one that was written first later is the newer one.
    return all
      .map(statOf)
      .reverse()
      .sort((a, b) => b.modified - a.modified);
  }

  locate(): undefined {
    return undefined;
  }

  async delete(id: string): Promise<void> {
    const session = this.#get(id);
    if (session.owner !== null) throw owned(session);
    this.#sessions.delete(id);
  }

  async move(id: string, cwd: string): Promise<void> {
    const pending = this.#pending.get(id);
    if (pending !== undefined) return pending.updateHeader({ ...pending.header, cwd });
    const session = this.#get(id);
    session.header = { ...session.header, cwd };
    session.revision++;
  }

  publish(id: string, records: readonly LogRecord[]): void {
    const handle = this.#sessions.get(id)?.owner ?? this.#pending.get(id);
    if (handle === undefined)
      throw new SessionStoreError('session_not_found', 'Nobody has the session open for writing.', { id });
    handle.publish(records);
  }

  /** The log of a session as a file would hold it; undefined when there is none. */
  bytesOf(id: string): Uint8Array | undefined {
    const session = this.#sessions.get(id);
    return session === undefined ? undefined : joinLines([headerLine(session.header), ...session.lines]);
  }

  #get(ref: SessionRef): MemorySession {
    const session = typeof ref === 'string' ? this.#sessions.get(ref) : undefined;
    if (session === undefined) throw new SessionStoreError('session_not_found', 'There is no such session.', { ref });
    return session;
  }

  #add(session: MemorySession): void {
    const { id } = session.header;
    if (this.#sessions.has(id)) throw exists(id);
    this.#sessions.set(id, session);
    this.#pending.delete(id);
  }
}

function exists(id: string): SessionStoreError {
  return new SessionStoreError('session_exists', 'There is a session with this id.', { id });
}

function owned({ header }: MemorySession): SessionStoreError {
  return new SessionStoreError('session_owned', 'The session is open for writing already.', { id: header.id });
}

function statOf(session: MemorySession): SessionStat {
  const { header, lines, revision, modified } = session;
  return {
    id: header.id,
    header,
    revision: String(revision),
    eventCount: lines.length,
    sizeBytes: lines.reduce((sum, line) => sum + line.length + 1, headerLine(header).length + 1),
    modified,
    path: null,
  };
}
