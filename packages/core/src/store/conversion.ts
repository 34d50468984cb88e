import { createHash } from 'node:crypto';
import * as path from 'node:path';

import { codecFor } from '../codec/registry.ts';
import { ZstdDisk } from '../codec/zstd/zstd-disk.ts';
import { diskCode, type Disk, type DiskStat } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import { SessionDecoder } from '../logs/session-decoder.ts';
import { logName, logsAmong, otherEncoding, supersededMark, type LogEncoding } from '../shapes/projects.ts';
import { AtomicReplace } from '../storage/atomic-replace.ts';
import { moveBeside } from '../storage/beside.ts';
import { leftoversOf } from '../storage/leftovers.ts';
import { isAbsent, PRIVATE_FILE, removeIfPossible } from '../storage/names.ts';
import { nodeDecodeUtf8 } from './bodies.ts';
import type { ConvertedSession, ConvertOptions } from './convert.ts';
import { isHarnessHeader } from '../logs/dsh/header.ts';
import { headOfPath } from './stored-head.ts';
import { isSame, statOf } from './stored-rewrite.ts';

/** What was found of a log while it was read. */
interface Content {
  hash: string;
  /** Decoded. */
  bytes: number;
  entries: number;
  /** Not all bytes could be decoded. */
  isDamaged: boolean;
}

interface Reading {
  /** By which the encoding is known. */
  name: string;
  size: number;
  /** Part of the work that is done before it. */
  done: number;
  take: (bytes: Uint8Array) => void;
}

/** How much of the work each of two readings is. */
const HALF = 0.5;

/** One log on its way to the other encoding. Errors of the disk are its own. For who has the locks of both names. */
export class Conversion {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #old: string;
  readonly #new: string;
  /** While it is there and the new log, too, the old one counts no more. */
  readonly #mark: string;
  readonly #options: ConvertOptions;

  /** @param disk with the bytes as they are stored  @param log in a session's own directory */
  constructor(disk: Disk, log: string, options: ConvertOptions) {
    const [folder, name] = [path.dirname(log), path.basename(log)];
    this.#disk = disk;
    this.#folder = folder;
    this.#old = log;
    this.#new = path.join(folder, otherEncoding(name));
    this.#mark = path.join(folder, supersededMark(name));
    this.#options = options;
  }

