import { Worker } from 'node:worker_threads';

import type { DecodeRequest, DecodeResult, FromWorker, ToWorker } from './decode-protocol.ts';

interface Job {
  resolve(result: DecodeResult | null): void;
  onProgress(bytes: number): void;
}

/**
 * One thread that decodes whole files, so that the thread that answers people never waits for one. It starts with
 * the first file and keeps no process alive. Where it cannot do the work it says so, and the caller does it.
 */
export class DecodeThread {
  #worker: Worker | null = null;
  readonly #jobs = new Map<number, Job>();
  #next = 1;
  #closed = false;

  /**
   * Decodes a file. null: it cannot be done here, or was cancelled.
   * @param onProgress bytes decoded so far.
   */
  decode(
    request: DecodeRequest,
    options: { signal: AbortSignal; onProgress: (bytes: number) => void },
  ): Promise<DecodeResult | null> {
    if (this.#closed || options.signal.aborted) return Promise.resolve(null);
    const id = this.#next++;
    const worker = this.#start();
    const cancel = (): void => worker.postMessage({ id, cancel: true } satisfies ToWorker);
    options.signal.addEventListener('abort', cancel, { once: true });
    return new Promise<DecodeResult | null>((resolve) => {
      this.#jobs.set(id, { resolve, onProgress: options.onProgress });
      worker.ref();
      worker.postMessage({ id, decode: request } satisfies ToWorker);
    }).finally(() => options.signal.removeEventListener('abort', cancel));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(new URL('./decode-worker.js', import.meta.url));
    worker.unref();
    worker.on('message', (message: FromWorker) => this.#take(message));
    // Out of memory, or a fault of ours: what it was at is done by whoever asked; the next file gets a new thread.
    worker.on('error', () => this.#lose(worker));
    worker.on('exit', () => this.#lose(worker));
    this.#worker = worker;
    return worker;
  }

  #take(message: FromWorker): void {
    const job = this.#jobs.get(message.id);
    if ('bytes' in message) {
      job?.onProgress(message.bytes);
      return;
    }
    this.#jobs.delete(message.id);
    if (this.#jobs.size === 0) this.#worker?.unref();
    job?.resolve('result' in message ? message.result : null);
  }

  #lose(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const jobs = [...this.#jobs.values()];
    this.#jobs.clear();
    for (const job of jobs) job.resolve(null);
  }
}
