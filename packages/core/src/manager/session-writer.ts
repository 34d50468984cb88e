import { CURRENT_SESSION_VERSION, type SessionEntry, type SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import type { Problem } from '../problems.ts';
import type { ForeignChange, LogRecord, SessionHandle } from '../store/session-store.ts';
import { adoptReplaced, adoptTitles, withOwnIds } from './adopt.ts';
import type { EntryTree } from './entry-tree.ts';
import { HeldProblems } from './held-problems.ts';
import type { SessionLogger } from './options.ts';
import { isConflict, isUnwritable } from './write-errors.ts';

/** A rewrite that others get in the way of is tried so many times. */
const ATTEMPTS = 16;
/** Of these, so many let the process do other things meanwhile. */
const PATIENT_ATTEMPTS = 4;

export interface WriterNotices {
  logger?: SessionLogger | undefined;
  /** Told of every problem that comes up after opening. */
  onProblem?: ((problem: Problem) => void) | undefined;
  /** Told once, when the session first exists in the store. */
  onStored?: (() => void) | undefined;
}

/**
 * Brings the entries of a tree into the store, through one handle. Nothing is written before the session has an answer.
 * What could not be written stays in memory; every later write, flush and close tries again. Entries of others are put
 * into the tree before ours that are not stored yet, so that memory and store have the same order.
 */
export class SessionWriter {
  readonly #handle: SessionHandle;
  readonly #tree: EntryTree;
  readonly #notices: WriterNotices;
  readonly #found: Problem[] = [];
  readonly #held: HeldProblems;
  #header: SessionHeader;
  /** So many entries of the tree are in the store. */
  #saved: number;
  /** What is stored differs from the tree in more than what is missing at its end. */
  #diverged = false;
  /** The session is to be stored even though nobody has answered yet. */
  #forced: boolean;
  /** The header was changed and is not stored yet. */
  #headerWaits = false;
  /** A rewrite is on its way: appends go on meanwhile. */
  #rewriting = false;
  /** Rewrites that were asked for, and which of them is on its way: what one writes was collected when it began. */
  #asked = 0;
  #underway = 0;
  /** Something was stored through the handle. */
  #wrote = false;
  #failure: SessionStoreError | null = null;
  #closed = false;
  #queue: Promise<void> = Promise.resolve();
  /** In the queue. */
  #works = 0;

  /** @param saved entries of the tree that were read through the handle */
  constructor(handle: SessionHandle, tree: EntryTree, header: SessionHeader, saved: number, notices: WriterNotices) {
    this.#handle = handle;
    this.#tree = tree;
    this.#header = header;
    this.#saved = saved;
    this.#notices = notices;
    this.#held = new HeldProblems(notices.onProblem, notices.logger);
    this.#forced = handle.stored;
    handle.onForeign = (change) => this.#adopt(change);
    handle.onPublished = (records) => this.#insert(records.map(({ value }) => value as SessionEntry));
  }

  get header(): SessionHeader {
    return this.#header;
  }

  get handle(): SessionHandle {
    return this.#handle;
  }

  get problems(): Problem[] {
    return [...this.#handle.problems, ...this.#found];
  }

  /** @throws `storage_closed` */
  checkOpen(): void {
    if (this.#closed) throw new SessionStoreError('storage_closed', 'The session is closed.', this.#place);
  }

  /** Stores the session now, if it is not stored: header and entries, whether somebody has answered or not. */
  materialise(): void {
    this.#forced = true;
    if (!this.#handle.stored) this.save();
  }

  /** Writes what is missing, once the session has an answer. On disk when it returns. @throws `storage_io`, others of the handle */
  save(): void {
    this.checkOpen();
    if (!this.#due) return;
    try {
      this.holding(() => this.#write());
    } catch (error) {
      // What cannot be made a line is no fault of the store, and trying again helps nobody.
      throw isUnwritable(error) ? error : this.#latch(error);
    }
    this.#failure = null;
  }

  /**
   * Stores all of the tree anew, with other entries where some are given; entries that were changed in place are found out.
   * Appends may go on meanwhile. A session without an answer stays in memory.
   */
  async rewrite(entries?: readonly SessionEntry[]): Promise<void> {
    this.checkOpen();
    if (entries !== undefined) this.#tree.replaceAll([...entries]);
    this.#asked++;
    this.#diverged = true;
    await this.#next(async () => {
      this.checkOpen();
      if (this.#handle.stored) await this.#guarded(() => this.#handle.noticeEdits(this.#tree.entries));
      this.#diverged = true;
      await this.#rewrite();
    });
  }

  /**
   * Gives the session another header, unless it is null, and appends what says so. The header follows the entry, also where
   * that could not be stored.
   */
  async setHeader(header: SessionHeader | null, append: () => void): Promise<void> {
    if (header !== null) {
      this.#header = header;
      this.#headerWaits = true;
    }
    try {
      append();
    } finally {
      if (header !== null) await this.#next(() => this.#writeHeader());
    }
  }

  /**
   * Lets the store give the session another working directory. Everything is stored before; when the move fails, the session
   * goes on where it was.
   */
  move(cwd: string, inStore: () => Promise<void>): Promise<void> {
    return this.#next(async () => {
      this.checkOpen();
      this.#catchUp();
      await inStore();
      const { previousSessionFiles } = this.#handle.header;
      this.#header = { ...this.#header, cwd, ...(previousSessionFiles === undefined ? {} : { previousSessionFiles }) };
    });
  }

  flush(): Promise<void> {
    return this.#next(async () => {
      this.checkOpen();
      this.#lookAndCatchUp();
      if (this.#handle.stored) await this.#guarded(() => this.#handle.flush());
    });
  }

  /** For ways out that cannot wait. Rewrites nothing that is current. */
  flushSync(): void {
    this.checkOpen();
    try {
      // A rewrite that is on its way comes too late for whoever calls this.
      this.holding(() => {
        if (this.#rewriting && this.#diverged) this.#write(true);
        else this.#lookAndCatchUp();
        if (this.#handle.stored) this.#handle.flushSync();
      });
    } catch (error) {
      throw this.#latch(error);
    }
  }

  /** Writes what is missing and lets go. The session is closed in any case; throws the first error that kept something from being stored. */
  close(): Promise<void> {
    return this.#next(async () => {
      if (this.#closed) return;
      const errors: unknown[] = [];
      try {
        this.#lookAndCatchUp();
      } catch (error) {
        errors.push(error);
      }
      this.#closed = true;
      await this.#guarded(() => this.#handle.close()).catch((error: unknown) => errors.push(error));
      if (errors.length > 0) throw errors[0];
    });
  }

  /** Lets go without writing more than what is on its way; at once where nothing is. */
  abandon(): Promise<void> {
    const leave = (): Promise<void> => {
      this.#closed = true;
      return this.#handle.close();
    };
    return this.#works === 0 ? leave() : this.#next(leave);
  }

  /** Does a work around writes; problems that come up meanwhile are told after it. */
  holding<T>(work: () => T): T {
    return this.#held.during(work);
  }

  get #place(): Record<string, unknown> {
    return { path: this.#handle.path, id: this.#header.id };
  }

  get #due(): boolean {
    return this.#forced || this.#handle.stored || this.#tree.answered;
  }

  #catchUp(): void {
    // What others did to a session that we have only read is left as it is.
    const isHarmed = this.#wrote && this.#handle.rewriteRequired;
    if (this.#saved < this.#tree.entries.length || this.#diverged || this.#failure !== null || isHarmed) this.save();
  }

  /** What was appended a moment ago may have gone to a file that somebody had just removed or replaced. */
  #lookAndCatchUp(): void {
    try {
      if (this.#wrote) this.#handle.checkSync();
    } catch (error) {
      throw this.#latch(error);
    }
    this.#catchUp();
  }

  #next(work: () => Promise<void>): Promise<void> {
    this.#works++;
    const done = this.#queue.then(() => this.#held.throughout(work)).finally(() => this.#works--);
    // The caller gets the error; the queue goes on.
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw this.#latch(error);
    }
  }

  async #writeHeader(): Promise<void> {
    if (!this.#handle.stored || !this.#headerWaits) return;
    try {
      if (!this.#diverged && !this.#handle.rewriteRequired) {
        await this.#handle.updateHeader(this.#header);
        this.#headerWaits = false;
        return;
      }
    } catch (error) {
      if (!isConflict(error)) {
        this.#diverged = true;
        throw this.#latch(error);
      }
    }
    this.#diverged = true;
    await this.#rewrite();
  }

  /** @param supersede also what a rewrite that is on its way will write */
  #write(supersede = false): void {
    for (let attempt = 1; ; attempt++) {
      const { stored, rewriteRequired } = this.#handle;
      try {
        if (!stored || rewriteRequired || (this.#diverged && (supersede || !this.#isUnderway))) this.#replaceSync();
        else this.#append();
        if (!this.#diverged || (this.#isUnderway && !supersede)) return;
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  #append(): void {
    const { entries } = this.#tree;
    if (this.#saved === entries.length) return;
    const missing = this.#saved === entries.length - 1 ? [entries.at(-1)!] : entries.slice(this.#saved);
    this.#handle.appendSync(missing.map((value) => ({ value })));
    this.#wrote = true;
    // Meanwhile entries of others may have been put before these.
    this.#saved = this.#tree.entries.length;
  }

  #replaceSync(): void {
    const isNew = !this.#handle.stored;
    this.#handle.replaceSync(this.#records(), { revision: this.#handle.revision });
    this.#saved = this.#tree.entries.length;
    this.#settled();
    if (isNew) this.#notices.onStored?.();
  }

  async #rewrite(): Promise<void> {
    this.checkOpen();
    for (let attempt = 1; this.#due && this.#diverged; attempt++) {
      if (!this.#handle.stored) {
        this.save();
        return;
      }
      try {
        // What others have done so far is no reason to begin again.
        this.#handle.checkSync();
        const records = this.#records();
        this.#saved = this.#tree.entries.length;
        this.#underway = this.#asked;
        this.#rewriting = true;
        const guard = { revision: this.#handle.revision };
        // Where others do not stop getting in the way, a rewrite without a pause leaves them the least room.
        if (attempt > PATIENT_ATTEMPTS) this.#handle.replaceSync(records, guard);
        else await this.#handle.replace(records, guard);
        if (this.#isUnderway) this.#settled();
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw this.#latch(error);
      } finally {
        this.#rewriting = false;
      }
    }
  }

  /** What the last rewrite that was asked for has to write is being written. */
  get #isUnderway(): boolean {
    return this.#rewriting && this.#underway === this.#asked;
  }

  /** All of the tree is stored, under this header. */
  #settled(): void {
    this.#wrote = true;
    this.#diverged = false;
    this.#headerWaits = false;
    this.#failure = null;
  }

  #records(): LogRecord[] {
    this.#header = { ...this.#header, version: CURRENT_SESSION_VERSION };
    const records: LogRecord[] = [{ value: this.#header }];
    for (const value of this.#tree.entries) records.push({ value });
    return records;
  }

  #adopt({ kind, records, problem }: ForeignChange): void {
    const found = records.flatMap(({ value }) => (value.type === 'session' ? [] : [value as SessionEntry]));
    if (kind === 'appended') {
      this.#insert(found);
      this.#header = adoptTitles(this.#header, found);
    } else {
      if (!this.#headerWaits) this.#header = this.#handle.header;
      const lost = adoptReplaced(this.#tree, found, this.#saved);
      this.#saved = found.length;
      // What is being written now comes after what somebody else took away.
      if (lost.length > 0 && !this.#rewriting) this.#appendLost(lost);
    }
    this.#found.push(problem);
    this.#held.add(problem);
  }

  /** Puts entries that somebody else stored into the tree. */
  #insert(stored: readonly SessionEntry[]): void {
    const entries = withOwnIds(stored, (id) => this.#tree.has(id));
    // Ids that are there twice would be told apart in another way when the session is read again.
    if (entries.some((entry, i) => entry !== stored[i])) this.#diverged = true;
    this.#tree.insert(this.#saved, entries);
    this.#saved += entries.length;
  }

  #appendLost(lost: readonly SessionEntry[]): void {
    if (this.#handle.rewriteRequired) {
      this.#diverged = true;
      return;
    }
    this.#handle.appendSync(lost.map((value) => ({ value })));
    this.#saved += lost.length;
  }

  /** Keeps the first error of a series, and logs it. Answers the one to be thrown. */
  #latch(error: unknown): SessionStoreError {
    const known =
      error instanceof SessionStoreError
        ? error
        : new SessionStoreError('storage_io', 'The session could not be stored.', this.#place, error);
    if (this.#failure === null) {
      this.#failure = known;
      this.#notices.logger?.error('The session could not be stored; its entries stay in memory.', {
        ...this.#place,
        code: known.code,
        reason: known.message,
      });
    }
    return known;
  }
}
