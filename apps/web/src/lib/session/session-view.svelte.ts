import type { Context, SessionDetail } from '@stemma/api/schemas';
import { childrenOf, newestLeafBelow, pathMarks, pathTo, type Children } from '@stemma/core/pure';

import { nextTask } from '../state/next-task.ts';
import type { OutlineBuilder, OutlineColumns } from './columns.ts';
import { ContextLens, decodeLens, type Lens } from './lens.svelte.ts';
import { loadOutline, waitFor, type LoadedOutline, type LoadOptions, type OutlineProgress } from './load-outline.ts';
import type { AddressBar, SessionSource } from './source.ts';

const NO_ROWS: OutlineColumns = {
  count: 0,
  id: [],
  parent: new Int32Array(0),
  type: [],
  role: [],
  title: [],
  time: [],
  bytes: [],
  tokens: [],
  flags: [],
};

const MANY_ROWS = 5_000;

/** Something in the address that the session does not hold. */
export interface AddressNotice {
  what: 'leaf' | 'entry';
  id: string;
}

export interface SessionViewOptions {
  source: SessionSource;
  address: AddressBar;
  /** For tests. */
  wait?: LoadOptions['wait'];
}

/**
 * The state of one session page: outline, shown branch and selection. Rows are row numbers of the outline, -1 is none.
 * The branch and the selection live in the address; everything else follows from it and from the outline.
 */
export class SessionView {
  readonly key: string;
  detail = $state.raw<SessionDetail | null>(null);
  /** Null until the outline is complete. */
  outline = $state.raw<OutlineColumns | null>(null);
  epoch = $state.raw<string | null>(null);
  /** Set while the outline is still arriving. */
  progress = $state.raw<OutlineProgress | null>(null);
  /** The reading was stopped by the reader. */
  stopped = $state.raw(false);
  error = $state.raw<Error | null>(null);
  /** "Scroll the transcript to this row"; a new object for every wish, also for the same row. */
  reveal = $state.raw<{ row: number; count: number }>({ row: -1, count: 0 });
  /** Entries that came while another branch than the session's own was shown, and were not waved away. */
  news = $state.raw(0);
  /** The file was replaced by another state of it while the page was open, and that was not waved away. */
  rewritten = $state.raw(false);

  readonly #options: SessionViewOptions;
  readonly #lens: ContextLens;
  #outlineLeaf = $state.raw<string | null>(null);
  #builder: OutlineBuilder | undefined;
  #abort = new AbortController();

