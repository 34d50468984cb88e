import { lineageOf, problem, type Problem, type SessionFile, type SessionRoot } from '@stemma/core';

import type { Project } from '../schemas/roots.ts';
import type { SessionsPage, SessionsQuery, SummaryRow } from '../schemas/sessions.ts';
import { projectId, projectsOf } from './projects.ts';
import { orderOf, pageOf, sortRows, type SearchableRow } from './query.ts';
import { haystackOf, withCounts, withLive, withOldCounts, type Counted } from './summary-row.ts';

export interface ServedRoot {
  root: SessionRoot;
  /** Served from memory, not from the person's disk. */
  demo: boolean;
  /** The home folder of who made the sessions, written as `~` for display; '' for none. */
  home: string;
}

/** A session that the library knows, and how well. */
export interface LibraryEntry extends SearchableRow {
  file: SessionFile;
  root: SessionRoot;
  home: string;
  /** The fingerprint at which its counts were made; null without counts. */
  countedAt: string | null;
  /** Not to be counted before this time (epoch ms): it grows, and was counted a moment ago. */
  countAfter: number;
  /** Id or path of the session that it says to come from. */
  parentSession: string | null;
  /** Key of the session in whose folder it lies. */
  ownerKey: string | null;
  /** Blobs that its entries refer to and that are missing or damaged; part of the row's problems. */
  blobProblems: number;
  /** What is wrong with where it lies, and with its id among others; part of the row's problems. */
  placeProblems: readonly Problem[];
}

/** What slices of a file tell. */
export interface Sliced {
  row: SummaryRow;
  parentSession: string | null;
  placeProblems: readonly Problem[];
  /** The row says all that there is to count. */
  whole: boolean;
}

/** A file that is not shown as a session. */
interface Refused {
  fingerprint: string;
  rootId: string;
  problem: Problem;
}

/** Children that are told of one session. */
const MOST_CHILDREN = 500;

