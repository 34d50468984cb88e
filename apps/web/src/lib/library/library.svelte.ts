import type { Health, Project, Roots } from '@stemma/api/schemas';
import { untrack } from 'svelte';
import type { VirtualizerHandle } from 'virtua/svelte';

import { api, type Api } from '../api/client.ts';
import { isAbort } from '../api/errors.ts';
import type { Filter } from './filter.ts';
import { SessionList } from './session-list.svelte.ts';

type CacheSnapshot = ReturnType<VirtualizerHandle['getCache']>;

/** Between two looks at the progress, while the server counts. */
const POLL = 1500;

type Source = Pick<Api, 'health' | 'roots' | 'projects' | 'sessions'>;

/**
 * What the library page knows: the list, the places, the server's progress. One for the whole life of the page, so
 * that coming back from a session finds the list as it was left.
 */
export class Library {
  readonly #source: Source;
  #abort: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly list: SessionList;
  health = $state.raw<Health | null>(null);
  roots = $state.raw<Roots | null>(null);
  projects = $state.raw<readonly Project[]>([]);
  /** Whether the last look at the server failed. */
  unreachable = $state.raw(false);
  /** Rows in the window now; the list says so when it scrolls. Not reactive: read when a page is refreshed. */
  visible = { first: 0, last: 0 };
  /** The query whose sessions are shown. */
  query = $state.raw('');
  /** The row that the keyboard stands on. */
  row = $state.raw(0);
  /** Whether the page was left from a row, which then gets the focus back. Not reactive. */
  leftFromRow = false;
  /** The measured heights of the list that showed `query`, so that an offset means the same again. Not reactive. */
  heights: { query: string; sizes: CacheSnapshot } | null = null;
  /** How far the list is scrolled, in px. Not reactive: read when the list is drawn again. */
  offset = 0;

  constructor(source: Source) {
    this.#source = source;
    this.list = new SessionList(source);
  }

  /** Begins to follow the server; answers the function that ends it. Safe in an effect. */
  start(): () => void {
    const abort = new AbortController();
    this.#abort = abort;
    const { signal } = abort;
    // Someone who comes back to the tab wants to see what has happened meanwhile.
    const returned = (): void => {
      if (document.visibilityState === 'visible') void this.#look(signal, true);
    };
    document.addEventListener('visibilitychange', returned, { signal });
    untrack(() => void this.#look(signal));
    return () => {
      abort.abort();
      clearTimeout(this.#timer);
    };
  }

  /**
   * Shows what an address asks for; where it is what was shown last, the list stays and is only read anew. Safe in an
   * effect: follows nothing but its arguments.
   */
  open(filter: Filter, query: string): void {
    untrack(() => {
      if (query === this.query && this.list.rows.length > 0) {
        void this.list.refresh(this.visible.first, this.visible.last);
        return;
      }
      this.query = query;
      this.row = 0;
      this.offset = 0;
      this.leftFromRow = false;
      void this.list.show(filter);
    });
  }

  /** Asks again after a failure, the progress too. */
  retry(): Promise<void> {
    if (this.unreachable && this.#abort !== null) void this.#look(this.#abort.signal);
    return this.list.retry();
  }

  /** Reads progress and places, and the visible rows where they may have changed; goes on as long as the server counts. */
  async #look(signal: AbortSignal, rows = false): Promise<void> {
    clearTimeout(this.#timer);
    const before = this.health?.indexing;
    try {
      const [health, roots, projects] = await Promise.all([
        this.#source.health(signal),
        this.#source.roots(signal),
        this.#source.projects(signal),
      ]);
      this.health = health;
      this.roots = roots;
      this.projects = projects.items;
      this.unreachable = false;
      // After the counting has ended, the last look brings the last figures.
      const counted = before?.running === true && health.indexing.done !== before.done;
      if (this.list.phase === 'failed') await this.list.retry();
      else if (rows || counted) await this.list.refresh(this.visible.first, this.visible.last);
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.unreachable = true;
    }
    const goOn = this.unreachable || this.health?.indexing.running === true;
    if (signal.aborted || !goOn || document.visibilityState === 'hidden') return;
    this.#timer = setTimeout(() => void this.#look(signal), POLL);
  }
}

export const library = new Library(api);
