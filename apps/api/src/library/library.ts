import { diskCode, inParallel, problem, SessionStoreError, type Problem, type SessionFile, type SessionRoot } from '@stemma/core';
import { setTimeout as delay } from 'node:timers/promises';

import type { Root } from '../schemas/roots.ts';
import type { SessionsPage, SessionsQuery } from '../schemas/sessions.ts';
import { SessionRows, type LibraryEntry, type ServedRoot } from './session-rows.ts';
import { rowFromSlices } from './summary-row.ts';

/** Cheap (directories and stats), so that a new session shows within half a minute without watching files. */
const RESCAN_MS = 30_000;
/** A page that is looked at may ask for a scan this soon after the last one. */
const FRESH_MS = 5_000;
/** The first page waits this long for the first scan, then shows what is known. */
const FIRST_SCAN_MS = 2_000;
const SLICE_READERS = 8;
/** No file has this fingerprint: what could not be read may be readable at the next scan. */
const LOOK_AGAIN = '';

export interface LibraryOptions {
  roots: readonly ServedRoot[];
  now?: () => number;
}

/**
 * All sessions of all roots as summary rows in memory. A scan lists files and reads slices of those that are new or
 * changed; counts come later from whoever has decoded a whole session. Nothing of a file is held but its row.
 */
export class Library {
  readonly roots: readonly ServedRoot[];
  readonly rows = new SessionRows();
  readonly #now: () => number;
  readonly #scanProblems = new Map<string, Problem[]>();
  readonly #abort = new AbortController();
  #pending = { files: 0, bytes: 0 };
  #scanning: Promise<void> | null = null;
  #scannedAt = -Infinity;
  #onScanned: () => void = () => {};
  #timer: NodeJS.Timeout | null = null;

  constructor(options: LibraryOptions) {
    this.roots = options.roots;
    this.#now = options.now ?? Date.now;
  }

  /** Scans now and then every half minute. `onScanned` is called after each scan. */
  start(onScanned: () => void): void {
    this.#onScanned = onScanned;
    void this.scan();
    this.#timer = setInterval(() => void this.scan(), RESCAN_MS);
    this.#timer.unref();
  }

  close(): void {
    this.#abort.abort();
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  /** One scan of all roots; a second caller joins the one that runs. Never rejects: a bad root is a problem of it. */
  scan(): Promise<void> {
    this.#scanning ??= this.#scanAll().finally(() => {
      this.#scanning = null;
      this.#scannedAt = this.#now();
      if (!this.#abort.signal.aborted) this.#onScanned();
    });
    return this.#scanning;
  }

