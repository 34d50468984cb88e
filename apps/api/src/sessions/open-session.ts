import type { SessionFile, SessionReader, SessionRoot } from '@stemma/core';
/** Asking the disk more often than this whether a file has grown brings nothing. */
const REFRESH_MS = 250;

/** One open session: its reader, who uses it, and what was computed from its present state. */
export class OpenSession {
  readonly key: string;
  readonly root: SessionRoot;
  /** As the library knew it when the reader last looked at the disk. */
  file: SessionFile;
  readonly reader: SessionReader;
  /** Requests that use it now. */
  users = 0;
  /** Somebody besides the background counter has asked for it. */
  wanted = false;
  /** When somebody last asked (ms, monotonic). */
  askedAt: number;
  /** What decoding it took (ms); 0 until then. */
  decodeMs = 0;
  #refreshedAt: number;
  #refreshing: Promise<void> | null = null;
  #derived = new Map<string, unknown>();
  #derivedFrom = '';

  constructor(root: SessionRoot, file: SessionFile, reader: SessionReader, now: number) {
    this.key = file.key;
    this.root = root;
    this.file = file;
    this.reader = reader;
    this.askedAt = now;
    this.#refreshedAt = now;
  }

  /**
   * Looks whether the file has changed, unless it was looked at a moment ago and nothing is known to have happened
   * since. Only once it is decoded.
   *
   * @param file as the library knows it now.
   */
  async refresh(file: SessionFile, now: number): Promise<void> {
    if (this.#refreshing === null) {
      const isNews = file.fingerprint !== this.file.fingerprint;
      if (!this.reader.complete || (!isNews && now - this.#refreshedAt < REFRESH_MS)) return;
      this.#refreshing = this.#look(file, now).finally(() => (this.#refreshing = null));
    }
    return this.#refreshing;
  }

  /** A result that depends on the session's present state only; computed once for each state. */
  derived<T>(name: string, compute: () => T): T {
    const state = `${this.reader.epoch} ${this.reader.revision}`;
    if (state !== this.#derivedFrom) {
      this.#derived = new Map();
      this.#derivedFrom = state;
    }
    if (!this.#derived.has(name)) {
      if (this.#derived.size >= DERIVED_LIMIT) this.#derived.clear();
      this.#derived.set(name, compute());
    }
    return this.#derived.get(name) as T;
  }

  async #look(file: SessionFile, now: number): Promise<void> {
    await this.reader.refresh();
    this.#refreshedAt = now;
    this.file = file;
  }
}

/** Results held for one state: a few leaves by a few questions. */
const DERIVED_LIMIT = 12;
