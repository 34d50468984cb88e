import type { SessionView } from '../session/session-view.svelte.ts';
import { Persisted } from '../state/persisted.svelte.ts';
import { FILTERS, outlineRows, type Filter } from './outline-rows.ts';
import type { Scene } from './scene.svelte.ts';

const isFilter = (value: unknown): value is Filter => FILTERS.some((filter) => filter === value);
const filterChoice = new Persisted<Filter>('stemma.outline', 'default', isFilter);

const NO_FOLDS: ReadonlySet<number> = new Set();

/** The outline list of a session: its filter, its search text, its folds and the rows that they leave. */
export class OutlineState {
  readonly view: SessionView;
  /** What is listed; may be a moment behind the view. */
  readonly scene: Scene;
  #query = $state.raw('');
  #activeRow = $state.raw<number | null>(null);
  #folds = $state.raw(NO_FOLDS);

  readonly shown = $derived.by(() => {
    const { columns, children, onPath, leafRow, labels } = this.scene;
    const { filter, query } = this;
    return outlineRows({ columns, children, onPath, leafRow, labels, filter, query, folds: this.#folds });
  });
  readonly rows = $derived([...this.shown.rows]);
  /** Place of the selected entry, or of its nearest visible ancestor; -1 without one. */
  readonly selectedPlace = $derived.by(() => this.placeOf(this.view.selectedRow));
  /** Where the keyboard is: where it was left, else at the selection, else at the leaf. */
  readonly activePlace = $derived.by(() => {
    const kept = this.#activeRow === null ? -1 : this.placeOf(this.#activeRow);
    if (kept >= 0) return kept;
    return this.selectedPlace >= 0 ? this.selectedPlace : Math.max(0, this.placeOf(this.scene.leafRow));
  });

  constructor(view: SessionView, scene: Scene = view) {
    this.view = view;
    this.scene = scene;
  }

  get filter(): Filter {
    return filterChoice.value;
  }

  /** Another filter or search opens everything: what it finds must not be hidden in a fold. */
  set filter(filter: Filter) {
    this.#folds = NO_FOLDS;
    filterChoice.value = filter;
  }

  get query(): string {
    return this.#query;
  }

  set query(query: string) {
    this.#folds = NO_FOLDS;
    this.#query = query;
  }

  placeOf(row: number): number {
    return this.shown.place[row] ?? -1;
  }

  /** Whether the entry at a place is folded; null where nothing can be folded. */
  foldAt(place: number): boolean | null {
    return this.shown.foldable[place] === 1 ? this.#folds.has(this.rows[place]!) : null;
  }

  /** Folds or unfolds the branch that begins at a place. Folds inside it stay as they are. */
  toggleFold(place: number): void {
    const row = this.rows[place];
    if (row === undefined || this.foldAt(place) === null) return;
    const folds = new Set(this.#folds);
    if (!folds.delete(row)) folds.add(row);
    this.#folds = folds;
  }

  /** The place before or after `place` at which a branch begins that can be folded; at the end the last place. */
  branchFrom(place: number, direction: -1 | 1): number {
    const { foldable } = this.shown;
    for (let at = place + direction; at >= 0 && at < foldable.length; at += direction) if (foldable[at] === 1) return at;
    return direction === -1 ? 0 : Math.max(0, foldable.length - 1);
  }

  /** Puts the keyboard on a place of the list. */
  moveTo(place: number): void {
    this.#activeRow = this.rows[place] ?? null;
  }

  choose(place: number): void {
    const row = this.rows[place];
    if (row === undefined) return;
    this.moveTo(place);
    this.view.showPathOf(row);
  }
}
