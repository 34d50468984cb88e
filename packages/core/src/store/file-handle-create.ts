import { diskCode } from '../disk/disk.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { AtomicReplace } from '../storage/atomic-replace.ts';
import { keepFile } from '../storage/beside.ts';
import { sameBytes, seePath } from '../storage/seen.ts';
import type { LogRecord } from './session-store.ts';
import { runSync } from './steps.ts';
import { StoredBody } from './stored-body.ts';
import { StoredFile } from './stored-file.ts';
import { headResult } from './stored-head.ts';
import { headerLine } from './stored-lines.ts';
import { isSame, seenOf, statOf } from './stored-rewrite.ts';
import type { FileGround } from './stored-state.ts';

/** Enough of a file to know it again. */
interface Content {
  size: number;
  tail: Uint8Array;
}

/** The first write of a session. */
export class NewFile {
  readonly #ground: FileGround;
  readonly #path: string;
  /** What lies at the path without being a session is kept beside it. */
  readonly #displace: boolean;
  /** What the last attempt may have put in place before the disk refused the rest. */
  #attempt: Content | null = null;
  /** What an attempt has surely put in place. */
  #placed: Content | null = null;

  constructor(ground: FileGround, path: string, displace: boolean) {
    this.#ground = ground;
    this.#path = path;
    this.#displace = displace;
  }

  /** Puts the file in place, whole or not at all; the folder must exist. @throws `session_exists`; what the disk says */
  write(header: SessionHeader, entries: readonly LogRecord[]): StoredFile {
    const { disk, stored, durable, forms } = this.#ground;
    const there = statOf(stored, this.#path);
    const isOwn = this.isInPlace();
    if (there !== null && there.size > 0 && !isOwn && !this.#mayDisplace()) throw this.#exists(header);
    const temp = new AtomicReplace(disk, this.#path, { durable });
    try {
      const body = new StoredBody(temp);
      body.line(headerLine(header));
      runSync(body.records(entries, 0, null, forms.prepare));
      body.flush();
      this.#attempt = { size: body.size, tail: body.tail };
      if (there === null) this.#commitNew(temp, header);
      else {
        if (there.size > 0 && !isOwn) keepFile(stored, this.#path, 'damaged', { durable });
        if (!temp.commit(() => isSame(there, statOf(stored, this.#path)))) throw this.#exists(header);
      }
      const head = { header, slot: null, span: { offset: 0, length: body.spans.length(0) } };
      const seen = seenOf(disk, this.#path, body);
      const log = { head, header, spans: body.spans, problems: [], differs: false, tornAt: null, seen };
      return StoredFile.written(
        this.#ground,
        this.#path,
        log,
        entries.map(({ value }) => value),
      );
    } finally {
      // A later attempt may fail before it has changed anything.
      if (temp.committed) this.#placed = this.#attempt;
      temp.abort();
    }
  }

  /** An attempt that failed in the end has put the file in place. */
  isInPlace(): boolean {
    const { disk } = this.#ground;
    if (this.#attempt === null || statOf(disk, this.#path) === null) return false;
    const { size, tail } = seePath(disk, this.#path);
    const isIt = (content: Content | null): boolean => content?.size === size && sameBytes(tail, content.tail);
    return isIt(this.#attempt) || isIt(this.#placed);
  }

  #mayDisplace(): boolean {
    return this.#displace && headResult(this.#ground.disk, this.#path).kind === 'invalid';
  }

  #commitNew(temp: AtomicReplace, header: SessionHeader): void {
    try {
      temp.commitNew();
    } catch (error) {
      throw diskCode(error) === 'EEXIST' ? this.#exists(header) : error;
    }
  }

  #exists({ id }: SessionHeader): SessionStoreError {
    return new SessionStoreError('session_exists', 'There is a session already.', { id, path: this.#path });
  }
}
