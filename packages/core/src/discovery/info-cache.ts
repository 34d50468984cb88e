import type { SessionInfo } from './session-info.ts';

/** Files that are remembered, and characters of their texts together. */
const MOST_FILES = 4096;
const MOST_CHARS = 16 * 1024 * 1024;

interface Known {
  /** Of the file when it was read. */
  stamp: string;
  /** null: it is no session. */
  info: SessionInfo | null;
}

/** What files said, as long as they do not change. What was asked for longest ago goes first. */
export class InfoCache {
  readonly #known = new Map<string, Known>();
  #chars = 0;

  /** undefined: not known. null: known to be no session. */
  get(key: string, stamp: string): SessionInfo | null | undefined {
    const known = this.#known.get(key);
    if (known?.stamp !== stamp) return undefined;
    this.#known.delete(key);
    this.#known.set(key, known);
    return known.info;
  }

  set(key: string, stamp: string, info: SessionInfo | null): void {
    this.#drop(key);
    // One session that would push out most others is read again instead.
    if (chars(info) > MOST_CHARS / 16) return;
    this.#known.set(key, { stamp, info });
    this.#chars += chars(info);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_FILES && this.#chars <= MOST_CHARS) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const known = this.#known.get(key);
    if (known === undefined) return;
    this.#known.delete(key);
    this.#chars -= chars(known.info);
  }
}

function chars(info: SessionInfo | null): number {
  return info === null ? 0 : info.allMessagesText.length + (info.firstMessage?.length ?? 0);
}
