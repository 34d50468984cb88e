import type { Context } from '@stemma/api/schemas';

import type { SessionSource } from './source.ts';

export type LensKey = Context['lensKeys'][number];

/** What became of each row in the model's view from one leaf. */
export interface Lens {
  /** Row → index into `keys`; -1 for a row that the answer does not cover. Every compaction has keys of its own. */
  readonly status: Int32Array;
  readonly keys: readonly LensKey[];
}

/** Unfolds runs of `[first row, rows, key]` to one number a row. */
export function decodeLens(context: Pick<Context, 'lens' | 'lensKeys'>, rows: number): Lens {
  const status = new Int32Array(rows).fill(-1);
  for (const [first, length, key] of context.lens) status.fill(key, first, first + length);
  return { status, keys: context.lensKeys };
}

/** The context of the shown leaf, fetched when it is first read and again when leaf or epoch change. */
export class ContextLens {
  #answer = $state.raw<{ at: string; context: Context } | null>(null);
  #failed = $state.raw<{ at: string; error: Error } | null>(null);
  #asked: { at: string; abort: AbortController } | null = null;
  readonly #source: SessionSource;
  readonly #key: string;
  readonly #place: () => { epoch: string; leafId: string } | null;

  /** `place` is reactive: the leaf to ask about, or null while it is not known. */
  constructor(source: SessionSource, key: string, place: () => { epoch: string; leafId: string } | null) {
    this.#source = source;
    this.#key = key;
    this.#place = place;
  }

  /** The answer for the present leaf, or null until it is there. Reading it asks for it. */
  get context(): Context | null {
    const place = this.#place();
    if (!place) return null;
    const at = `${place.epoch} ${place.leafId}`;
    const answer = this.#answer;
    const failed = this.#failed;
    if (answer?.at === at) return answer.context;
    // Readers are deriveds and effects, which must not write state: the request starts just after them.
    if (failed?.at !== at) queueMicrotask(() => void this.#ask(at, place.leafId));
    return null;
  }

  /** The answer before, while the one for the present leaf is on its way. */
  get latest(): Context | null {
    return this.#answer?.context ?? null;
  }

  get error(): Error | null {
    const place = this.#place();
    return place && this.#failed?.at === `${place.epoch} ${place.leafId}` ? this.#failed.error : null;
  }

  close(): void {
    this.#asked?.abort.abort();
  }

  async #ask(at: string, leaf: string): Promise<void> {
    if (this.#asked?.at === at) return;
    this.#asked?.abort.abort();
    const abort = new AbortController();
    this.#asked = { at, abort };
    try {
      const context = await this.#source.context(this.#key, { leaf, entries: '0' }, abort.signal);
      if (!abort.signal.aborted) this.#answer = { at, context };
    } catch (error) {
      if (!abort.signal.aborted) this.#failed = { at, error: error as Error };
    } finally {
      if (this.#asked?.at === at) this.#asked = null;
    }
  }
}