  /** Before a list is answered: waits for the first scan (not for long), and has an older one repeated behind it. */
  async freshen(): Promise<void> {
    if (this.#now() - this.#scannedAt < FRESH_MS) return;
    const isFirst = this.#scannedAt === -Infinity;
    const scan = this.scan();
    if (isFirst) await Promise.race([scan, delay(FIRST_SCAN_MS, undefined, { ref: false })]);
  }

  /** Files found whose slices are still to be read, and their bytes. */
  get pending(): { files: number; bytes: number } {
    return this.#pending;
  }

  /** A session by its key; one that is not known yet may be newer than the last scan. */
  async find(key: string): Promise<LibraryEntry | undefined> {
    const known = this.rows.get(key);
    if (known !== undefined) return known;
    if (this.#scanning !== null || this.#now() - this.#scannedAt > FRESH_MS) await this.scan();
    return this.rows.get(key);
  }

  /** Has the session's host paused it? As of the last scan where the journal cannot be read now. */
  async isPaused({ row, root }: LibraryEntry): Promise<boolean> {
    if (row.id === null) return false;
    try {
      return await root.isPaused(row.id);
    } catch (error) {
      if (!(error instanceof SessionStoreError && error.code === 'storage_io')) throw error;
      return this.rows.isPaused(row);
    }
  }

  page(query: SessionsQuery): SessionsPage {
    return this.rows.page(query, this.#now());
  }

  rootRows(): Root[] {
    return this.roots.map(({ root, demo }) => ({
      id: root.id,
      dialect: root.dialect,
      path: root.path,
      sessionCount: this.rows.count((entry) => entry.root === root),
      problems: this.#problemsOf(root.id),
      demo,
    }));
  }

  /** Problems of the roots, and sessions that have some. */
  problemCount(): number {
    const ofRoots = this.roots.reduce((sum, { root }) => sum + this.#problemsOf(root.id).length, 0);
    return ofRoots + this.rows.count((entry) => (entry.row.problemCount ?? 0) > 0);
  }

  /** What the scan and the counting found wrong with a root and its files. */
  #problemsOf(rootId: string): Problem[] {
    return [...(this.#scanProblems.get(rootId) ?? []), ...this.rows.problemsOf(rootId)];
  }

  async #scanAll(): Promise<void> {
    for (const served of this.roots) {
      if (this.#abort.signal.aborted) return;
      await this.#scanRoot(served);
    }
  }

  async #scanRoot(served: ServedRoot): Promise<void> {
    const { root } = served;
    const signal = this.#abort.signal;
    const { sessions, problems } = await root.scan(signal).catch((error: unknown) => ({
      sessions: null,
      problems: [unreadable(error, root.path)],
    }));
    await this.#readPauses(root, problems);
    if (signal.aborted) return;
    this.#scanProblems.set(root.id, problems);
    if (sessions === null) return; // the root cannot be listed right now: what was known stays
    this.rows.keepOnly(root.id, new Set(sessions.map((file) => file.key)));
    const changed = sessions.filter((file) => this.rows.isNews(file)).sort((a, b) => b.modifiedMs - a.modifiedMs);
    await this.#readAll(served, changed);
    this.rows.linkParents(sessions);
    if (root.idsAreUnique) this.rows.tellRepeated(root.id);
  }

  /** Which sessions are paused; what was known stays where the journal cannot be read. */
  async #readPauses(root: SessionRoot, problems: Problem[]): Promise<void> {
    try {
      this.rows.setPaused(root.id, await root.pausedSessions());
    } catch (error) {
      const at = error instanceof SessionStoreError ? error.data['path'] : undefined;
      problems.push(unreadable(error, typeof at === 'string' ? at : root.path));
    }
  }

  async #readAll(served: ServedRoot, files: readonly SessionFile[]): Promise<void> {
    this.#pending = { files: files.length, bytes: files.reduce((sum, file) => sum + file.sizeBytes, 0) };
    await inParallel(files, SLICE_READERS, async (file) => {
      if (!this.#abort.signal.aborted) await this.#readSlices(served, file);
      this.#pending = { files: this.#pending.files - 1, bytes: this.#pending.bytes - file.sizeBytes };
    });
  }

  async #readSlices(served: ServedRoot, file: SessionFile): Promise<void> {
    try {
      const summary = await served.root.summarise(file);
      const row = rowFromSlices(served.root, file, summary, served.home);
      const { isSession, parentSession, hasBlobs } = summary;
      // Blobs are looked for when a session is decoded: one that has some is not done with its slices.
      const placeProblems = await served.root.placeProblems(file, summary);
      if (isSession) this.rows.put(served, file, { row, parentSession, placeProblems, whole: summary.whole && !hasBlobs });
      else this.rows.refuseAsNoSession(file, file.fingerprint);
    } catch (error) {
      const isGone = error instanceof SessionStoreError && error.code === 'session_not_found';
      if (isGone) this.rows.forget(file.key);
      else this.rows.refuse(file, LOOK_AGAIN, unreadable(error, file.path));
    }
  }
}

function unreadable(error: unknown, path: string): Problem {
  const code = diskCode(error) ?? (error instanceof SessionStoreError ? error.data['errno'] : undefined);
  return problem('unreadable', `It cannot be read (${typeof code === 'string' ? code : 'unknown error'}).`, { path });
}