  /** The log's, and that in the other encoding. */
  get names(): readonly string[] {
    return [this.#old, this.#new];
  }

  async to(encoding: LogEncoding): Promise<ConvertedSession> {
    const stat = this.#check();
    this.#sweep();
    const left = this.#clear();
    if (logName(path.basename(this.#old))?.encoding === encoding)
      return { log: this.#old, changed: false, kept: left, sizeBefore: stat.size, sizeNow: stat.size };
    if (statOf(this.#disk, this.#new) !== null)
      throw new SessionStoreError('session_exists', 'The directory has a log in the other encoding, too.', { path: this.#new });
    const { sizeNow, isSafe } = await this.#publish(stat);
    const kept = isSafe ? this.#retire(stat) : this.#old;
    return { log: this.#new, changed: true, kept, sizeBefore: stat.size, sizeNow };
  }

  #check(): DiskStat {
    const { header } = headOfPath(new ZstdDisk(this.#disk), this.#old);
    if (isHarnessHeader(header))
      throw new SessionStoreError('unsupported', 'Logs of DeepSeek Harness are not written.', { path: this.#old });
    return this.#disk.statSync(this.#old);
  }

  /** Removes unfinished contents of both names: who has the locks knows that nobody is writing them. Locks in the making are others'. */
  #sweep(): void {
    for (const temp of this.names.flatMap((name) => leftoversOf(this.#disk, name).temps))
      if (!path.basename(temp).startsWith('..')) removeIfPossible(this.#disk, temp);
  }

  /**
   * Puts aside what an earlier conversion that was killed had no time to remove: it counts no more, and may still have what
   * others wrote to it. Answers where it is.
   */
  #clear(): string | null {
    const names = this.#disk.readdirSync(this.#folder).map(({ name }) => name);
    const name = path.basename(this.#new);
    const mark = supersededMark(name);
    const isOver = names.includes(name) && names.includes(mark) && !logsAmong(names).includes(name);
    const kept = isOver ? moveBeside(this.#disk, this.#new, 'before') : null;
    for (const left of [mark, path.basename(this.#mark)])
      if (names.includes(left)) this.#disk.unlinkSync(path.join(this.#folder, left));
    return kept;
  }

  /** Puts the new log in place: from then on it counts, and the old one no more. `isSafe`: also from a power failure. */
  async #publish(stat: DiskStat): Promise<{ sizeNow: number; isSafe: boolean }> {
    const disk = this.#disk;
    // The old log goes: the new one must last, whatever the store asks for.
    const target = new AtomicReplace(new ZstdDisk(disk), this.#new, { durable: true });
    let sizeNow = 0;
    try {
      await this.#write(target, stat);
      sizeNow = disk.statSync(target.temp).size;
      this.#options.signal?.throwIfAborted();
      disk.openSync(this.#mark, 'create', PRIVATE_FILE).closeSync();
      disk.syncDirectorySync(this.#folder);
      const asItWas = (): boolean => isSame(stat, statOf(disk, this.#old)) && statOf(disk, this.#new) === null;
      if (!target.commit(asItWas))
        throw new SessionStoreError('session_conflict', 'Somebody wrote to the session meanwhile.', { path: this.#old });
      return { sizeNow, isSafe: true };
    } catch (error) {
      if (target.committed && diskCode(error) !== null) return { sizeNow, isSafe: false };
      removeIfPossible(disk, this.#mark);
      throw error;
    } finally {
      target.abort();
    }
  }

  /** Writes the new log, and reads it. */
  async #write(target: AtomicReplace, stat: DiskStat): Promise<void> {
    const { size } = stat;
    const old = await this.#read(this.#old, { name: this.#old, size, done: 0, take: (bytes) => target.write(bytes) });
    if (old.isDamaged)
      throw new SessionStoreError('session_invalid', 'Bytes of the log are damaged: the next write to it mends it.', {
        path: this.#old,
      });
    target.seal();
    const made = this.#disk.statSync(target.temp).size;
    const now = await this.#read(target.temp, { name: this.#new, size: made, done: HALF, take: () => undefined });
    if (now.isDamaged || now.hash !== old.hash || now.bytes !== old.bytes || now.entries !== old.entries)
      throw new SessionStoreError('storage_io', 'The new log does not decode to the old one.', { path: this.#new });
    const file = this.#disk.openSync(target.temp, 'readwrite');
    try {
      file.setAccessSync(stat);
      file.setTimeSync(stat.mtimeMs);
      file.syncSync();
    } finally {
      file.closeSync();
    }
  }

  async #read(at: string, { name, size, done, take }: Reading): Promise<Content> {
    const { signal, onProgress } = this.#options;
    const hash = createHash('sha256');
    const decoder = new SessionDecoder({ decode: nodeDecodeUtf8 });
    const decoded = codecFor(name)!.open();
    const file = await this.#disk.openNoFollow(at);
    try {
      let bytes = 0;
      for await (const chunk of decoded.chunks(file, size, signal)) {
        signal?.throwIfAborted();
        hash.update(chunk);
        decoder.push(chunk);
        take(chunk);
        bytes += chunk.length;
        onProgress?.(done + HALF * Math.min(1, decoded.stored / size));
      }
      decoder.settle();
      return { hash: hash.digest('hex'), bytes, entries: decoder.outline.rowCount, isDamaged: decoded.problemsTotal > 0 };
    } finally {
      file.closeSync();
    }
  }

  /** Takes the old log away. Where the disk does not let go of it, it counts no more all the same. Answers where it is; null: gone. */
  #retire(stat: DiskStat): string | null {
    const disk = this.#disk;
    try {
      // From a backup it could come back.
      for (const backup of leftoversOf(disk, this.#old).backups) disk.unlinkSync(backup);
      const isKept = this.#options.keep === true || !isSame(stat, statOf(disk, this.#old));
      const kept = isKept ? moveBeside(disk, this.#old, 'before') : null;
      if (!isKept) disk.unlinkSync(this.#old);
      disk.syncDirectorySync(this.#folder);
      removeIfPossible(disk, this.#mark);
      return kept;
    } catch (error) {
      if (diskCode(error) === null) throw error;
      return isAbsent(error) ? null : this.#old;
    }
  }
}