/** The rows of the library in memory, and the files that have none, with the reason. Knows no disk. */
export class SessionRows {
  readonly #entries = new Map<string, LibraryEntry>();
  readonly #refused = new Map<string, Refused>();
  /** Root id → ids of its sessions that their host has paused. */
  readonly #paused = new Map<string, ReadonlySet<string>>();
  /** All entries by the orders that were asked for; void after every change. */
  readonly #sorted = new Map<string, SearchableRow[]>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): LibraryEntry | undefined {
    return this.#entries.get(key);
  }

  values(): Iterable<LibraryEntry> {
    return this.#entries.values();
  }

  /** @param now what is running depends on it (epoch ms). */
  page(query: SessionsQuery, now: number): SessionsPage {
    const wanted = orderOf(query);
    const name = `${wanted.sort} ${wanted.order}`;
    let sorted = this.#sorted.get(name);
    if (sorted === undefined) this.#sorted.set(name, (sorted = sortRows(this.#entries.values(), wanted)));
    const live = (row: SummaryRow): SummaryRow => withLive(row, this.#entries.get(row.key)!.file, this.isPaused(row), now);
    const page = pageOf(sorted, query, ({ row }) => live(row).live);
    return { ...page, items: page.items.map(live) };
  }

  /** Takes which sessions of a root their host has paused. */
  setPaused(rootId: string, ids: ReadonlySet<string>): void {
    this.#paused.set(rootId, ids);
  }

  /** As of when the journal was last read. */
  isPaused({ id, rootId }: SummaryRow): boolean {
    return id !== null && this.#paused.get(rootId)?.has(id) === true;
  }

  projects(): Project[] {
    return projectsOf(this.#entries.values());
  }

  /** Sessions that come from one, newest first. */
  childrenOf(key: string): { key: string; id: string | null; title: string | null }[] {
    const children: SummaryRow[] = [];
    for (const { row } of this.#entries.values()) if (row.parentKey === key) children.push(row);
    children.sort((a, b) => (b.modified ?? 0) - (a.modified ?? 0));
    return children.slice(0, MOST_CHILDREN).map((row) => ({ key: row.key, id: row.id, title: row.title ?? row.firstPrompt }));
  }

  count(test: (entry: LibraryEntry) => boolean): number {
    let count = 0;
    for (const entry of this.#entries.values()) if (test(entry)) count++;
    return count;
  }

  /** Why files of a root have no row. */
  problemsOf(rootId: string): Problem[] {
    return Array.from(this.#refused.values())
      .filter((refused) => refused.rootId === rootId)
      .map((refused) => refused.problem);
  }

  /** Has the file changed since it was last put in or refused? */
  isNews(file: SessionFile): boolean {
    const known = this.#entries.get(file.key)?.file ?? this.#refused.get(file.key);
    return known?.fingerprint !== file.fingerprint;
  }

  /**
   * Puts in what slices tell. Counts of an earlier, smaller state stay until it is counted again.
   */
  put({ root, home }: ServedRoot, file: SessionFile, { row: fresh, parentSession, placeProblems, whole }: Sliced): void {
    const known = this.#entries.get(file.key);
    const grown = !whole && known !== undefined && file.sizeBytes >= known.file.sizeBytes;
    const row = grown ? withOldCounts(fresh, known.row) : fresh;
    this.#refused.delete(file.key);
    this.#sorted.clear();
    this.#entries.set(file.key, {
      file,
      root,
      home,
      row,
      haystack: haystackOf(row),
      project: projectId(root.id, row.cwd),
      countedAt: whole ? file.fingerprint : grown ? known.countedAt : null,
      countAfter: grown ? known.countAfter : 0,
      parentSession,
      ownerKey: known?.ownerKey ?? null,
      blobProblems: grown ? known.blobProblems : 0,
      placeProblems: grown ? known.placeProblems : [],
    });
    this.#setPlaceProblems(file.key, placeProblems);
  }

  /** @param fingerprint it is looked at again when the file has another. */
  refuse(file: SessionFile, fingerprint: string, reason: Problem): void {
    this.#entries.delete(file.key);
    this.#sorted.clear();
    this.#refused.set(file.key, { fingerprint, rootId: file.rootId, problem: reason });
  }

  refuseAsNoSession(file: SessionFile, fingerprint: string): void {
    const message = 'There is neither a session header nor an entry in it.';
    this.refuse(file, fingerprint, problem('not_a_session', message, { path: file.path }));
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
      this.refuseAsNoSession(entry.file, fingerprint);
      return;
    }
    this.#sorted.clear();
    entry.row = withCounts(entry.row, entry.file, counted, entry.blobProblems + entry.placeProblems.length, entry.home);
    entry.parentSession = counted.summary.parentSession;
    entry.project = projectId(entry.root.id, entry.row.cwd);
    entry.haystack = haystackOf(entry.row);
    entry.countedAt = fingerprint;
    entry.countAfter = countAfter;
  }

  /** Takes how many of a session's blobs are missing or damaged. */
  setBlobProblems(key: string, count: number): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.blobProblems === count) return;
    entry.row = { ...entry.row, problemCount: (entry.row.problemCount ?? 0) - entry.blobProblems + count };
    entry.blobProblems = count;
  }

  #setPlaceProblems(key: string, problems: readonly Problem[]): void {
    const entry = this.#entries.get(key)!;
    const more = problems.length - entry.placeProblems.length;
    if (more !== 0) entry.row = { ...entry.row, problemCount: (entry.row.problemCount ?? 0) + more };
    entry.placeProblems = problems;
  }

  /** Names the sessions of a root whose id another session of it has, too. */
  tellRepeated(rootId: string): void {
    const entries = [...this.#entries.values()].filter(({ file }) => file.rootId === rootId);
    const times = new Map<string | null, number>();
    for (const { row } of entries) times.set(row.id, (times.get(row.id) ?? 0) + 1);
    for (const { row, file, placeProblems } of entries) {
      const others = placeProblems.filter(({ code }) => code !== 'session_repeated');
      const message = 'Another session of the root has the same id.';
      const isRepeated = row.id !== null && times.get(row.id)! > 1;
      const repeated = isRepeated ? [problem('session_repeated', message, { path: file.path })] : [];
      this.#setPlaceProblems(file.key, [...others, ...repeated]);
    }
  }

  forget(key: string): void {
    this.#entries.delete(key);
    this.#refused.delete(key);
    this.#sorted.clear();
  }

  /** Forgets the files of a root that are not among these. */
  keepOnly(rootId: string, present: ReadonlySet<string>): void {
    const gone = [...this.#entries.values()]
      .map(({ file }) => file)
      .filter((file) => file.rootId === rootId && !present.has(file.key));
    for (const { key } of gone) this.forget(key);
    for (const [key, refused] of this.#refused) if (refused.rootId === rootId && !present.has(key)) this.#refused.delete(key);
  }

  /** Finds where sessions come from: by the folder they lie in, else by what their headers say. */
  linkParents(files: readonly SessionFile[]): void {
    const keys = new Map(files.map((file) => [file.relativePath, file.key]));
    for (const file of files) {
      const entry = this.#entries.get(file.key);
      if (entry !== undefined) entry.ownerKey = keys.get(file.parentRelativePath ?? '') ?? null;
    }
    const sources = Array.from(this.#entries.values(), ({ file, row, parentSession, ownerKey }) => {
      return { key: file.key, rootId: file.rootId, id: row.id, path: file.path, parentSession, ownerKey };
    });
    for (const [key, parentKey] of lineageOf(sources)) {
      const entry = this.#entries.get(key)!;
      if (entry.row.parentKey !== parentKey) entry.row = { ...entry.row, parentKey };
    }
  }
}
