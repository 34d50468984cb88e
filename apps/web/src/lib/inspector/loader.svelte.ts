/** What to load: `at` names it, two places with the same name are the same. */
export interface Place {
  readonly at: string;
}

/**
 * An answer that belongs to a place (an entry, a leaf). Read in a template it is loaded, and loaded again when the
 * place changes; a request for a place that was left is aborted.
 */
export class Loader<P extends Place, T> {
  #answer = $state.raw<{ at: string; value: T } | null>(null);
  #failed = $state.raw<{ at: string; error: Error } | null>(null);
  #asked: { at: string; abort: AbortController } | null = null;
  readonly #place: () => P | null;
  readonly #load: (place: P, signal: AbortSignal) => Promise<T>;
  readonly #delayMs: number;

  /** `place` is reactive; null while it is not known. `delayMs` waits for the reader to stand still. */
  constructor(place: () => P | null, load: (place: P, signal: AbortSignal) => Promise<T>, delayMs = 0) {
    this.#place = place;
    this.#load = load;
    this.#delayMs = delayMs;
  }

  /** The answer for the present place, or null until it is here. */
  get value(): T | null {
    const place = this.#place();
    if (place === null) return null;
    if (this.#answer?.at === place.at) return this.#answer.value;
    // Readers are deriveds and effects, which must not write state: the request starts just after them.
    if (this.#failed?.at !== place.at) queueMicrotask(() => void this.#ask(place));
    return null;
  }

  /** The present answer, or while it is on its way the one before. */
  get latest(): T | null {
    return this.value ?? this.#answer?.value ?? null;
  }

  /** Why the present place could not be loaded, or null. */
  get error(): Error | null {
    return this.#failed !== null && this.#failed.at === this.#place()?.at ? this.#failed.error : null;
  }

  retry(): void {
    this.#failed = null;
  }

  close(): void {
    this.#asked?.abort.abort();
  }

  async #ask(place: P): Promise<void> {
    if (this.#asked?.at === place.at) return;
    this.#asked?.abort.abort();
    const abort = new AbortController();
    this.#asked = { at: place.at, abort };
    try {
      if (this.#delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.#delayMs));
      if (abort.signal.aborted) return;
      const value = await this.#load(place, abort.signal);
      if (!abort.signal.aborted) this.#answer = { at: place.at, value };
    } catch (error) {
      if (!abort.signal.aborted) this.#failed = { at: place.at, error: error as Error };
    } finally {
      if (this.#asked?.abort === abort) this.#asked = null;
    }
  }
}
