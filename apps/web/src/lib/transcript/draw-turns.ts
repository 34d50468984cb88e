import { nextTask } from '../state/next-task.ts';

/** Entries that are drawn in one task: a screen full of long answers at once would hold up the page. */
const AT_ONCE = 4;

interface Wish {
  draw: () => void;
  away: () => number;
}

/** Who is drawn when, where a list brings many entries onto the screen at once: a few in each task. */
export class DrawTurns {
  #left = AT_ONCE;
  #isRunning = false;
  readonly #waiting = new Set<Wish>();

  /**
   * Calls `draw` now, as long as this task has room for it, else in a later one: the nearest first. `away` says how far it
   * is from the place that is shown; what is that place itself does not wait.
   *
   * @returns takes the wish back.
   */
  ask(draw: () => void, away: () => number): () => void {
    const wish = { draw, away };
    if ((this.#left > 0 && this.#waiting.size === 0) || away() === 0) {
      this.#left--;
      draw();
    } else this.#waiting.add(wish);
    if (!this.#isRunning) void this.#run();
    return () => this.#waiting.delete(wish);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#left < AT_ONCE || this.#waiting.size > 0) {
      await nextTask();
      const nearest = [...this.#waiting].sort((a, b) => a.away() - b.away()).slice(0, AT_ONCE);
      this.#left = AT_ONCE - nearest.length;
      for (const wish of nearest) {
        this.#waiting.delete(wish);
        wish.draw();
      }
    }
    this.#isRunning = false;
  }
}
