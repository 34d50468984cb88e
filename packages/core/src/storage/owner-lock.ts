import { randomUUID } from 'node:crypto';

import { diskCode, readSpanSync, writeAllSync, type Disk } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import { isAbsent, PRIVATE_FILE, realTarget, removeIfPossible, siblingPath, tempPath } from './names.ts';
import { machineProcesses, type ProcessIdentity, type Processes } from './process-identity.ts';

/** What stands in a lock file. */
interface Owner extends ProcessIdentity {
  /** Tells this ownership from every other. */
  token: string;
}

/** Who cannot be asked whether he is alive counts for so long after the session or its lock was last written. Ms. */
const ELSEWHERE_MS = 60 * 60 * 1000;
/** A lock that cannot be read is one that is being written, for so long. Ms. */
const UNREADABLE_MS = 10_000;
/** Another lock may come up whenever a left one was removed; not so often by accident. */
const ATTEMPTS = 5;
const MAX_LOCK_BYTES = 4096;

/** Ownerships in this process, by disk and path. */
const ours = new WeakMap<Disk, Map<string, OwnerLock>>();

/** Tokens of locks that were given up, and that the disk did not let us remove. */
const left = new Set<string>();

/** Where the lock of a session file lies. */
export function lockPath(file: string): string {
  return siblingPath(file, (base) => `.${base}.owner`);
}

/**
 * Ownership of a session file: one at a time, in this process and in all that share the folder. It is a file beside the
 * session that says which process has it. One that was left by a process that is gone, or by an earlier start of the
 * machine, is removed. Advisory: programs that know nothing of it write all the same, and are found out by what they wrote.
 */
export class OwnerLock {
  readonly #disk: Disk;
  readonly #processes: Processes;
  readonly #now: () => number;
  #file: string;
  #lock: string;
  readonly #token = randomUUID();
  #held = false;
  /** The disk refused something while the lock was made: it may lie there. */
  #mayLie = false;

  /** @param file the session file; it need not exist  @param now epoch ms */
  constructor(disk: Disk, file: string, processes: Processes = machineProcesses(), now: () => number = Date.now) {
    this.#disk = disk;
    this.#processes = processes;
    this.#now = now;
    this.#file = realTarget(disk, file);
    this.#lock = lockPath(this.#file);
  }

  /** The lock file is there and ours. */
  get held(): boolean {
    return this.#held;
  }

