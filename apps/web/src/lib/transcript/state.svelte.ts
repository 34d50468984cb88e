import { createContext } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';

import type { Api } from '../api/client.ts';
import { loadHighlighter, type CodeHighlighter } from '../text/highlight.ts';

export type TranscriptApi = Pick<Api, 'image' | 'entryRaw' | 'transcript' | 'compactions'>;
export type TranscriptTab = 'full' | 'model' | 'compactions';

export interface TranscriptStateOptions {
  /** The session's key. */
  key: string;
  api: TranscriptApi;
  /** Selects an entry and scrolls to it. */
  jump(entryId: string): void;
  /** Address of an entry, for "copy link". */
  linkTo(entryId: string): string;
}

/** What the blocks of a transcript share: what is open, how to fetch, where to jump. Survives the recycling of rows. */
export class TranscriptState {
  tab = $state<TranscriptTab>('full');
  readonly key: string;
  readonly api: TranscriptApi;
  readonly jump: (entryId: string) => void;
  readonly linkTo: (entryId: string) => string;
  readonly #open = new SvelteSet<string>();
  #highlighter = $state.raw<CodeHighlighter | null>(null);
  #asked = false;

  constructor(options: TranscriptStateOptions) {
    this.key = options.key;
    this.api = options.api;
    this.jump = options.jump;
    this.linkTo = options.linkTo;
  }

  /** Colours code; null until its chunk has arrived. Reading it loads the chunk. */
  get highlighter(): CodeHighlighter | null {
    if (!this.#asked) {
      this.#asked = true;
      void this.#load();
    }
    return this.#highlighter;
  }

  isOpen(blockId: string): boolean {
    return this.#open.has(blockId);
  }

  toggle(blockId: string): void {
    if (!this.#open.delete(blockId)) this.#open.add(blockId);
  }

  async #load(): Promise<void> {
    try {
      this.#highlighter = await loadHighlighter();
    } catch (error) {
      // Browsers throw a TypeError when the chunk cannot be fetched: code stays plain until the page is loaded again.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}

/** Set by `Transcript.svelte` for everything inside it. */
export const [getTranscript, setTranscript] = createContext<TranscriptState>();
