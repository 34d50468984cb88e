import { diskCode, inParallel, problem, SessionStoreError, type Problem, type SessionFile, type SessionRoot } from '@stemma/core';
import { setTimeout as delay } from 'node:timers/promises';

import type { Project, Root } from '../schemas/roots.ts';
import type { SessionsPage, SessionsQuery, SummaryRow } from '../schemas/sessions.ts';
import { projectId, projectsOf } from './projects.ts';
import { pageOf, type SearchableRow } from './query.ts';
import { haystackOf, rowFromSlices, withCounts, withOldCounts, type Counted } from './summary-row.ts';

/** Cheap (directories and stats), so that a new session shows within half a minute without watching files. */
const RESCAN_MS = 30_000;
/** A page that is looked at may ask for a scan this soon after the last one. */
const FRESH_MS = 5_000;
/** The first page waits this long for the first scan, then shows what is known. */
const FIRST_SCAN_MS = 2_000;
const SLICE_READERS = 8;
/** No file has this fingerprint: what could not be read may be readable at the next scan. */
const LOOK_AGAIN = '';

export interface ServedRoot {
  root: SessionRoot;
  /** Served from memory, not from the person's disk. */
  demo: boolean;
  /** The home folder of who made the sessions, written as `~` for display; '' for none. */
  home: string;
}

export interface LibraryOptions {
  roots: readonly ServedRoot[];
  now?: () => number;
}

/** A session that the library knows, and how well. */
export interface LibraryEntry extends SearchableRow {
  file: SessionFile;
  root: SessionRoot;
  home: string;
  /** The fingerprint at which its counts were made; null without counts, or with those of an older state. */
  countedAt: string | null;
  /** Not to be counted before this time: it grows, and was counted a moment ago. */
  countAfter: number;
}

/**
 * All sessions of all roots as summary rows in memory. A scan lists files and reads slices of those that are new or
 * changed; counts come later from whoever has decoded a whole session. Nothing of a file is held but its row.
 */
export class Library {
  readonly roots: readonly ServedRoot[];
  readonly #now: () => number;
  readonly #entries = new Map<string, LibraryEntry>();
  /** Files that are no sessions, or that slices could not be read of; looked at again when they change. */
  readonly #refused = new Map<string, { fingerprint: string; rootId: string; problems: Problem[] }>();
  readonly #scanProblems = new Map<string, Problem[]>();
  readonly #abort = new AbortController();
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

