import type { SummaryRow } from '@stemma/api/schemas';

import type { Api } from '../api/client.ts';
import { isAbort } from '../api/errors.ts';
import type { Filter } from './filter.ts';

/** The first page is small so that it is there at once; the others are what a jump to the end has to read through. */
const FIRST_PAGE = 100;
const PAGE = 500;

interface LoadedPage {
  readonly cursor: string | null;
  readonly rows: readonly SummaryRow[];
  /** The cursor of the page after this one; null at the end. */
  readonly next: string | null;
}

/**
 * The sessions under a filter as one list of `total` rows, of which a prefix is loaded. Cursors are opaque, so pages
 * are read one after another up to the row that is wanted. Calls are answered in order, one request at a time.
 */
export class SessionList {
  readonly #source: Pick<Api, 'sessions'>;
  #filter: Filter | null = null;
  #pages: readonly LoadedPage[] = [];
  #abort = new AbortController();
  #queue: Promise<void> = Promise.resolve();
  #wanted = 0;

  /** The rows known so far: the first ones of the list. */
  rows = $state.raw<readonly SummaryRow[]>([]);
  total = $state.raw(0);
  /** `loading` until the first page of a filter is there; the old rows stay meanwhile. */
  phase = $state.raw<'loading' | 'ready' | 'failed'>('loading');
  /** What went wrong last; null when the last request was answered. */
  error = $state.raw<unknown>(null);

  constructor(source: Pick<Api, 'sessions'>) {
    this.#source = source;
  }

  /** Shows another filter from its first page. */
  show(filter: Filter): Promise<void> {
    this.stop();
    this.#filter = filter;
    this.#pages = [];
    this.#wanted = 0;
    this.phase = 'loading';
    return this.ensure(0);
  }

  /** Reads pages until row `index` is loaded, or the list has no more. */
  ensure(index: number): Promise<void> {
    this.#wanted = Math.max(this.#wanted, index);
    return this.#enqueue(async (signal) => {
      while (this.#hasMore() && this.#loaded() <= this.#wanted) {
        const pages = [...this.#pages, await this.#fetch(this.#pages.at(-1)?.next ?? null, signal)];
        this.#publish(pages, signal);
      }
    });
  }

  /**
   * Reads the pages that hold rows `first … last` again and swaps them in at once. Pages behind them stay while the
   * cursors still join; otherwise they are dropped and read again when they are wanted.
   */
  refresh(first: number, last: number): Promise<void> {
    return this.#enqueue(async (signal) => {
      if (this.#pages.length === 0) return;
      const begin = this.#pageOf(first);
      const end = this.#pageOf(last);
      const pages = this.#pages.slice(0, begin);
      let cursor = this.#pages[begin]?.cursor ?? null;
      for (let index = begin; index <= end; index++) {
        const page = await this.#fetch(cursor, signal);
        pages.push(page);
        if (page.next === null) break;
        cursor = page.next;
      }
      const rest = this.#pages.slice(end + 1);
      const joins = pages.length === end + 1 && rest[0]?.cursor === pages.at(-1)?.next;
      this.#publish(joins ? [...pages, ...rest] : pages, signal);
    });
  }

  /** Asks again for what failed. */
  retry(): Promise<void> {
    if (this.#filter === null) return Promise.resolve();
    return this.#pages.length === 0 ? this.show(this.#filter) : this.ensure(this.#wanted);
  }

  /** Ends what is being asked. */
  stop(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#queue = Promise.resolve();
  }

  #enqueue(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#abort;
    this.#queue = this.#queue.then(async () => {
      if (signal.aborted) return;
      try {
        await work(signal);
        if (!signal.aborted) this.error = null;
      } catch (error) {
        if (signal.aborted || isAbort(error)) return;
        this.error = error;
        if (this.#pages.length === 0) this.phase = 'failed';
      }
    });
    return this.#queue;
  }

  async #fetch(cursor: string | null, signal: AbortSignal): Promise<LoadedPage> {
    const query = { ...this.#filter, cursor: cursor ?? undefined, limit: cursor === null ? FIRST_PAGE : PAGE };
    const page = await this.#source.sessions(query, signal);
    signal.throwIfAborted();
    this.total = page.total;
    return { cursor, rows: page.items, next: page.nextCursor };
  }

  #publish(pages: readonly LoadedPage[], signal: AbortSignal): void {
    signal.throwIfAborted();
    this.#pages = pages;
    this.rows = pages.flatMap((page) => page.rows);
    this.phase = 'ready';
  }

  #hasMore(): boolean {
    const last = this.#pages.at(-1);
    return last === undefined || last.next !== null;
  }

  #loaded(): number {
    return this.#pages.reduce((sum, page) => sum + page.rows.length, 0);
  }

  /** The loaded page that holds a row; the last one for rows that are not loaded. */
  #pageOf(row: number): number {
    let before = 0;
    for (const [index, page] of this.#pages.entries()) {
      before += page.rows.length;
      if (row < before) return index;
    }
    return this.#pages.length - 1;
  }
}
