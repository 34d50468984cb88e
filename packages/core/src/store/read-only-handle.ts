import type { BlobStore } from '../blobs/blob-store.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import type { Problem } from '../problems.ts';
import type { AccessMode, LogRecord, SessionHandle } from './session-store.ts';

/** What all handles for reading have in common: whatever would write is refused. */
export abstract class ReadOnlyHandle implements SessionHandle {
  readonly mode: AccessMode = 'read';
  readonly stored = true;
  readonly path: string;
  onForeign = null;
  #closed = false;

  constructor(path: string) {
    this.path = path;
  }

  abstract get header(): SessionHeader;
  abstract get revision(): string;
  abstract get rewriteRequired(): boolean;
  abstract get problems(): readonly Problem[];
  abstract get blobs(): BlobStore;
  abstract get artifactsDir(): string | null;
  abstract read(offset?: number, limit?: number): Promise<LogRecord[]>;
  abstract readSync(offset?: number, limit?: number): LogRecord[];
  abstract log(): AsyncIterable<Uint8Array>;

  append(): Promise<void> {
    return Promise.reject(this.refusal());
  }

  appendSync(): void {
    throw this.refusal();
  }

  replace(): Promise<void> {
    return Promise.reject(this.refusal());
  }

  replaceSync(): void {
    throw this.refusal();
  }

  noticeEdits(): Promise<void> {
    return Promise.reject(this.refusal());
  }

  updateHeader(): Promise<void> {
    return Promise.reject(this.refusal());
  }

  checkSync(): void {
    this.checkOpen();
  }

  async flush(): Promise<void> {
    this.checkOpen();
  }

  flushSync(): void {
    this.checkOpen();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  /** What writing is answered with. */
  protected abstract refusal(): SessionStoreError;

  /** @throws `storage_closed` */
  protected checkOpen(): void {
    if (this.#closed) throw new SessionStoreError('storage_closed', 'The session is closed.', { path: this.path });
  }
}
