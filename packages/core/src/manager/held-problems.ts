import type { Problem } from '../problems.ts';
import type { SessionLogger } from './options.ts';

/** Problems that are told when nothing is being written any more: who is told of one may append, which is a write of its own. */
export class HeldProblems {
  readonly #told: ((problem: Problem) => void) | undefined;
  readonly #logger: SessionLogger | undefined;
  readonly #waiting: Problem[] = [];
  /** Works on their way. */
  #depth = 0;

  constructor(told: ((problem: Problem) => void) | undefined, logger: SessionLogger | undefined) {
    this.#told = told;
    this.#logger = logger;
  }

  add(problem: Problem): void {
    this.#waiting.push(problem);
    if (this.#depth === 0) queueMicrotask(() => this.#tell());
  }

  /** Does a work; what comes up meanwhile is told after it. */
  during<T>(work: () => T): T {
    this.#depth++;
    try {
      return work();
    } finally {
      this.#depth--;
      this.#tell();
    }
  }

  /** As `during`, for a work that takes its time. */
  async throughout<T>(work: () => Promise<T>): Promise<T> {
    this.#depth++;
    try {
      return await work();
    } finally {
      this.#depth--;
      this.#tell();
    }
  }

  #tell(): void {
    while (this.#depth === 0 && this.#waiting.length > 0) {
      const problem = this.#waiting.shift()!;
      try {
        this.#told?.(problem);
      } catch (error) {
        // Whatever the listener threw: the write it was told of is done.
        this.#logger?.error('Whoever was told of a problem failed.', { code: problem.code, reason: String(error) });
      }
    }
  }
}
