import type { SessionView } from '../session/session-view.svelte.ts';
import { Persisted } from '../state/persisted.svelte.ts';
import { FILTERS, outlineRows, type Filter } from './outline-rows.ts';

const isFilter = (value: unknown): value is Filter => FILTERS.some((filter) => filter === value);
const filterChoice = new Persisted<Filter>('stemma.outline', 'default', isFilter);

/** The outline list of a session: its filter, its search text and the rows that they leave. */
export class OutlineState {
  readonly view: SessionView;
  query = $state.raw('');
  #activeRow = $state.raw<number | null>(null);

  readonly shown = $derived.by(() => {
    const { columns, children, onPath, leafRow, labels } = this.view;
    return outlineRows({ columns, children, onPath, leafRow, labels, filter: this.filter, query: this.query });
  });
  readonly rows = $derived([...this.shown.rows]);
  /** Place of the selected entry, or of its nearest visible ancestor; -1 without one. */
  readonly selectedPlace = $derived.by(() => this.placeOf(this.view.selectedRow));
  /** Where the keyboard is: where it was left, else at the selection, else at the leaf. */
  readonly activePlace = $derived.by(() => {
    const kept = this.#activeRow === null ? -1 : this.placeOf(this.#activeRow);
    if (kept >= 0) return kept;
    return this.selectedPlace >= 0 ? this.selectedPlace : Math.max(0, this.placeOf(this.view.leafRow));
  });

  constructor(view: SessionView) {
    this.view = view;
  }

  get filter(): Filter {
    return filterChoice.value;
  }

  set filter(filter: Filter) {
    filterChoice.value = filter;
  }

  placeOf(row: number): number {
    return this.shown.place[row] ?? -1;
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