  readonly columns = $derived(this.outline ?? NO_ROWS);
  readonly children: Children = $derived(childrenOf(this.columns.parent));
  readonly address = $derived.by(() => this.#options.address.read());
  /** The entry that the address selects, or -1. */
  readonly selectedRow = $derived(this.address.entry === null ? -1 : this.rowOf(this.address.entry));
  /** Where the session itself stands. */
  readonly ownLeafRow = $derived(this.rowOf(this.#outlineLeaf ?? this.detail?.leafId ?? ''));
  /** The leaf of the shown branch: the address's, else the session's, else one below the selected entry. */
  readonly leafRow = $derived.by(() => this.#shownLeaf());
  /** Rows from the root to the leaf, root first. */
  readonly pathRows = $derived(pathTo(this.columns.parent, this.leafRow));
  /** 1 for every row on the shown path. */
  readonly onPath = $derived(pathMarks(this.columns.parent, this.leafRow));
  /** Row → label in force. */
  readonly labels = $derived(new Map((this.detail?.labels ?? []).map((label) => [label.row, label.label])));
  readonly compactions = $derived(this.detail?.compactions ?? []);
  readonly notices = $derived.by(() => this.#notices());
  /** What the model gets at the leaf; null until it is there. Reading it fetches it. */
  readonly contextAnswer: Context | null = $derived.by(() => this.#lens.context ?? this.#contextBefore());
  /** What became of each row in that context; null until it is there. Reading it fetches it. */
  readonly lens: Lens | null = $derived(this.contextAnswer ? decodeLens(this.contextAnswer, this.columns.count) : null);

  constructor(key: string, options: SessionViewOptions) {
    this.key = key;
    this.#options = options;
    this.#lens = new ContextLens(options.source, key, () => {
      const leafId = this.columns.id[this.leafRow];
      return this.epoch !== null && leafId !== undefined ? { epoch: this.epoch, leafId } : null;
    });
  }

  get contextError(): Error | null {
    return this.#lens.error;
  }

  /** Row of an entry id, -1 when the session does not hold it. */
  rowOf(id: string): number {
    const row = this.#builder?.rowOf(id) ?? -1;
    return row < this.columns.count ? row : -1;
  }

  /** Whether the shown branch is where the session itself stands. */
  get isAtOwnLeaf(): boolean {
    return this.leafRow === this.ownLeafRow;
  }

  /** Reads detail and outline; called again it asks only for what is new. Never rejects: see `error`. */
  async load(): Promise<void> {
    this.#abort.abort();
    const abort = (this.#abort = new AbortController());
    this.error = null;
    this.stopped = false;
    try {
      // Side by side: the figures of a long session come only after its outline, whose progress is to be seen.
      await Promise.all([this.#loadDetail(abort.signal), this.#loadRows(abort.signal)]);
      if (!abort.signal.aborted && this.detail?.epoch !== this.epoch) await this.#loadDetail(abort.signal);
    } catch (error) {
      // An abort is a wish of the reader or a newer load, not a failure.
      if (!abort.signal.aborted) this.#fail(abort, error as Error);
    }
  }

  #fail(abort: AbortController, error: Error): void {
    this.error = error;
    this.progress = null;
    abort.abort();
  }

  async #loadDetail(signal: AbortSignal): Promise<void> {
    const detail = await this.#options.source.session(this.key, signal);
    if (!signal.aborted) this.detail = detail;
  }

  async #loadRows(signal: AbortSignal): Promise<void> {
    const onProgress = (progress: OutlineProgress): void => {
      if (!signal.aborted) this.progress = progress;
    };
    const loaded = await this.#askRows(signal, onProgress);
    // Joining many rows, and then all that is made of them, are not to come into the task of the last answer.
    if (loaded.builder.rows > MANY_ROWS) await nextTask();
    if (signal.aborted) return;
    this.#showRows(loaded);
    this.progress = null;
  }

  #askRows(signal: AbortSignal, onProgress: LoadOptions['onProgress']): Promise<LoadedOutline> {
    const { source, wait = waitFor } = this.#options;
    const known = this.#builder;
    return loadOutline(source, this.key, { signal, wait, onProgress, ...(known && { known }) });
  }

  #showRows({ builder, leafId }: LoadedOutline): void {
    const isNew = builder !== this.#builder || builder.rows !== this.outline?.count;
    this.#builder = builder;
    if (isNew) this.outline = builder.build();
    this.epoch = builder.epoch;
    this.#outlineLeaf = leafId;
  }

  /**
   * Looks whether the session has grown. A branch that stood at the session's leaf goes on to the new one; another one
   * stays as it is and `news` counts what came. Rejects when the server does not answer; what is shown stays.
   */
  async refresh(signal: AbortSignal): Promise<void> {
    if (this.outline === null || this.error !== null || this.progress !== null) return;
    const before = this.columns.count;
    const loaded = await this.#askRows(signal, () => undefined);
    const { builder, leafId } = loaded;
    const isSame = builder.epoch === this.epoch;
    const grown = isSame ? builder.rows - before : 0;
    if (signal.aborted || (grown === 0 && isSame && leafId === this.#outlineLeaf)) return;
    const detail = await this.#options.source.session(this.key, signal);
    if (signal.aborted) return;
    // All at once: labels and compactions are told by rows of the same outline.
    const follows = this.isAtOwnLeaf;
    this.#showRows(loaded);
    this.detail = detail;
    this.rewritten ||= !isSame;
    if (follows && this.address.leaf !== null) this.#options.address.write({ ...this.address, leaf: null }, 'replace');
    this.news = this.isAtOwnLeaf ? 0 : this.news + grown;
  }

  /** Shows the session's own branch. */
  showOwnLeaf(): void {
    this.news = 0;
    this.#options.address.write({ ...this.address, leaf: null, entry: null }, 'push');
  }

  /** Stops reading; `load` begins again. */
  stop(): void {
    this.#abort.abort();
    this.stopped = this.outline === null;
    this.progress = null;
  }

  /** Ends all requests; for when the page is left. */
  close(): void {
    this.#abort.abort();
    this.#lens.close();
  }

  /**
   * Moves the selection of tree, transcript and inspector; -1 clears it. The shown branch stays, even when the row is
   * not on it. `scroll: false` is for the transcript itself, which is there already.
   */
  select(row: number, options: { scroll?: boolean } = {}): void {
    const entry = this.columns.id[row] ?? null;
    const leaf = this.address.leaf ?? (entry !== null && this.onPath[row] !== 1 ? this.#leafId() : null);
    this.#options.address.write({ ...this.address, leaf, entry }, 'replace');
    if (entry !== null && options.scroll !== false) this.#reveal(row);
  }

  /** Selects a row and shows a branch that holds it: the present one, else the newest below the row. */
  showPathOf(row: number): void {
    const entry = this.columns.id[row];
    if (entry === undefined) return;
    if (this.onPath[row] === 1) return this.select(row);
    const leafRow = newestLeafBelow(this.columns.parent, row);
    this.#options.address.write({ ...this.address, leaf: this.columns.id[leafRow] ?? null, entry }, 'push');
    this.#reveal(row);
  }

  /** Chooses the inspector's tab; null is the first. */
  setTab(tab: string | null): void {
    this.#options.address.write({ ...this.address, tab }, 'replace');
  }

  /** Chooses the view of the transcript, as a step that one can go back; null is the first. */
  setTranscriptView(view: string | null): void {
    if (view !== this.address.view) this.#options.address.write({ ...this.address, view }, 'push');
  }

  /** Selects the next prompt on the shown path, if there is one. */
  nextPrompt(): void {
    const at = this.#pathIndex();
    this.#selectPrompt(this.pathRows.findIndex((row, index) => index > at && this.isPrompt(row)));
  }

  /** Selects the prompt before the selection; without a selection the last one. */
  prevPrompt(): void {
    const at = this.#pathIndex();
    this.#selectPrompt(this.pathRows.findLastIndex((row, index) => (at < 0 || index < at) && this.isPrompt(row)));
  }

  isPrompt(row: number): boolean {
    return this.columns.type[row] === 'message' && this.columns.role[row] === 'user';
  }

  /** Takes what the session does not hold out of the address. */
  forgetNotices(): void {
    const gone = new Set(this.notices.map((notice) => notice.what));
    const { leaf, entry } = this.address;
    this.#options.address.write(
      { ...this.address, leaf: gone.has('leaf') ? null : leaf, entry: gone.has('entry') ? null : entry },
      'replace',
    );
  }

  /** While a session grows, the context of its last leaf: better than none for the moment until the new one is there. */
  #contextBefore(): Context | null {
    const before = this.#lens.latest;
    const isBefore = before?.epoch === this.epoch && before?.leafId != null && this.onPath[this.rowOf(before.leafId)] === 1;
    return isBefore && this.contextError === null ? before : null;
  }

  #pathIndex(): number {
    return this.onPath[this.selectedRow] === 1 ? this.pathRows.indexOf(this.selectedRow) : -1;
  }

  #selectPrompt(index: number): void {
    const row = this.pathRows[index];
    if (row !== undefined) this.select(row);
  }

  #reveal(row: number): void {
    this.reveal = { row, count: this.reveal.count + 1 };
  }

  #leafId(): string | null {
    return this.columns.id[this.leafRow] ?? null;
  }

  #shownLeaf(): number {
    const asked = this.address.leaf === null ? -1 : this.rowOf(this.address.leaf);
    if (asked >= 0) return asked;
    const own = this.ownLeafRow >= 0 ? this.ownLeafRow : this.columns.count - 1;
    const selected = this.selectedRow;
    if (selected < 0 || pathMarks(this.columns.parent, own)[selected] === 1) return own;
    return newestLeafBelow(this.columns.parent, selected);
  }

  #notices(): AddressNotice[] {
    if (this.outline === null) return [];
    const { leaf, entry } = this.address;
    const notices: AddressNotice[] = [];
    if (leaf !== null && this.rowOf(leaf) < 0) notices.push({ what: 'leaf', id: leaf });
    if (entry !== null && this.rowOf(entry) < 0) notices.push({ what: 'entry', id: entry });
    return notices;
  }
}
