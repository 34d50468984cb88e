import type { SessionView } from '../session/session-view.svelte.ts';

/** What map, outline and timeline draw of a session. A `SessionView` is one. */
export type Scene = Pick<SessionView, 'columns' | 'children' | 'labels' | 'compactions' | 'onPath' | 'leafRow' | 'lens'>;

function copyOf({ columns, children, labels, compactions, onPath, leafRow, lens }: Scene): Scene {
  return { columns, children, labels, compactions, onPath, leafRow, lens };
}

/**
 * A session as one pane sees it: the same as the view, a moment later, in a task of its own. So another branch of a long
 * session is not worked out for all panes at once, which would hold up the page. Make it while a component begins.
 */
export class LateScene implements Scene {
  #now: Scene;
  readonly columns = $derived.by(() => this.#now.columns);
  readonly children = $derived.by(() => this.#now.children);
  readonly labels = $derived.by(() => this.#now.labels);
  readonly compactions = $derived.by(() => this.#now.compactions);
  readonly onPath = $derived.by(() => this.#now.onPath);
  readonly leafRow = $derived.by(() => this.#now.leafRow);
  readonly lens = $derived.by(() => this.#now.lens);

  /** `laterMs` tells the panes apart: each has its own. */
  constructor(view: Scene, laterMs: number) {
    this.#now = $state.raw(copyOf(view));
    $effect(() => {
      const next = copyOf(view);
      const timer = setTimeout(() => (this.#now = next), laterMs);
      return () => clearTimeout(timer);
    });
  }
}

/** How many parts of a page may be there: one at first, then one more in each task, so that no task is long. */
export class Turns {
  reached = $state.raw(0);

  /** Make it while a component begins; `last` is the number of the last part. */
  constructor(last: number) {
    $effect(() => {
      if (this.reached >= last) return;
      const timer = setTimeout(() => (this.reached += 1), 0);
      return () => clearTimeout(timer);
    });
  }
}
