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
  /** Key of another session by its id, where it is known. */
  keyOf(sessionId: string): string | null;
}

/** What the blocks of a transcript share: what is open, how to fetch, where to jump. Survives the recycling of rows. */
export class TranscriptState {
  readonly key: string;
  readonly api: TranscriptApi;
  readonly jump: (entryId: string) => void;
  readonly raw: (row: number) => void;
  readonly linkTo: (entryId: string) => string;
  readonly keyOf: (sessionId: string) => string | null;
  readonly #open = new SvelteSet<string>();
  readonly #highlighter = new LatePart(loadHighlighter);
  readonly #differ = new LatePart<Differ>(() => import('../text/diff-compute.ts'));

  constructor(options: TranscriptStateOptions) {
    this.key = options.key;
    this.api = options.api;
    this.jump = options.jump;
    this.raw = options.raw;
    this.linkTo = options.linkTo;
    this.keyOf = options.keyOf;
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