  page(query: SessionsQuery): SessionsPage {
    return pageOf(this.#entries.values(), query);
  }

  projects(): Project[] {
    return projectsOf(this.#entries.values());
  }

  entries(): Iterable<LibraryEntry> {
    return this.#entries.values();
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): LibraryEntry | undefined {
    return this.#entries.get(key);
  }

  /** A session by its key; one that is not known yet may be newer than the last scan. */
  async find(key: string): Promise<LibraryEntry | undefined> {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    if (this.#scanning !== null || this.#now() - this.#scannedAt > FRESH_MS) await this.scan();
    return this.#entries.get(key);
  }

  rootRows(): Root[] {
    return this.roots.map(({ root, demo }) => ({
      id: root.id,
      dialect: root.dialect,
      path: root.path,
      sessionCount: this.#count((entry) => entry.root === root),
      problems: this.#problemsOf(root.id),
      demo,
    }));
  }

  /** Problems of the roots, and sessions that have some. */
  problemCount(): number {
    const ofRoots = this.roots.reduce((sum, { root }) => sum + this.#problemsOf(root.id).length, 0);
    return ofRoots + this.#count((entry) => (entry.row.problemCount ?? 0) > 0);
  }

  /**
   * Takes the counts of a whole session.
   *
   * @param fingerprint of the file when it was read; counts of an older state are taken, and made again later.
   * @param countAfter not to be counted again before this time (epoch ms).
   */
  setCounts(key: string, fingerprint: string, counted: Counted, countAfter: number): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    if (!counted.isSession) {
      this.#refuse(entry.root, entry.file, fingerprint, [notASession(entry.file)]);
      return;
    }
    entry.row = withCounts(entry.row, entry.file, counted, entry.home);
    entry.project = projectId(entry.root.id, entry.row.cwd);
    entry.haystack = haystackOf(entry.row);
    entry.countedAt = fingerprint;
    entry.countAfter = countAfter;
  }

  /** What the scan and the counting found wrong with a root and its files. */
  #problemsOf(rootId: string): Problem[] {
    const problems = [...(this.#scanProblems.get(rootId) ?? [])];
    for (const refused of this.#refused.values()) if (refused.rootId === rootId) problems.push(...refused.problems);
    return problems;
  }

  #count(test: (entry: LibraryEntry) => boolean): number {
    let count = 0;
    for (const entry of this.#entries.values()) if (test(entry)) count++;
    return count;
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
    if (signal.aborted) return;
    this.#scanProblems.set(root.id, problems);
    if (sessions === null) return; // the root cannot be listed right now: what was known stays
    this.#forgetMissing(root, sessions);
    const changed = sessions.filter((file) => this.#isNews(file)).sort((a, b) => b.modifiedMs - a.modifiedMs);
    await inParallel(changed, SLICE_READERS, (file) => this.#readSlices(served, file, signal));
    this.#linkParents(sessions);
  }

  #isNews(file: SessionFile): boolean {
    const known = this.#entries.get(file.key)?.file ?? this.#refused.get(file.key);
    return known?.fingerprint !== file.fingerprint;
  }

  #forgetMissing(root: SessionRoot, sessions: readonly SessionFile[]): void {
    const present = new Set(sessions.map((file) => file.key));
    for (const [key, entry] of this.#entries) if (entry.root === root && !present.has(key)) this.#entries.delete(key);
    for (const [key, { rootId }] of this.#refused) if (rootId === root.id && !present.has(key)) this.#refused.delete(key);
  }

  async #readSlices(served: ServedRoot, file: SessionFile, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { root, home } = served;
    try {
      const summary = await root.summarise(file);
      const row = rowFromSlices(root, file, summary, home);
      if (summary.isSession) this.#setRow(served, file, row, summary.whole);
      else this.#refuse(root, file, file.fingerprint, [notASession(file)]);
    } catch (error) {
      if (signal.aborted) return;
      this.#refuse(root, file, LOOK_AGAIN, [unreadable(error, file.path)]);
    }
  }

  /** @param whole the row says all that there is to count. */
  #setRow({ root, home }: ServedRoot, file: SessionFile, fresh: SummaryRow, whole: boolean): void {
    const known = this.#entries.get(file.key);
    const grown = !whole && known !== undefined && file.sizeBytes >= known.file.sizeBytes;
    const row = grown ? withOldCounts(fresh, known.row) : fresh;
    this.#refused.delete(file.key);
    this.#entries.set(file.key, {
      file,
      root,
      home,
      row,
      haystack: haystackOf(row),
      project: projectId(root.id, row.cwd),
      countedAt: whole ? file.fingerprint : grown ? known.countedAt : null,
      countAfter: grown ? known.countAfter : 0,
    });
  }

  #refuse(root: SessionRoot, file: SessionFile, fingerprint: string, problems: Problem[]): void {
    this.#entries.delete(file.key);
    const named = problems.map((one) => ({ ...one, path: one.path ?? file.path }));
    this.#refused.set(file.key, { fingerprint, rootId: root.id, problems: named });
  }

  /** A sub-session names its parent by the path inside the root. */
  #linkParents(sessions: readonly SessionFile[]): void {
    const keys = new Map(sessions.map((file) => [file.relativePath, file.key]));
    for (const file of sessions) {
      const entry = this.#entries.get(file.key);
      const parentKey = keys.get(file.parentRelativePath ?? '') ?? null;
      if (entry !== undefined && entry.row.parentKey !== parentKey) entry.row = { ...entry.row, parentKey };
    }
  }
}

function notASession(file: SessionFile): Problem {
  return problem('not_a_session', 'There is neither a session header nor an entry in it.', { path: file.path });
}

function unreadable(error: unknown, path: string): Problem {
  const code = diskCode(error) ?? (error instanceof SessionStoreError ? error.data['errno'] : undefined);
  return problem('unreadable', `It cannot be read (${typeof code === 'string' ? code : 'unknown error'}).`, { path });
}
