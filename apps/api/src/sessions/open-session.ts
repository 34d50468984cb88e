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
  readonly #derived = new Map<string, unknown>();
  /** In order of last use, oldest first. */
  readonly #views = new Map<string, unknown>();
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

  /** A small result that depends on the session's present state only; computed once for each state. */
  derived<T>(name: string, compute: () => T): T {
    this.#forgetOldState();
    if (!this.#derived.has(name)) this.#derived.set(name, compute());
    return this.#derived.get(name) as T;
  }

  /** The same for what is as large as the path to some leaf: only the few asked last are held. */
  view<T>(name: string, compute: () => T): T {
    this.#forgetOldState();
    const view = this.#views.has(name) ? (this.#views.get(name) as T) : compute();
    this.#views.delete(name);
    this.#views.set(name, view);
    const [oldest] = this.#views.keys();
    if (this.#views.size > viewLimit(this.reader.outline.rowCount) && oldest !== undefined) this.#views.delete(oldest);
    return view;
  }

  #forgetOldState(): void {
    const state = `${this.reader.epoch} ${this.reader.revision}`;
    if (state === this.#derivedFrom) return;
    this.#derivedFrom = state;
    this.#derived.clear();
    this.#views.clear();
  }

  async #look(file: SessionFile, now: number): Promise<void> {
    await this.reader.refresh();
    this.#refreshedAt = now;
    this.file = file;
  }
}

/** Rows that the views of one session may span together, about; a view costs some 100 bytes a row. */
const VIEW_ROWS = 300_000;

/** Transcript and context of two leaves are always held, to go to and fro between them. */
function viewLimit(rows: number): number {
  return Math.min(16, Math.max(4, Math.floor(VIEW_ROWS / Math.max(rows, 1))));
}
