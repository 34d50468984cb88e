/** Code that is fetched when it is first wanted. */
export class LatePart<T> {
  #value = $state.raw<T | null>(null);
  #asked = false;
  readonly #load: () => Promise<T>;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Null until it has arrived. Reading it fetches it. */
  get value(): T | null {
    if (!this.#asked) {
      this.#asked = true;
      void this.#fetch();
    }
    return this.#value;
  }

  async #fetch(): Promise<void> {
    try {
      this.#value = await this.#load();
    } catch (error) {
      // Browsers throw a TypeError when the chunk cannot be fetched: its work stays undone until the page is loaded again.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}
