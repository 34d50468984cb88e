import { checkBlobs, type BlobState, type Outline, type ProblemList, type SessionFile, type SessionRoot } from '@stemma/core';
import { setTimeout as delay } from 'node:timers/promises';

import type { OpenSession } from '../sessions/open-session.ts';

export interface BlobChecksOptions {
  /** Do people wait for answers? They go first. */
  isBusy: () => boolean;
  /** Told how many of a session's blobs are missing or damaged. */
  onChecked: (key: string, count: number) => void;
  onError: (error: unknown) => void;
}

interface Task {
  key: string;
  epoch: string;
  outline: Outline;
  root: SessionRoot;
  file: SessionFile;
}

const YIELD_MS = 50;
/** Blobs known to be whole that are remembered, so that a session that grows has only its new ones read. */
const MAX_WHOLE = 100_000;

/** Looks in the background, one session at a time, whether the blobs that entries refer to are there and whole. */
export class BlobChecks {
  readonly #options: BlobChecksOptions;
  readonly #abort = new AbortController();
  readonly #queue = new Map<string, Task>();
  /** Sessions with problems. */
  readonly #found = new Map<string, { epoch: string; problems: ProblemList }>();
  readonly #whole = new Set<string>();
  #running: Promise<void> | null = null;

  constructor(options: BlobChecksOptions) {
    this.#options = options;
  }

  /** Puts a decoded session in the queue, unless it refers to no blobs. */
  look({ key, root, file, reader: { epoch, outline } }: OpenSession): void {
    if (outline.blobRows().next().done === true) {
      if (this.#found.delete(key)) this.#options.onChecked(key, 0);
      return;
    }
    this.#queue.set(key, { key, epoch, outline, root, file });
    this.#running ??= this.#run().finally(() => (this.#running = null));
  }

  /** What was found wrong with the blobs of a session; null when nothing was, or not yet. */
  problemsOf({ key, reader }: OpenSession): ProblemList | null {
    const found = this.#found.get(key);
    return found?.epoch === reader.epoch ? found.problems : null;
  }

  /** Resolves when nothing is left to look at (or at close). */
  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  close(): void {
    this.#abort.abort();
    this.#queue.clear();
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    for (let [next] = this.#queue.values(); next !== undefined && !signal.aborted; [next] = this.#queue.values()) {
      this.#queue.delete(next.key);
      try {
        await this.#check(next);
      } catch (error) {
        if (!signal.aborted) this.#options.onError(error);
      }
    }
  }

  async #check({ key, epoch, outline, root, file }: Task): Promise<void> {
    const blobState = (hash: string): Promise<BlobState> => this.#stateOf(root, file, hash);
    const problems = await checkBlobs(outline, { blobState }, this.#abort.signal);
    if (problems.total === 0) this.#found.delete(key);
    else this.#found.set(key, { epoch, problems });
    this.#options.onChecked(key, problems.total);
  }

  async #stateOf(root: SessionRoot, file: SessionFile, hash: string): Promise<BlobState> {
    // Where sessions have their own blobs, another session's is not this one's.
    const name = `${root.idsAreUnique ? file.key : root.id} ${hash}`;
    if (this.#whole.has(name)) return 'present';
    while (this.#options.isBusy() && !this.#abort.signal.aborted) await delay(YIELD_MS, undefined, { ref: false });
    const state = await root.blobState(hash, file);
    if (this.#whole.size >= MAX_WHOLE) this.#whole.clear();
    if (state === 'present') this.#whole.add(name);
    return state;
  }
}
