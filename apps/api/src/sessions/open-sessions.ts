import { SessionStoreError, type SessionFile, type SessionReader, type SessionRoot } from '@stemma/core';

import { OpenSession } from './open-session.ts';

interface Found {
  root: SessionRoot;
  file: SessionFile;
}

export interface OpenSessionsOptions {
  find: (key: string) => Promise<Found | undefined>;
  open: (root: SessionRoot, file: SessionFile, options: { signal: AbortSignal }) => SessionReader;
  /** Called whenever a session is decoded to its end, and again after it has changed. Must not throw. */
  onDecoded?: (session: OpenSession) => void;
  /** Readers held open, 8 by default. */
  maxSessions?: number;
  /** Rows of all of them together, 600,000 by default; the one asked last may be larger alone. */
  maxRows?: number;
  /** A reader still decoding that nobody asked about for this long is stopped (ms). */
  abandonAfterMs?: number;
}

const SWEEP_MS = 1_000;

/**
 * The readers that are open. Requests for one session share one reader; the least recently asked is closed when
 * there are too many. The background counter borrows here too, so that no session is ever decoded twice at once.
 */
export class OpenSessions {
  readonly #options: OpenSessionsOptions;
  readonly #maxSessions: number;
  readonly #maxRows: number;
  readonly #abandonAfterMs: number;
  /** In order of last use, oldest first. */
  readonly #open = new Map<string, OpenSession>();
  readonly #abort = new AbortController();
  readonly #sweeper: NodeJS.Timeout;
  #foreground = 0;

  constructor(options: OpenSessionsOptions) {
    this.#options = options;
    this.#maxSessions = options.maxSessions ?? 8;
    this.#maxRows = options.maxRows ?? 600_000;
    this.#abandonAfterMs = options.abandonAfterMs ?? 15_000;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  /** Requests of people that run now; background work waits for 0. */
  get foreground(): number {
    return this.#foreground;
  }

  get size(): number {
    return this.#open.size;
  }

  /** What is open under a key, without opening it. */
  peek(key: string): OpenSession | undefined {
    return this.#open.get(key);
  }

  /**
   * Runs `work` with a session that is open and up to date; decoding may still be going on. The reader stays open
   * at least until `work` has ended.
   *
   * @throws SessionStoreError `session_not_found`, or what the store threw.
   */
  async use<T>(key: string, work: (session: OpenSession) => Promise<T>): Promise<T> {
    this.#foreground++;
    try {
      return await this.#with(key, true, work);
    } finally {
      this.#foreground--;
    }
  }

  /** As `use`, for background work: when nobody else has asked meanwhile, the reader is closed afterwards. */
  async borrow<T>(key: string, work: (session: OpenSession) => Promise<T>): Promise<T> {
    return this.#with(key, false, async (session) => {
      try {
        return await work(session);
      } finally {
        if (!session.wanted && session.users === 1) this.#drop(session);
      }
    });
  }

  close(): void {
    clearInterval(this.#sweeper);
    this.#abort.abort();
    for (const session of [...this.#open.values()]) this.#drop(session);
  }

  async #with<T>(key: string, wanted: boolean, work: (session: OpenSession) => Promise<T>): Promise<T> {
    const found = await this.#find(key);
    const session = this.#at(found) ?? this.#openNow(found);
    this.#touch(session, wanted);
    session.users++;
    try {
      await this.#refresh(session, found.file);
      return await work(session);
    } finally {
      session.users--;
      session.askedAt = performance.now();
      this.#evict(session);
    }
  }

  /** What is open of a session, unless another file is its log now. */
  #at({ file }: Found): OpenSession | undefined {
    const open = this.#open.get(file.key);
    if (open === undefined || open.file.path === file.path) return open;
    this.#drop(open);
    return undefined;
  }

  /** A session that has gone from the library is closed here too. */
  async #find(key: string): Promise<Found> {
    const found = await this.#options.find(key);
    if (this.#abort.signal.aborted) throw new SessionStoreError('storage_closed', 'The server is closing.');
    if (found !== undefined) return found;
    const open = this.#open.get(key);
    if (open !== undefined) this.#drop(open);
    throw new SessionStoreError('session_not_found', 'There is no such session.', { key });
  }

  #openNow({ root, file }: Found): OpenSession {
    const reader = this.#options.open(root, file, { signal: this.#abort.signal });
    const openedAt = performance.now();
    const session = new OpenSession(root, file, reader, openedAt);
    this.#open.set(file.key, session);
    reader.ready.then(
      () => {
        session.decodeMs = performance.now() - openedAt;
        this.#options.onDecoded?.(session);
      },
      () => this.#drop(session), // whoever waits for it gets the error; the next one opens it anew
    );
    return session;
  }

  /** Makes it the one asked last. */
  #touch(session: OpenSession, wanted: boolean): void {
    session.wanted ||= wanted;
    session.askedAt = performance.now();
    this.#open.delete(session.key);
    this.#open.set(session.key, session);
  }

  async #refresh(session: OpenSession, file: SessionFile): Promise<void> {
    const before = session.reader.revision;
    try {
      await session.refresh(file, performance.now());
    } catch (error) {
      this.#drop(session);
      throw error;
    }
    if (session.reader.complete && session.reader.revision !== before) this.#options.onDecoded?.(session);
  }

  /** Closes what is too much, least recently asked first; never what is in use or was asked last. */
  #evict(last: OpenSession): void {
    let rows = 0;
    for (const session of this.#open.values()) rows += session.reader.outline.rowCount;
    for (const session of [...this.#open.values()]) {
      if (this.#open.size <= this.#maxSessions && rows <= this.#maxRows) return;
      if (session === last || session.users > 0) continue;
      rows -= session.reader.outline.rowCount;
      this.#drop(session);
    }
  }

  #sweep(): void {
    const now = performance.now();
    for (const session of [...this.#open.values()]) {
      const abandoned = session.users === 0 && !session.reader.complete && now - session.askedAt > this.#abandonAfterMs;
      if (abandoned) this.#drop(session);
    }
  }

  #drop(session: OpenSession): void {
    if (this.#open.get(session.key) === session) this.#open.delete(session.key);
    session.reader.close();
  }
}
