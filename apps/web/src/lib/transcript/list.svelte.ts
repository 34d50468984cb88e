import type { TranscriptQuery } from '@stemma/api/schemas';
import { tick } from 'svelte';
import type { VirtualizerHandle } from 'virtua/svelte';

import { DrawTurns } from './draw-turns.ts';
import { headOf, type Groups } from './groups.ts';
import type { TranscriptStore } from './store.svelte.ts';
import { windowFor, type ListWindow } from './window.ts';

/** Elements of the list that are no groups: the ways out of the window. */
export const EARLIER = -1;
export const LATER = -2;

/** A reader who has asked for a place waits at most so long for its items before the list moves there. */
const PATIENCE_MS = 400;
/** So long a place that was asked for is held while what is above it still changes its height. */
const HOLD_MS = 2_000;
const TOP_OFFSET = -12;
/** A reader so near the end (px) goes on with a path that grows. */
const AT_END = 48;

export type Handle = Pick<
  VirtualizerHandle,
  'scrollToIndex' | 'findItemIndex' | 'getScrollOffset' | 'getViewportSize' | 'getItemOffset'
> &
  Partial<Pick<VirtualizerHandle, 'getScrollSize'>>;

export type Align = 'start' | 'center' | 'end' | 'nearest';

interface Anchor {
  group: number;
  align: Align;
  until: number;
}

/** Position and window of one list of groups. A new path is a new list. */
export class ListState {
  groups: Groups;
  readonly store: TranscriptStore;
  readonly turns = new DrawTurns();
  /** Counts up when the list has to be mounted anew: its window has moved. */
  mounting = $state.raw(0);
  window = $state.raw<ListWindow>({ start: 0, end: 0 });
  /** First and last group on the screen. */
  shown = $state.raw<{ first: number; last: number }>({ first: 0, last: 0 });
  /** Entries that came below a reader who stands further up. */
  fresh = $state.raw(0);
  /** Groups of the window in order, with the ways out at its edges. */
  readonly elements: readonly number[] = $derived.by(() => this.#elements());
  #handle: Handle | null = null;
  #anchor: Anchor | null = null;
  #wish = 0;
  #frame = 0;

  /** Begins at `group`, or at the end when it is -1. */
  constructor(groups: Groups, store: TranscriptStore, group: number) {
    this.groups = $state.raw(groups);
    this.store = store;
    this.#anchor = group >= 0 ? anchor(group, 'start') : anchor(groups.count - 1, 'end');
    this.window = windowFor(this.window, groups.count, this.#anchor.group);
    this.shown = { first: this.#anchor.group, last: this.#anchor.group };
  }

  /** Called when the virtual list is there, or null when it has gone. */
  attach(handle: Handle | null): void {
    this.#handle = handle;
    if (handle && this.#anchor && this.groups.count > 0) void this.reveal(this.#anchor.group, this.#anchor.align);
  }

  /** Brings a group onto the screen; waits a moment for its items, so that it does not move away again. */
  async reveal(group: number, align: Align): Promise<void> {
    if (group < 0 || group >= this.groups.count) return;
    const wish = ++this.#wish;
    const moved = windowFor(this.window, this.groups.count, group);
    this.#anchor = anchor(group, align);
    // A list that is mounted anew calls `attach`, which comes back here.
    if (moved !== this.window) {
      this.window = moved;
      this.mounting++;
      return;
    }
    const index = this.groups.start[group]!;
    this.store.want(index - 8, index + 8, true);
    await Promise.race([this.store.ready(index), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
    await tick();
    if (wish !== this.#wish) return;
    this.#hold();
    this.moved();
  }

  /** The path has grown: what is shown stays where it is, and a reader at the end goes on to the new end. */
  grow(groups: Groups, query: TranscriptQuery, ids: readonly string[]): void {
    const handle = this.#handle;
    const size = handle?.getScrollSize?.() ?? Infinity;
    const isAtEnd = handle !== null && handle.getScrollOffset() + handle.getViewportSize() >= size - AT_END;
    const isWhole = this.window.end === this.groups.count;
    this.fresh += isAtEnd ? 0 : ids.length - this.store.ids.length;
    this.store.grow(ids, query);
    this.groups = groups;
    if (isWhole) this.window = { start: this.window.start, end: groups.count };
    if (isAtEnd) void this.reveal(groups.count - 1, 'end');
    else void tick().then(() => this.moved());
  }

  /** The list was scrolled: tells the store what is shown. */
  moved(): void {
    const handle = this.#handle;
    if (!handle || this.groups.count === 0) return;
    const top = handle.getScrollOffset();
    const first = this.#groupAt(handle.findItemIndex(top));
    const last = this.#groupAt(handle.findItemIndex(top + handle.getViewportSize()));
    this.shown = { first, last };
    if (last >= this.groups.count - 1) this.fresh = 0;
    this.store.want(this.groups.start[first]!, this.groups.start[last + 1]!);
  }

  /** Sizes have changed: the place that was asked for stays where it is for a while. */
  resized(): void {
    if (this.#anchor === null || performance.now() > this.#anchor.until) return this.moved();
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#hold();
      this.moved();
    });
  }

  /** The reader moves on his own: nothing is held any more. */
  release(): void {
    this.#anchor = null;
    this.#wish++;
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.release();
    this.store.close();
  }

  /** The next group in a direction that shows anything, or -1. */
  neighbour(group: number, direction: 1 | -1): number {
    for (let at = group + direction; at >= 0 && at < this.groups.count; at += direction) if (!this.isEmpty(at)) return at;
    return -1;
  }

  /** Whether a loaded group has nothing to show. */
  isEmpty(group: number): boolean {
    for (let index = this.groups.start[group]!; index < this.groups.start[group + 1]!; index++) {
      if (this.store.at(index)?.length !== 0) return false;
    }
    return true;
  }

  /** How far a group is from the place that was asked for, which is 0, or from what is on the screen. */
  away(group: number): number {
    const { first, last } = this.shown;
    return this.#anchor === null ? 1 + Math.max(first - group, group - last, 0) : Math.abs(group - this.#anchor.group);
  }

  /** The row at the top of the screen, or -1 when the reader stands at the end. */
  get placeRow(): number {
    return this.shown.last >= this.groups.count - 1 ? -1 : this.headOf(this.shown.first);
  }

  headOf(group: number): number {
    return headOf(this.groups, group);
  }

  #hold(): void {
    if (this.#anchor === null || !this.#handle) return;
    const { group, align } = this.#anchor;
    const index = group - this.window.start + (this.window.start > 0 ? 1 : 0);
    const last = align === 'end' && group === this.groups.count - 1;
    this.#handle.scrollToIndex(last ? this.elements.length - 1 : index, { align, offset: align === 'start' ? TOP_OFFSET : 0 });
  }

  #groupAt(element: number): number {
    const group = this.elements[Math.min(element, this.elements.length - 1)] ?? 0;
    if (group === EARLIER) return this.window.start;
    return group === LATER ? this.window.end - 1 : group;
  }

  #elements(): readonly number[] {
    const { start, end } = this.window;
    const elements = Array.from({ length: end - start }, (_, index) => start + index);
    if (start > 0) elements.unshift(EARLIER);
    if (end < this.groups.count) elements.push(LATER);
    return elements;
  }
}

function anchor(group: number, align: Align): Anchor {
  return { group, align, until: performance.now() + HOLD_MS };
}
