import { Persisted } from '../state/persisted.svelte.ts';

export const PANES = ['tree', 'transcript', 'inspector'] as const;
export type Pane = (typeof PANES)[number];

interface PaneChoice {
  /** CSS pixels. */
  tree: number;
  inspector: number;
  closed: readonly Pane[];
  /** Share of the map in the tree pane, 0 … 1. */
  map: number;
  /** Whether the timeline is shown; absent in what older versions kept. */
  timeline?: boolean;
}

const INITIAL: PaneChoice = { tree: 360, inspector: 320, closed: [], map: 0.66 };
export const NARROWEST = 200;
export const WIDEST = 900;

function isChoice(value: unknown): value is PaneChoice {
  if (typeof value !== 'object' || value === null) return false;
  const { tree, inspector, closed, map } = value as Record<string, unknown>;
  const width = (side: unknown): boolean => typeof side === 'number' && side >= NARROWEST && side <= WIDEST;
  return (
    width(tree) &&
    width(inspector) &&
    typeof map === 'number' &&
    map >= 0 &&
    map <= 1 &&
    Array.isArray(closed) &&
    closed.length < PANES.length
  );
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** Widths of the panes and which are closed; remembered, and the same for all sessions. */
class PaneState {
  /** The pane that a narrow page shows: there they are tabs. */
  tab = $state.raw<Pane>('transcript');
  readonly #choice = new Persisted<PaneChoice>('stemma.panes', INITIAL, isChoice);

  width(pane: 'tree' | 'inspector'): number {
    return this.#choice.value[pane];
  }

  setWidth(pane: 'tree' | 'inspector', pixels: number): void {
    this.#choice.value = { ...this.#choice.value, [pane]: Math.round(clamp(pixels, NARROWEST, WIDEST)) };
  }

  get mapShare(): number {
    return this.#choice.value.map;
  }

  set mapShare(share: number) {
    this.#choice.value = { ...this.#choice.value, map: clamp(share, 0.15, 0.85) };
  }

  get hasTimeline(): boolean {
    return this.#choice.value.timeline !== false;
  }

  toggleTimeline(): void {
    this.#choice.value = { ...this.#choice.value, timeline: !this.hasTimeline };
  }

  /** Brings a pane to the reader: opens it, and chooses its tab where panes are tabs. */
  reveal(pane: Pane): void {
    this.tab = pane;
    if (!this.isOpen(pane)) this.toggle(pane);
  }

  isOpen(pane: Pane): boolean {
    return !this.#choice.value.closed.includes(pane);
  }

  /** Shows or hides a pane; the last one stays. */
  toggle(pane: Pane): void {
    const { closed } = this.#choice.value;
    const next = closed.includes(pane) ? closed.filter((other) => other !== pane) : [...closed, pane];
    if (next.length < PANES.length) this.#choice.value = { ...this.#choice.value, closed: next };
  }
}

export const panes = new PaneState();
