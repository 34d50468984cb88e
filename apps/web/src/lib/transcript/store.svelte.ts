import type { Transcript, TranscriptQuery } from '@stemma/api/schemas';
import type { TranscriptItem } from '@stemma/core/pure';

export type LoadTranscript = (query: TranscriptQuery, signal: AbortSignal) => Promise<Pick<Transcript, 'covers' | 'items'>>;

export interface StoreOptions {
  load: LoadTranscript;
  /** Entry ids of the path, root first. */
  ids: readonly string[];
  /** What every request carries: leaf and history. */
  query: TranscriptQuery;
  /** Entries asked for at once. */
  pageSize?: number;
  /** Entries kept at most. */
  capacity?: number;
  /** Pause in ms before a new place is asked for, so that dragging the scroll bar does not ask for every stop. */
  settleMs?: number;
}

const CONCURRENT = 2;
const NO_ITEMS: readonly TranscriptItem[] = [];

interface Request {
  page: number;
  abort: AbortController;
}

/**
 * The items of one path (one leaf, one epoch), loaded in pages of fixed places as the list shows them. Pages near the
 * reader are kept, others dropped; requests for places that are no longer wanted are aborted.
 */
export class TranscriptStore {
  ids: readonly string[];
  #query: TranscriptQuery;
  readonly #options: Required<StoreOptions>;
  #version = $state(0);
  readonly #items = new Map<string, readonly TranscriptItem[]>();
  /** Page → when it was last wanted; in order of use, so that the first is the one to drop. */
  readonly #complete = new Map<number, true>();
  /** Entries to be asked for again; what is shown of them stays until then. */
  readonly #stale = new Set<string>();
  readonly #failed = new Map<number, Error>();
  readonly #requests: Request[] = [];
  readonly #waiting: { page: number; resolve: () => void }[] = [];
  #wanted: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: StoreOptions) {
    this.#options = { pageSize: 60, capacity: 2_000, settleMs: 40, ...options };
    this.ids = options.ids;
    this.#query = options.query;
  }

  /** The path has grown: `ids` begins with the ids so far. Calls without a result are asked for again: it may be there now. */
  grow(ids: readonly string[], query: TranscriptQuery): void {
    const { pageSize } = this.#options;
    const before = this.ids.length;
    for (let index = Math.max(0, before - 2 * pageSize); index < before; index++) {
      const id = this.ids[index]!;
      if (!this.#items.get(id)?.some((item) => item.kind === 'toolCall' && item.result === null)) continue;
      this.#stale.add(id);
      this.#complete.delete(this.#pageOf(index));
    }
    if (before % pageSize !== 0) this.#complete.delete(this.#pageOf(before - 1));
    this.ids = ids;
    this.#query = query;
    this.#version++;
  }

  /** The items of the entry at an index of the path; undefined until they are here, empty for an entry without any. */
  at(index: number): readonly TranscriptItem[] | undefined {
    // Read for its effect: whoever shows these items is told when a page arrives.
    void this.#version;
    const id = this.ids[index];
    return id === undefined ? undefined : this.#items.get(id);
  }

  /** Why the entry at an index could not be loaded, or null. */
  errorAt(index: number): Error | null {
    void this.#version;
    return this.#failed.get(this.#pageOf(index)) ?? null;
  }

  /** Tells which part of the path is shown: `from` to `to` (exclusive). Loads it and its neighbours, `now` without the pause. */
  want(from: number, to: number, now = false): void {
    const first = this.#pageOf(Math.max(0, from));
    const last = this.#pageOf(Math.min(this.ids.length, Math.max(to, from + 1)) - 1);
    const pages: number[] = [];
    for (let page = first; page <= last; page++) pages.push(page);
    // Neighbours after what is shown, the next before the previous.
    pages.push(last + 1, first - 1);
    this.#wanted = pages.filter((page) => page >= 0 && page * this.#options.pageSize < this.ids.length);
    this.#abortUnwanted();
    clearTimeout(this.#timer);
    if (now || this.#options.settleMs === 0) this.#pump();
    else this.#timer = setTimeout(() => this.#pump(), this.#options.settleMs);
  }

  /** Resolves when the entry at an index is here, has failed or is no longer wanted. */
  ready(index: number): Promise<void> {
    const page = this.#pageOf(index);
    if (this.#settled(page)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ page, resolve }));
  }

  /** Tries again what has failed. */
  retry(): void {
    this.#failed.clear();
    this.#version++;
    this.#pump();
  }

  /** Aborts everything; the store is not used any more. */
  close(): void {
    this.#wanted = [];
    clearTimeout(this.#timer);
    this.#abortUnwanted();
  }

  #pageOf(index: number): number {
    return Math.floor(index / this.#options.pageSize);
  }

  #settled(page: number): boolean {
    return this.#complete.has(page) || this.#failed.has(page) || !this.#wanted.includes(page);
  }

  #abortUnwanted(): void {
    for (const request of this.#requests) if (!this.#wanted.includes(request.page)) request.abort.abort();
    this.#release();
  }

  #release(): void {
    for (let at = this.#waiting.length - 1; at >= 0; at--) {
      const { page, resolve } = this.#waiting[at]!;
      if (!this.#settled(page)) continue;
      this.#waiting.splice(at, 1);
      resolve();
    }
  }

  #pump(): void {
    for (const page of this.#wanted) {
      if (this.#complete.delete(page)) this.#complete.set(page, true);
      else if (this.#requests.length < CONCURRENT && !this.#failed.has(page) && !this.#asking(page)) void this.#fetch(page);
    }
  }

  #asking(page: number): boolean {
    return this.#requests.some((request) => request.page === page && !request.abort.signal.aborted);
  }

  async #fetch(page: number): Promise<void> {
    const request: Request = { page, abort: new AbortController() };
    this.#requests.push(request);
    try {
      await this.#load(page, request.abort.signal);
    } catch (error) {
      // An abort is our own doing; anything else is shown at the place that could not be loaded.
      if (request.abort.signal.aborted) this.#drop(page);
      else this.#failed.set(page, error as Error);
    }
    this.#requests.splice(this.#requests.indexOf(request), 1);
    this.#evict();
    this.#version++;
    this.#release();
    this.#pump();
  }

  /** Loads what a page still lacks. A server cuts an answer short when its texts are long: then the rest is asked for. */
  async #load(page: number, signal: AbortSignal): Promise<void> {
    const end = Math.min(this.ids.length, (page + 1) * this.#options.pageSize);
    for (let from = this.#firstMissing(page, end); from < end;) {
      const answer = await this.#options.load({ ...this.#query, ...this.#place(from), limit: end - from }, signal);
      signal.throwIfAborted();
      this.#add(answer, new Set(this.ids.slice(from, end)));
      this.#version++;
      const next = this.#firstMissing(page, end);
      if (next === from) throw new Error(`The answer does not cover entry ${this.ids[from]}`);
      from = next;
    }
    // The path may have grown meanwhile: then the page is not complete.
    if (end === Math.min(this.ids.length, (page + 1) * this.#options.pageSize)) this.#complete.set(page, true);
  }

  #firstMissing(page: number, end: number): number {
    let index = page * this.#options.pageSize;
    while (index < end && this.#items.has(this.ids[index]!) && !this.#stale.has(this.ids[index]!)) index++;
    return index;
  }

  #place(from: number): TranscriptQuery {
    return from > 0 ? { after: this.ids[from - 1]! } : { around: this.ids[0]! };
  }

  #add(answer: Pick<Transcript, 'covers' | 'items'>, asked: ReadonlySet<string>): void {
    const byEntry = new Map<string, TranscriptItem[]>();
    for (const item of answer.items) {
      const list = byEntry.get(item.entryId);
      if (list) list.push(item);
      else byEntry.set(item.entryId, [item]);
    }
    for (const id of answer.covers) {
      if (!asked.has(id)) continue;
      this.#items.set(id, byEntry.get(id) ?? NO_ITEMS);
      this.#stale.delete(id);
    }
  }

  /** Drops the pages used longest ago until the rest fits; what is wanted now stays. */
  #evict(): void {
    const { pageSize, capacity } = this.#options;
    for (const page of this.#complete.keys()) {
      if (this.#complete.size * pageSize <= capacity) return;
      if (this.#wanted.includes(page)) continue;
      this.#drop(page);
    }
  }

  #drop(page: number): void {
    const { pageSize } = this.#options;
    this.#complete.delete(page);
    for (let index = page * pageSize; index < (page + 1) * pageSize; index++) this.#items.delete(this.ids[index] ?? '');
  }
}
