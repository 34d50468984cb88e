import { ApiError } from '../../api/errors.ts';
import type { Api } from '../../api/client.ts';

/** Fetched when they come this near to the screen. */
const MARGIN = '400px';

/** What the server's codes mean for a picture. */
const REASONS: Readonly<Record<string, 'missing' | 'corrupt'>> = {
  blob_missing: 'missing',
  blob_corrupt: 'corrupt',
};

/** One image of an entry: fetched when it comes near the screen, its address taken back when it goes. */
export class PictureState {
  /** A `blob:` address. */
  url = $state.raw<string | null>(null);
  /** Why there is no picture. */
  missing = $state.raw<'missing' | 'corrupt' | 'unreadable' | 'failed' | null>(null);
  readonly #fetch: (signal: AbortSignal) => Promise<Blob>;
  readonly #abort = new AbortController();
  #asked = false;

  constructor(api: Pick<Api, 'image'>, key: string, entryId: string, index: number) {
    this.#fetch = (signal) => api.image(key, entryId, index, signal);
  }

  /** For `{@attach}`: loads once the node is near the screen. */
  watch(node: Element): () => void {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void this.#load();
      },
      { rootMargin: MARGIN },
    );
    observer.observe(node);
    return () => observer.disconnect();
  }

  /** The browser could not draw it. */
  unreadable(): void {
    this.#release();
    this.missing = 'unreadable';
  }

  close(): void {
    this.#abort.abort();
    this.#release();
  }

  #release(): void {
    if (this.url !== null) URL.revokeObjectURL(this.url);
    this.url = null;
  }

  async #load(): Promise<void> {
    if (this.#asked) return;
    this.#asked = true;
    try {
      const blob = await this.#fetch(this.#abort.signal);
      if (this.#abort.signal.aborted) return;
      if (blob.type.startsWith('image/')) this.url = URL.createObjectURL(blob);
      else this.missing = 'unreadable';
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.missing = REASONS[error.code] ?? 'failed';
    }
  }
}
