/** Results follow their calls closely; older calls are forgotten. */
const MOST = 1024;

/** What the latest tool calls do, by their ids: results are shown by what they answer. */
export class RecentCalls {
  #titles = new Map<string, string>();

  state(): Map<string, string> {
    return this.#titles;
  }

  restore(state: Map<string, string>): void {
    this.#titles = state;
  }

  put(id: string, title: string): void {
    this.#titles.delete(id);
    this.#titles.set(id, title);
    if (this.#titles.size <= MOST) return;
    // A Map keeps the order of insertion: the first key is the oldest.
    for (const oldest of this.#titles.keys()) {
      this.#titles.delete(oldest);
      return;
    }
  }

  /** The title of a call, or undefined. It stays open: other branches answer it too. */
  titleOf(id: string): string | undefined {
    return this.#titles.get(id);
  }
}
