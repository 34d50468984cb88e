import { createContext } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';

import type { Api } from '../api/client.ts';
import type * as diffCompute from '../text/diff-compute.ts';
import { loadHighlighter, type CodeHighlighter } from '../text/highlight.ts';
import { LatePart } from './late-part.svelte.ts';

export type TranscriptApi = Pick<Api, 'image' | 'entryRaw' | 'transcript' | 'compactions'>;
/** Computes the differences of edits. */
export type Differ = typeof diffCompute;
export const TRANSCRIPT_TABS = ['full', 'model', 'compactions'] as const;
export type TranscriptTab = (typeof TRANSCRIPT_TABS)[number];

/** A session that this one comes from, or that comes from this one. */
export interface Kin {
  key: string;
  id: string;
  title: string | null;
  isParent: boolean;
}

export interface TranscriptStateOptions {
  /** The session's key. */
  key: string;
  api: TranscriptApi;
  /** Selects an entry and scrolls to it. */
  jump(entryId: string): void;
  /** Shows a row as it is stored. */
  raw(row: number): void;
  /** Address of an entry, for "copy link". */
  linkTo(entryId: string): string;
  /** The sessions that come from this one, and the one that it comes from. */
  kin(): readonly Kin[];
  /** Whether the session is being written. */
  isRunning(): boolean;
}

/** What the blocks of a transcript share: what is open, how to fetch, where to jump. Survives the recycling of rows. */
export class TranscriptState {
  readonly key: string;
  readonly api: TranscriptApi;
  readonly jump: (entryId: string) => void;
  readonly raw: (row: number) => void;
  readonly linkTo: (entryId: string) => string;
  readonly #options: TranscriptStateOptions;
  readonly #open = new SvelteSet<string>();
  readonly #highlighter = new LatePart(loadHighlighter);
  readonly #differ = new LatePart<Differ>(() => import('../text/diff-compute.ts'));

  constructor(options: TranscriptStateOptions) {
    this.key = options.key;
    this.api = options.api;
    this.jump = options.jump;
    this.raw = options.raw;
    this.linkTo = options.linkTo;
    this.#options = options;
  }

  get kin(): readonly Kin[] {
    return this.#options.kin();
  }

  get isRunning(): boolean {
    return this.#options.isRunning();
  }

  /** A session of the family by its id; null where it is not known. */
  kinOf(sessionId: string): Kin | null {
    return this.kin.find(({ id }) => id === sessionId) ?? null;
  }

  /** Colours code; null until its chunk has arrived. Reading it loads the chunk. */
  get highlighter(): CodeHighlighter | null {
    return this.#highlighter.value;
  }

  /** Null until its chunk has arrived. Reading it loads the chunk. */
  get differ(): Differ | null {
    return this.#differ.value;
  }

  isOpen(blockId: string): boolean {
    return this.#open.has(blockId);
  }

  toggle(blockId: string): void {
    if (!this.#open.delete(blockId)) this.#open.add(blockId);
  }
}

/** Set by `Transcript.svelte` for everything inside it. */
export const [getTranscript, setTranscript] = createContext<TranscriptState>();
