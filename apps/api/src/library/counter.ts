import { setTimeout as delay } from 'node:timers/promises';

import type { Indexing } from '../schemas/roots.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import type { OpenSessions } from '../sessions/open-sessions.ts';
import type { Library } from './library.ts';
import type { LibraryEntry } from './session-rows.ts';
import type { Counted } from './summary-row.ts';

/** How often background work looks whether people are waiting. */
const YIELD_MS = 50;
/** The speed shown is that of the last seconds. */
const RATE_WINDOW_MS = 5_000;
/** A session that grows all the time is counted again only after so many times the time that counting took. */
const COOL_DOWN = 20;

/**
 * Counts sessions in the background, newest first, one at a time: opens each through the shared readers, lets the
 * library take the result, and frees it. Requests of people go first.
 */
export class Counter {
  readonly #library: Library;
  readonly #sessions: OpenSessions;
  readonly #count: (session: OpenSession) => Counted;
  readonly #onError: (error: unknown) => void;
  readonly #abort = new AbortController();
  #running: Promise<void> | null = null;
  #current: LibraryEntry | null = null;
  #samples: { at: number; bytes: number }[] = [];
  /** Bytes counted since the start, for the speed. */
  #bytesRead = 0;
  /** Fingerprints that could not be counted; not tried again until the file changes. */
  readonly #failed = new Map<string, string>();

  constructor(
    library: Library,
    sessions: OpenSessions,
    count: (session: OpenSession) => Counted,
    onError: (error: unknown) => void,
  ) {
    this.#library = library;
    this.#sessions = sessions;
    this.#count = count;
    this.#onError = onError;
  }

  /** Starts counting what is not counted, unless it runs. */
  wake(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      this.#current = null;
      this.#samples = [];
    });
  }

  /** Resolves when nothing is left to count (or at close). */
  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  close(): void {
    this.#abort.abort();
  }

  /** Takes the counts of a session that is decoded to its end, whoever opened it. */
  take(session: OpenSession): void {
    const counted = session.derived('counted', () => this.#count(session));
    const countAfter = Date.now() + session.decodeMs * COOL_DOWN;
    this.#library.rows.setCounts(session.key, session.file.fingerprint, counted, countAfter);
  }

  /** How far everything is, files that only the scan has seen included. */
  progress(): Indexing {
    const { pending } = this.#library;
    let done = 0;
    let bytesDone = this.#currentBytes();
    let bytesTotal = pending.bytes;
    for (const entry of this.#library.rows.values()) {
      bytesTotal += entry.file.sizeBytes;
      if (!this.#isDone(entry)) continue;
      done++;
      bytesDone += entry.file.sizeBytes;
    }
    return {
      done,
      total: this.#library.rows.size + pending.files,
      bytesDone: Math.min(bytesTotal, bytesDone),
      bytesTotal,
      rate: this.#rate(),
      running: pending.files > 0 || this.#running !== null,
    };
  }

  /** Counted once is enough to be complete for a reader; a changed file is counted again behind. */
  #isDone(entry: LibraryEntry): boolean {
    return entry.countedAt !== null || this.#failed.get(entry.file.key) === entry.file.fingerprint;
  }

  async #run(): Promise<void> {
    for (let queue = this.#queue(); queue.length > 0; queue = this.#queue()) {
      for (const key of queue) {
        await this.#waitForPeople();
        if (this.#abort.signal.aborted) return;
        await this.#countOne(key);
      }
    }
  }

  /** Keys of what is to be counted now, newest first. */
  #queue(): string[] {
    const now = Date.now();
    const open: LibraryEntry[] = [];
    for (const entry of this.#library.rows.values()) {
      const { file, countedAt, countAfter } = entry;
      const known = countedAt === file.fingerprint || this.#failed.get(file.key) === file.fingerprint;
      if (!known && countAfter <= now) open.push(entry);
    }
    return open.sort((a, b) => b.file.modifiedMs - a.file.modifiedMs).map((entry) => entry.file.key);
  }

  async #countOne(key: string): Promise<void> {
    const entry = this.#library.rows.get(key);
    if (entry === undefined || entry.countedAt === entry.file.fingerprint) return;
    const { fingerprint, sizeBytes } = entry.file;
    this.#current = entry;
    try {
      await this.#sessions.borrow(key, async (session) => {
        await session.reader.ready;
        this.take(session);
      });
      this.#bytesRead += sizeBytes;
    } catch (error) {
      // Gone, unreadable, or the server closes: the row stays without counts, and the scan names what is wrong.
      if (!this.#abort.signal.aborted) this.#onError(error);
    }
    const now = this.#library.rows.get(key);
    if (now !== undefined && now.countedAt !== now.file.fingerprint) this.#failed.set(key, fingerprint);
    this.#current = null;
  }

  async #waitForPeople(): Promise<void> {
    while (this.#sessions.foreground > 0 && !this.#abort.signal.aborted) await delay(YIELD_MS, undefined, { ref: false });
  }

  #currentBytes(): number {
    const current = this.#current;
    if (current === null || this.#isDone(current)) return 0;
    return this.#sessions.peek(current.file.key)?.reader.progress.bytes ?? 0;
  }

  /** Bytes a second over the last seconds; a figure needs two looks at it. */
  #rate(): number | null {
    const now = performance.now();
    const bytes = this.#bytesRead + this.#currentBytes();
    this.#samples = [...this.#samples.filter(({ at }) => now - at < RATE_WINDOW_MS), { at: now, bytes }].slice(-64);
    const first = this.#samples[0]!;
    const seconds = (now - first.at) / 1_000;
    return this.#running === null || seconds < 0.2 ? null : Math.max(0, (bytes - first.bytes) / seconds);
  }
}
