import { readSpanSync, type Disk, type DiskFile, type DiskStat } from '../../disk/disk.ts';
import { ZstdBytes } from './zstd-bytes.ts';

/** What is known of the frames of one file. */
export interface DecodedState {
  bytes: ZstdBytes;
  /** Stored bytes that were there when it was last decoded to its end; -1 where that was never done. */
  decodedTo: number;
  /** Of the file then. */
  mtimeNs: bigint | null;
  /** The last stored bytes before `decodedTo`: another file may get the same number. */
  mark: Uint8Array;
}

/** What a failed write may have left behind the good end of a file. */
export interface Debt {
  /** Stored bytes that are good. */
  size: number;
  frame: Uint8Array;
}

const MARK_BYTES = 64;
/** Files whose frames are remembered. */
const KEPT = 32;

/** What is known of files by their numbers, so that one that only grew is not decoded again. */
export class DecodedStates {
  readonly disk: Disk;
  /** Least recently used first. */
  readonly #states = new Map<string, DecodedState>();
  readonly #debts = new Map<string, Debt>();

  constructor(disk: Disk) {
    this.disk = disk;
  }

  /** The state of a file that is as it was when it was decoded to its end; null where that is not known. */
  current(stat: DiskStat): DecodedState | null {
    const state = this.#states.get(numberOf(stat));
    return state !== undefined && state.decodedTo === stat.size && state.mtimeNs === stat.mtimeNs ? state : null;
  }

  /** The state of an open file; a new one unless it is what it was, or goes on behind that. */
  of(file: DiskFile): DecodedState {
    const stat = file.statSync();
    const key = numberOf(stat);
    const state = this.#states.get(key);
    this.#states.delete(key);
    const isOld = state !== undefined && stat.size >= state.decodedTo && state.decodedTo >= 0 && hasMark(file, state);
    const current = isOld ? state : { bytes: new ZstdBytes(), decodedTo: -1, mtimeNs: null, mark: new Uint8Array(0) };
    this.#states.set(key, current);
    for (const oldest of this.#states.keys()) {
      if (this.#states.size <= KEPT) break;
      this.#states.delete(oldest);
    }
    return current;
  }

  /** Decodes a file to its end. Answers the state. */
  whole(file: DiskFile): DecodedState {
    const state = this.of(file);
    const { mtimeNs } = file.statSync();
    const size = this.#goodSize(file);
    if (state.decodedTo === size && state.mtimeNs === mtimeNs) return state;
    // What could be had of an unfinished end may not be how it went on.
    if (state.bytes.isTorn) state.bytes = new ZstdBytes();
    for (const _piece of state.bytes.chunksSync(file, size));
    this.remember(file, state, size);
    return state;
  }

  /** The file is decoded as far as it is stored now. */
  remember(file: DiskFile, state: DecodedState, size: number): void {
    const length = Math.min(MARK_BYTES, size);
    state.mark = readSpanSync(file, size - length, length);
    state.mtimeNs = file.statSync().mtimeNs;
    state.decodedTo = size;
  }

  /** A frame was written behind all that is known. @param stat of the file now */
  grew(state: DecodedState, frame: Uint8Array, content: Uint8Array, stat: DiskStat): void {
    state.bytes.took(frame.length, content);
    const end = frame.subarray(-MARK_BYTES);
    state.mark = Buffer.concat([state.mark.subarray(end.length - MARK_BYTES), end]).subarray(-MARK_BYTES);
    state.mtimeNs = stat.mtimeNs;
    state.decodedTo = stat.size;
  }

  /** Half a frame that could not be cut off. @param debt null: it is gone */
  owe(file: DiskFile, debt: Debt | null): void {
    const key = numberOf(file.statSync());
    if (debt === null) this.#debts.delete(key);
    else this.#debts.set(key, debt);
  }

  /** Cuts off half a frame that a failed write has left. Bytes of somebody else are never cut. @param file open for writing */
  settle(file: DiskFile): void {
    const debt = this.debtOf(file);
    if (debt === undefined) return;
    if (hasDebt(file, debt)) file.truncateSync(debt.size);
    this.owe(file, null);
  }

  /** Stored bytes without what a failed write of ours has left. */
  #goodSize(file: DiskFile): number {
    const debt = this.debtOf(file);
    return debt !== undefined && hasDebt(file, debt) ? debt.size : file.statSync().size;
  }

  debtOf(file: DiskFile): Debt | undefined {
    return this.#debts.size === 0 ? undefined : this.#debts.get(numberOf(file.statSync()));
  }

  forget(file: DiskFile): void {
    this.#states.delete(numberOf(file.statSync()));
  }
}

function numberOf({ dev, ino }: DiskStat): string {
  return `${String(dev)}:${String(ino)}`;
}

function hasMark(file: DiskFile, { decodedTo, mark }: DecodedState): boolean {
  const now = readSpanSync(file, decodedTo - mark.length, mark.length);
  return now.length === mark.length && Buffer.compare(now, mark) === 0;
}

function hasDebt(file: DiskFile, { size, frame }: Debt): boolean {
  const extra = file.statSync().size - size;
  if (extra <= 0 || extra > frame.length) return false;
  return Buffer.compare(readSpanSync(file, size, extra), frame.subarray(0, extra)) === 0;
}
