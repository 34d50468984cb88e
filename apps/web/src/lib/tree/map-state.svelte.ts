import type { SessionView } from '../session/session-view.svelte.ts';
import { layoutTree } from './layout.ts';
import { MAP } from './measures.ts';
import { runLens } from './run-lens.ts';
import type { Scene } from './scene.svelte.ts';
import { buildTree, leadRow, runsOnPath, stopAt } from './tree-model.ts';
import { indexMap, type MapRect } from './visible.ts';
import { moveFocus, walkRuns, type Focus } from './walk.ts';

/** Entries that an opened run shows at once. */
export const WINDOW = 40;
/** Heights in an opened run: its first line, and a line that leads to more entries. */
export const CARD_HEAD = 30;
const CARD_FOOT = 6;

export interface OpenWindow {
  /** Rows of the outline. */
  rows: Int32Array;
  earlier: number;
  later: number;
}

/** Where the last compaction's kept entries stand, in map pixels. */
export interface Bracket {
  top: number;
  bottom: number;
}

/** What the map shows of a session: its collapsed tree, which runs are open, and where the keyboard stands. */
export class MapState {
  readonly view: SessionView;
  /** What is drawn; may be a moment behind the view. */
  readonly scene: Scene;
  /** First row of an opened run → entries that it skips. Rows, not runs: those are counted anew for each tree. */
  #open = $state.raw<ReadonlyMap<number, number>>(new Map());
  #focus = $state.raw<{ row: number; inside: boolean } | null>(null);