  /**
   * Takes the ownership; does nothing where it is held. Where the disk does not let us (the error is the platform's: EACCES, EROFS,
   * ENOSPC, …) the session is ours within this process only; call it again later.
   * @throws `session_owned` with `pid` and `host` of the owner
   */
  acquire(): void {
    if (this.#held) return;
    this.#claim();
    try {
      for (let attempt = 0; attempt < ATTEMPTS && !this.#held; attempt++) {
        if (this.#create() || this.#isOwn()) this.#held = true;
        else this.#clear();
      }
      if (!this.#held) throw this.#owned(null);
      left.delete(this.#token);
    } catch (error) {
      if (error instanceof SessionStoreError) this.#unclaim();
      else this.#mayLie = true;
      throw error;
    }
  }

  /** Gives it up. May be called again, and without having it. A lock that the disk does not let us remove is void all the same. */
  release(): void {
    this.#unclaim();
    if (!this.#held && !this.#mayLie) return;
    this.#held = false;
    this.#mayLie = false;
    try {
      if (!this.#isOwn() || removeIfPossible(this.#disk, this.#lock)) return;
    } catch (error) {
      if (diskCode(error) === null) throw error;
    }
    left.add(this.#token);
  }

  /** The session file was given another folder, and its lock with it: the ownership goes on there. */
  follow(file: string): void {
    const claims = ours.get(this.#disk);
    const isClaimed = claims?.get(this.#file) === this;
    if (isClaimed) claims?.delete(this.#file);
    this.#file = this.#realOf(file);
    this.#lock = lockPath(this.#file);
    if (isClaimed) claims?.set(this.#file, this);
  }

  /** The move is done: what the disk says now does not undo it. */
  #realOf(file: string): string {
    try {
      return realTarget(this.#disk, file);
    } catch (error) {
      if (diskCode(error) === null) throw error;
      return file;
    }
  }

  /** The lock is ours: an earlier attempt made it, and then the disk refused something. */
  #isOwn(): boolean {
    return this.#read()?.owner?.token === this.#token;
  }

  #claim(): void {
    let claims = ours.get(this.#disk);
    if (claims === undefined) ours.set(this.#disk, (claims = new Map()));
    const other = claims.get(this.#file);
    if (other !== undefined && other !== this) throw this.#owned(this.#processes.own);
    claims.set(this.#file, this);
  }

  #unclaim(): void {
    const claims = ours.get(this.#disk);
    if (claims?.get(this.#file) === this) claims.delete(this.#file);
  }

  /** Puts the lock in place, complete from the first instant. False: there is one. */
  #create(): boolean {
    const temp = tempPath(this.#lock);
    this.#write(temp);
    try {
      this.#disk.linkSync(temp, this.#lock);
      return true;
    } catch (error) {
      const code = diskCode(error);
      if (code === 'EEXIST') return false;
      if (code === null || isAbsent(error)) throw error;
    } finally {
      removeIfPossible(this.#disk, temp);
    }
    return this.#createWithoutLinks();
  }

  #createWithoutLinks(): boolean {
    try {
      this.#write(this.#lock);
      return true;
    } catch (error) {
      if (diskCode(error) === 'EEXIST') return false;
      throw error;
    }
  }

  #write(at: string): void {
    const owner: Owner = { ...this.#processes.own, token: this.#token };
    const file = this.#disk.openSync(at, 'create', PRIVATE_FILE);
    try {
      try {
        writeAllSync(file, Buffer.from(JSON.stringify(owner)), 0, at);
      } finally {
        file.closeSync();
      }
    } catch (error) {
      removeIfPossible(this.#disk, at);
      throw error;
    }
  }

  /** Removes a lock that was left. @throws `session_owned` for one that counts */
  #clear(): void {
    const found = this.#read();
    if (found === null) return;
    if (this.#counts(found)) throw this.#owned(found.owner);
    // Others may be about to do the same: who gets the file moved away looks whether it is still the one he judged.
    const taken = tempPath(this.#lock);
    try {
      this.#disk.renameSync(this.#lock, taken);
    } catch (error) {
      if (isAbsent(error)) return;
      throw error;
    }
    if (this.#read(taken)?.text !== found.text) this.#putBack(taken);
    removeIfPossible(this.#disk, taken);
  }

  /** That was another's new lock. */
  #putBack(taken: string): void {
    try {
      this.#disk.linkSync(taken, this.#lock);
    } catch (error) {
      if (diskCode(error) !== 'EEXIST') throw error;
    }
  }

  #counts({ owner, mtimeMs }: Found): boolean {
    const age = this.#now() - mtimeMs;
    if (owner === null) return age < UNREADABLE_MS;
    if (left.has(owner.token)) return false;
    const state = this.#processes.state(owner);
    if (state !== 'elsewhere') return state === 'alive';
    return age < ELSEWHERE_MS || this.#now() - this.#lastWritten() < ELSEWHERE_MS;
  }

  #lastWritten(): number {
    try {
      return this.#disk.statSync(this.#file).mtimeMs;
    } catch (error) {
      if (isAbsent(error)) return 0;
      throw error;
    }
  }

  #read(at = this.#lock): Found | null {
    try {
      const file = this.#disk.openSync(at, 'read');
      try {
        const text = Buffer.from(readSpanSync(file, 0, MAX_LOCK_BYTES)).toString();
        return { text, owner: parseOwner(text), mtimeMs: file.statSync().mtimeMs };
      } finally {
        file.closeSync();
      }
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  #owned(owner: ProcessIdentity | null): SessionStoreError {
    const { pid, host } = owner ?? { pid: null, host: null };
    const who = pid === null ? 'somebody' : `process ${String(pid)}`;
    return new SessionStoreError('session_owned', `The session is open for writing (${who}).`, { path: this.#file, pid, host });
  }
}

interface Found {
  text: string;
  owner: Owner | null;
  mtimeMs: number;
}

function parseOwner(text: string): Owner | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { pid, start, boot, host, token } = value as Partial<Record<keyof Owner, unknown>>;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null;
  if (typeof start !== 'string' || typeof boot !== 'string' || typeof host !== 'string' || typeof token !== 'string') return null;
  return { pid, start, boot, host, token };
}
