import type { CompactionReport, Compactions } from '@stemma/api/schemas';

type Load = (cursor: string | undefined, signal: AbortSignal) => Promise<Compactions>;

/** Reports of the compactions of a session, page by page. */
export class CompactionList {
  items = $state.raw<readonly CompactionReport[] | null>(null);
  total = $state(0);
  error = $state.raw<Error | null>(null);
  loading = $state(false);
  readonly #load: Load;
  readonly #abort = new AbortController();
  #cursor: string | null = null;

  /** Begins at once with the first page. */
  constructor(load: Load) {
    this.#load = load;
    void this.more();
  }

  get hasMore(): boolean {
    return this.items !== null && this.items.length < this.total;
  }

  /** Adds the next page; after an error it is asked for again. */
  async more(): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    this.error = null;
    const { signal } = this.#abort;
    try {
      const page = await this.#load(this.#cursor ?? undefined, signal);
      if (signal.aborted) return;
      this.items = [...(this.items ?? []), ...page.items];
      this.#cursor = page.nextCursor;
      this.total = page.nextCursor === null ? this.items.length : page.total;
    } catch (error) {
      if (!signal.aborted) this.error = error as Error;
    } finally {
      this.loading = false;
    }
  }

  close(): void {
    this.#abort.abort();
  }
}
