import { OutlineBuilder, type OutlinePage } from './columns.ts';
import type { SessionSource } from './source.ts';

export interface OutlineProgress {
  bytes: number;
  totalBytes: number;
}

export interface LoadedOutline {
  builder: OutlineBuilder;
  leafId: string | null;
}

export interface LoadOptions {
  signal: AbortSignal;
  /** Resolves after so many milliseconds, or rejects when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  onProgress(progress: OutlineProgress): void;
  /** Rows that are known already; only later ones are asked for while the epoch stays. */
  known?: OutlineBuilder;
}

/** Rows in one answer: few enough that reading one does not hold up the page. */
const PAGE_ROWS = 5_000;
/** Answers on their way at once, so that the server writes one while the page reads another. */
const AT_ONCE = 3;
/** Pause before asking again when the server had nothing new. */
const PAUSE_MS = 150;

/**
 * Asks for the outline page by page until the server says that it is complete. When the epoch changes on the way
 * (the file was rewritten) the rows so far are dropped and it begins again.
 */
export async function loadOutline(source: SessionSource, key: string, options: LoadOptions): Promise<LoadedOutline> {
  let builder = options.known;
  for (;;) {
    const limit = PAGE_ROWS;
    const query = builder ? { from: builder.rows, epoch: builder.epoch, limit } : { from: 0, limit };
    const page: OutlinePage = await source.outline(key, query, options.signal);
    const follows = builder !== undefined && page.epoch === builder.epoch && page.from === builder.rows;
    if (!follows) {
      builder = undefined;
      if (page.from !== 0) continue;
      builder = new OutlineBuilder(page.epoch);
    }
    const target = builder as OutlineBuilder;
    target.add(page);
    if (page.complete) await addRest(source, key, target, page.total, options.signal);
    if (page.complete && target.rows >= page.total) return { builder: target, leafId: page.leafId };
    options.onProgress(page.progress);
    if (page.columns.id.length === 0) await options.wait(PAUSE_MS, options.signal);
    builder = target;
  }
}

/** Adds the rows up to `total` of a session that is complete; stops early when an answer does not go on where it should. */
async function addRest(
  source: SessionSource,
  key: string,
  builder: OutlineBuilder,
  total: number,
  signal: AbortSignal,
): Promise<void> {
  const { epoch } = builder;
  const running: Promise<OutlinePage>[] = [];
  let next = builder.rows;
  const ask = (): void => {
    if (next >= total) return;
    const page = source.outline(key, { from: next, epoch, limit: PAGE_ROWS }, signal);
    // When one fails the others fail with it; the first is the one that is thrown.
    page.catch(() => undefined);
    running.push(page);
    next += PAGE_ROWS;
  };
  for (let i = 0; i < AT_ONCE; i++) ask();
  for (const answer of running) {
    const page = await answer;
    if (page.epoch !== epoch || page.from !== builder.rows) return;
    builder.add(page);
    ask();
  }
}

/** `LoadOptions.wait` on the real clock. */
export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