  readonly #stopRow = $derived.by(() => stopAt(this.scene.children, this.scene.leafRow));
  readonly tree = $derived.by(() => {
    const { columns, children, labels } = this.scene;
    return buildTree({ columns, children, labels, stopRow: this.#stopRow });
  });
  readonly onPath = $derived.by(() => runsOnPath(this.tree, this.scene.onPath));
  readonly layout = $derived.by(() => layoutTree(this.tree, { onPath: this.onPath, openHeight: (run) => this.#openHeight(run) }));
  readonly index = $derived(indexMap(this.tree, this.layout));
  readonly walk = $derived(walkRuns(this.tree, this.layout));
  readonly selectedRun = $derived.by(() => this.runOf(this.view.selectedRow));
  readonly leafRun = $derived.by(() => this.runOf(this.scene.leafRow));
  /** Where the keyboard is: where it was left, else at the selection, else at the leaf. */
  readonly focus: Focus = $derived.by(() => this.#focusNow());
  /** What became of the entries of each run; null until it is known. */
  readonly lens = $derived.by(() => runLens(this.tree, this.scene.lens));
  readonly bracket = $derived.by(() => this.#bracket());
  /** Row of a compaction → its number in the file, from 1. */
  readonly compactionNumbers = $derived.by(
    () => new Map(this.scene.compactions.map((compaction, index) => [compaction.row, index + 1])),
  );

  constructor(view: SessionView, scene: Scene = view) {
    this.view = view;
    this.scene = scene;
  }

  runOf(row: number): number {
    return this.tree.runOf[row] ?? -1;
  }

  /** How deep a run stands among the lanes, from 1; for screen readers. */
  level(run: number): number {
    return this.layout.depth[this.layout.laneOf[run] ?? 0] ?? 1;
  }

  /** Where a run or an entry in it stands, with what is drawn around it. */
  rectOf({ run, row }: Focus): MapRect {
    const x = this.layout.x[run] ?? 0;
    const middle = this.yOf(row);
    const [top, bottom] = row >= 0 ? [middle - 14, middle + 14] : [this.layout.y[run] ?? 0, this.layout.bottom[run] ?? 0];
    return { left: x - 2, right: x + 120, top, bottom };
  }

  isOpen(run: number): boolean {
    return this.#open.has(this.tree.first[run] ?? -1);
  }

  canOpen(run: number): boolean {
    return (this.tree.length[run] ?? 0) > 1;
  }

  /** What an opened run shows; null for a closed one. */
  window(run: number): OpenWindow | null {
    const skipped = this.#open.get(this.tree.first[run] ?? -1);
    if (skipped === undefined) return null;
    const start = this.tree.start[run]! + skipped;
    const end = Math.min(start + WINDOW, this.tree.start[run + 1]!);
    return { rows: this.tree.rows.subarray(start, end), earlier: skipped, later: this.tree.start[run + 1]! - end };
  }

  /** Opens a run where the selection or the leaf is, else at its beginning, or closes it. */
  toggle(run: number): void {
    if (!this.canOpen(run)) return;
    const open = new Map(this.#open);
    if (!open.delete(this.tree.first[run]!)) open.set(this.tree.first[run]!, this.#windowAround(run));
    this.#open = open;
    if (this.focus.run === run) this.setFocus({ run, row: -1 });
  }

  /** Moves the window of an opened run by a window's length. */
  page(run: number, direction: -1 | 1): void {
    const skipped = this.#open.get(this.tree.first[run]!);
    if (skipped !== undefined) this.#setWindow(run, skipped + direction * WINDOW);
  }

  setFocus(focus: Focus): void {
    const row = focus.row >= 0 ? focus.row : (this.tree.first[focus.run] ?? -1);
    this.#focus = row < 0 ? null : { row, inside: focus.row >= 0 };
  }

  /** Moves the focus by a key; says whether it moved. */
  move(key: string): boolean {
    const { tree, walk, layout } = this;
    if (key === 'ArrowRight' && this.focus.row < 0 && this.canOpen(this.focus.run) && !this.isOpen(this.focus.run)) {
      this.toggle(this.focus.run);
      return true;
    }
    if (key === 'ArrowLeft' && this.focus.row < 0 && this.isOpen(this.focus.run)) {
      this.toggle(this.focus.run);
      return true;
    }
    const next = moveFocus(key, this.focus, { tree, walk, layout, shownRows: (run) => this.window(run)?.rows ?? null });
    if (next) this.setFocus(next);
    return next !== null;
  }

  /** Selects the entry that the focus stands for and shows its branch. */
  choose(focus: Focus = this.focus): void {
    if (focus.run < 0) return;
    this.setFocus(focus);
    this.view.showPathOf(focus.row >= 0 ? focus.row : leadRow(this.tree, this.scene.columns, focus.run));
  }

  /** Middle of an entry, in map pixels from the top. */
  yOf(row: number): number {
    const run = this.runOf(row);
    if (run < 0) return 0;
    const { rows, start, length } = this.tree;
    const place = rows.subarray(start[run]!, start[run + 1]!).indexOf(row);
    const shown = this.window(run);
    const top = this.layout.y[run]!;
    if (!shown) return top + (this.layout.height[run]! * (place + 0.5)) / length[run]!;
    const line = Math.min(Math.max(place - shown.earlier, -1), WINDOW) + (shown.earlier > 0 ? 1 : 0);
    return top + CARD_HEAD + MAP.row * (line + 0.5);
  }

  #openHeight(run: number): number | undefined {
    const shown = this.window(run);
    if (!shown) return undefined;
    const lines = shown.rows.length + (shown.earlier > 0 ? 1 : 0) + (shown.later > 0 ? 1 : 0);
    return CARD_HEAD + lines * MAP.row + CARD_FOOT;
  }

  /** Entries to skip so that the selection is shown, or the leaf where the run ends in it. */
  #windowAround(run: number): number {
    const row = [this.view.selectedRow, this.scene.leafRow].find((wanted) => this.runOf(wanted) === run);
    if (row === undefined) return 0;
    const place = this.tree.rows.subarray(this.tree.start[run]!, this.tree.start[run + 1]!).indexOf(row);
    return Math.floor(place / WINDOW) * WINDOW;
  }

  #setWindow(run: number, skipped: number): void {
    const most = Math.max(0, this.tree.length[run]! - 1);
    const start = Math.floor(Math.min(Math.max(0, skipped), most) / WINDOW) * WINDOW;
    this.#open = new Map(this.#open).set(this.tree.first[run]!, start);
  }

  #focusNow(): Focus {
    const kept = this.#focus;
    if (kept) {
      const run = this.runOf(kept.row);
      const shown = kept.inside && this.window(run)?.rows.includes(kept.row);
      if (run >= 0) return { run, row: shown ? kept.row : -1 };
    }
    return { run: Math.max(this.selectedRun, -1) >= 0 ? this.selectedRun : this.leafRun, row: -1 };
  }

  #bracket(): Bracket | null {
    const { compactions, onPath } = this.scene;
    // The selected compaction, else the one in force.
    const chosen = onPath[this.view.selectedRow] === 1 ? this.view.selectedRow : -1;
    const last =
      compactions.find((compaction) => compaction.row === chosen) ??
      compactions.findLast((compaction) => onPath[compaction.row] === 1);
    if (!last || last.keptRow < 0 || onPath[last.keptRow] !== 1) return null;
    const top = this.yOf(last.keptRow);
    const bottom = this.layout.y[this.runOf(last.row)] ?? top;
    return bottom > top ? { top, bottom } : null;
  }
}
