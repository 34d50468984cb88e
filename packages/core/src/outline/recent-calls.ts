/** Results follow their calls closely; older calls are forgotten. */
const MOST = 1024;

/** The last calls, and those before them. */
export interface RecentCallsState {
  titles: Map<string, string>;
  older: Map<string, string>;
}

/** What the latest tool calls do, by their ids: results are shown by what they answer. The last `MOST` are known, twice as many at most. */
export class RecentCalls {
  #titles = new Map<string, string>();
  #older = new Map<string, string>();

  state(): RecentCallsState {
    return { titles: this.#titles, older: this.#older };
  }

  restore({ titles, older }: RecentCallsState): void {
    this.#titles = titles;
    this.#older = older;
  }

  put(id: string, title: string): void {
    if (this.#titles.size >= MOST) {
      this.#older = this.#titles;
      this.#titles = new Map();
    }
    this.#titles.set(id, title);
  }

  /** The title of a call, or undefined. It stays open: other branches answer it too. */
  titleOf(id: string): string | undefined {
    return this.#titles.get(id) ?? this.#older.get(id);
  }
}
