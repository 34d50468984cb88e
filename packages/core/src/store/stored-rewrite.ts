import * as path from 'node:path';

import { diskCode, type Disk, type DiskFile, type DiskStat } from '../disk/disk.ts';
import type { FileEntry } from '../entries/entry.ts';
import { AtomicReplace } from '../storage/atomic-replace.ts';
import { keepFile } from '../storage/beside.ts';
import { isAbsent, PRIVATE_FOLDER } from '../storage/names.ts';
import { sameBytes, see, type Seen } from '../storage/seen.ts';
import { look } from './foreign-look.ts';
import { letGo } from './let-go.ts';
import { StoredBody } from './stored-body.ts';
import type { RawSource } from './stored-record.ts';
import { conflict, type FileState } from './stored-state.ts';

/** A new content for a session file. The old one stays valid, and may grow, until `commit`; after an error `end` leaves it as it was. */
export class Rewrite {
  readonly body: StoredBody;
  /** The old content; null where there is none. */
  readonly old: DiskFile | null;
  /** Values that were appended to the old content since. */
  readonly appended: FileEntry[] = [];
  readonly #state: FileState;
  readonly #source: RawSource;
  readonly #temp: AtomicReplace;
  #epoch: number;

  constructor(state: FileState, source: RawSource) {
    const { disk, durable } = state.ground;
    this.#state = state;
    this.#source = source;
    this.#epoch = state.epoch;
    if (state.lost) disk.mkdirSync(path.dirname(state.path), PRIVATE_FOLDER);
    this.old = state.lost ? null : disk.openSync(state.path, 'read');
    try {
      this.#temp = new AtomicReplace(disk, state.path, { durable });
    } catch (error) {
      if (this.old !== null) letGo(this.old);
      throw error;
    }
    this.body = new StoredBody(this.#temp);
    state.journals.add(this.appended);
  }

  /**
   * Keeps a copy of an old content that is not all ours. From here on nothing may pause.
   * @throws `session_conflict` where the old content is not what it was, other than grown
   */
  settle(): void {
    const state = this.#state;
    // What the disk has no room for is known before a copy is kept.
    this.body.flush();
    for (let kept = false; ; kept = true) {
      look(state, this.#source, true);
      state.checkWritable();
      if (state.epoch !== this.#epoch) throw conflict(state.path);
      if (kept || state.lost || state.trusted) return;
      keepIfThere(state);
    }
  }

  /** Puts the new content in place. Answers how the file is known from now on. @throws `session_conflict` */
  commit(): Seen {
    this.body.flush();
    const { lost, file, path } = this.#state;
    if (lost) this.#commitLost();
    else if (!this.#temp.commit(() => file.changed() === 'none')) throw conflict(path);
    return seenOf(this.#state.ground.disk, path, this.body);
  }

  /** Lets go of everything; gives up what was not committed. */
  end(): void {
    this.#state.journals.delete(this.appended);
    if (this.old !== null) letGo(this.old);
    this.#temp.abort();
  }

  #commitLost(): void {
    const { ground, path } = this.#state;
    const there = statOf(ground.stored, path);
    if (there === null) {
      commitNew(this.#temp);
      return;
    }
    if (there.size > 0) keepFile(ground.stored, path, 'damaged', { durable: ground.durable });
    if (!this.#temp.commit(() => isSame(there, statOf(ground.stored, path)))) throw conflict(path);
  }
}

function keepIfThere({ ground, path }: FileState): void {
  try {
    keepFile(ground.stored, path, 'before', { durable: ground.durable });
  } catch (error) {
    // Then the next look says that it is gone.
    if (!isAbsent(error)) throw error;
  }
}

function commitNew(temp: AtomicReplace): void {
  try {
    temp.commitNew();
  } catch (error) {
    throw diskCode(error) === 'EEXIST' ? conflict(temp.path) : error;
  }
}

/** How a file that was written just now is known. What was put in place stays there even where the disk does not tell. */
export function seenOf(disk: Disk, path: string, { size, tail }: { size: number; tail: Uint8Array }): Seen {
  const seen = seenAt(disk, path, size);
  if (seen !== null && seen.size === size && sameBytes(seen.tail, tail)) return seen;
  // Somebody was at it already, or it is not to be seen now: the next look takes it for another file, and reads it.
  return { dev: -1n, ino: -1n, size, mtimeNs: null, tail };
}

/** Null where the disk does not tell. */
export function seenAt(disk: Disk, path: string, size?: number): Seen | null {
  try {
    const file = disk.openSync(path, 'read');
    try {
      return see(file, size);
    } finally {
      letGo(file);
    }
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return null;
  }
}

export function statOf(disk: Disk, path: string): DiskStat | null {
  try {
    return disk.statSync(path);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

export function isSame(one: DiskStat, other: DiskStat | null): boolean {
  return (
    other !== null && one.ino === other.ino && one.dev === other.dev && one.size === other.size && one.mtimeNs === other.mtimeNs
  );
}
