import { tick } from 'svelte';

import type { SessionView } from '../session/session-view.svelte.ts';
import { moveOf, type Move } from './keys.ts';
import type { ListState } from './list.svelte.ts';
import type { TranscriptState } from './state.svelte.ts';

type Selection = Pick<SessionView, 'selectedRow' | 'select' | 'nextPrompt' | 'prevPrompt' | 'columns'>;

/** Keys and clicks of the transcript. */
export class ListInput {
  readonly #list: ListState;
  readonly #view: Selection;
  readonly #transcript: TranscriptState;
  #feed: HTMLElement | null = null;

  constructor(list: ListState, view: Selection, transcript: TranscriptState) {
    this.#list = list;
    this.#view = view;
    this.#transcript = transcript;
  }

  /** For `{@attach}` on the element that scrolls. */
  readonly listen = (feed: HTMLElement): (() => void) => {
    this.#feed = feed;
    const stop = new AbortController();
    const { signal } = stop;
    const release = (): void => this.#list.release();
    feed.addEventListener('click', (event) => this.#click(event), { signal });
    feed.addEventListener('keydown', (event) => this.#key(event), { signal });
    for (const name of ['wheel', 'touchmove', 'pointerdown'] as const) {
      feed.addEventListener(name, release, { signal, passive: true });
    }
    return () => {
      stop.abort();
      this.#list.close();
    };
  };

  /** Brings a row onto the screen; a tool result stands inside the card of its call. */
  async reveal(row: number): Promise<void> {
    const group = this.#list.groups.groupOf[row] ?? -1;
    if (group < 0) return;
    await this.#list.reveal(group, 'start');
    if (document.activeElement === this.#feed) await this.#focus(group);
    if (this.#list.headOf(group) === row) return;
    await tick();
    requestAnimationFrame(() => this.#feed?.querySelector(`.block[data-row="${row}"]`)?.scrollIntoView({ block: 'nearest' }));
  }

  #click(event: MouseEvent): void {
    const target = event.target as Element;
    const selection = getSelection();
    const marking = selection !== null && !selection.isCollapsed && selection.containsNode(target, true);
    if (event.defaultPrevented || marking || target.closest('a, select, .tools, .link') !== null) return;
    const row = Number(target.closest('[data-row]')?.getAttribute('data-row') ?? -1);
    if (row >= 0 && row !== this.#view.selectedRow) this.#view.select(row, { scroll: false });
  }

  #key(event: KeyboardEvent): void {
    const target = event.target as Element;
    const onControl = target.closest('button, a, input, select, textarea') !== null;
    const move = moveOf(event);
    if (move === null || (onControl && (event.key === 'Enter' || target.tagName !== 'BUTTON'))) return;
    event.preventDefault();
    void this.#do(move);
  }

  async #do(move: Move): Promise<void> {
    const count = this.#list.groups.count;
    if (move === 'toggle') this.#toggle();
    else if (move === 'nextPrompt' || move === 'previousPrompt') {
      // The article that has the focus may go; the list keeps it until the prompt is there.
      this.#feed?.focus({ preventScroll: true });
      if (move === 'nextPrompt') this.#view.nextPrompt();
      else this.#view.prevPrompt();
    } else if (move === 'first') await this.#list.reveal(0, 'start');
    else if (move === 'last') await this.#list.reveal(count - 1, 'end');
    else await this.#step(move === 'next' ? 1 : -1);
  }

  async #step(direction: 1 | -1): Promise<void> {
    const at = this.#list.groups.groupOf[this.#view.selectedRow] ?? -1;
    const { first, last } = this.#list.shown;
    const isNear = at >= first && at <= last;
    // From a selection that was scrolled away, the walk goes on at what is on the screen.
    const next = isNear ? this.#list.neighbour(at, direction) : direction === 1 ? first : last;
    if (next < 0) return;
    this.#view.select(this.#list.headOf(next), { scroll: false });
    await this.#list.reveal(next, 'nearest');
    await this.#focus(next);
  }

  async #focus(group: number): Promise<void> {
    await tick();
    this.#feed?.querySelector<HTMLElement>(`article[data-group="${group}"]`)?.focus({ preventScroll: true });
  }

  /** Opens everything that the selected entry or block holds, or closes it when all is open. */
  #toggle(): void {
    const article = this.#feed?.querySelector('article[aria-current]');
    const place = article?.querySelector('.block.selected') ?? article;
    const ids = [...(place?.querySelectorAll('[data-toggle]') ?? [])].map((node) => node.getAttribute('data-toggle') ?? '');
    const closed = ids.filter((id) => !this.#transcript.isOpen(id));
    for (const id of closed.length > 0 ? closed : ids) this.#transcript.toggle(id);
  }
}
