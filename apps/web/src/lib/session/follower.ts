/** The part of `document` that says whether the page is seen. */
export type Visibility = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;

export interface FollowerOptions {
  /** Looks once whether there is anything new. */
  look(signal: AbortSignal): Promise<void>;
  /** Resolves after so many milliseconds, or rejects when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  page: Visibility;
}

const EVERY_MS = 2_000;
/** A server that does not answer is asked ever less often. */
const SELDOM_MS = 30_000;

/** Looks for news every two seconds while the page is seen, until it is stopped. */
export class Follower {
  readonly #options: FollowerOptions;
  #abort: AbortController | null = null;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Does nothing when it runs already. */
  start(): void {
    if (this.#abort) return;
    this.#abort = new AbortController();
    void this.#run(this.#abort.signal);
  }

  stop(): void {
    this.#abort?.abort();
    this.#abort = null;
  }

  async #run(signal: AbortSignal): Promise<void> {
    let pause = EVERY_MS;
    while (!signal.aborted) {
      try {
        await this.#options.wait(pause, signal);
        await this.#untilSeen(signal);
        await this.#options.look(signal);
        pause = EVERY_MS;
      } catch (error) {
        // Stopped, or the server did not answer: what is shown stays, and it is asked again.
        if (!(error instanceof Error)) throw error;
        pause = Math.min(SELDOM_MS, pause * 2);
      }
    }
  }

  #untilSeen(signal: AbortSignal): Promise<void> {
    const { page } = this.#options;
    if (page.visibilityState === 'visible' || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const look = (): void => {
        if (page.visibilityState !== 'visible' && !signal.aborted) return;
        page.removeEventListener('visibilitychange', look);
        signal.removeEventListener('abort', look);
        resolve();
      };
      page.addEventListener('visibilitychange', look);
      signal.addEventListener('abort', look);
    });
  }
}
