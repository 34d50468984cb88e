import { answerLater, answerNow, piecesLater, piecesNow, readInto, spanOf, type Asking, type Pieces } from '../../asking.ts';
import type { DiskFile } from '../../disk/disk.ts';
import { problem, type Problem } from '../../problems.ts';
import { ProblemList } from '../../problem-list.ts';
import type { DecodedBytes } from '../codec.ts';
import { FrameError, zstdEngine } from './engine.ts';
import { FrameIndex, type FrameIndexState } from './frame-index.ts';
import { FrameSpans } from './frame-spans.ts';
import { MAX_WINDOW_BYTES, nextMagic, scanFrame, scanFrameSteps, type Frame, type FrameScan } from './frames.ts';
import { CHUNK_BYTES, mostDecoded, RESYNC_ATTEMPTS, SALVAGED_BYTES, SMALL_BYTES } from './limits.ts';
import { FrameStream, salvageFrame } from './stream.ts';
import { StoredWindow } from './window.ts';

interface BytesState {
  index: FrameIndexState;
  stored: number;
  salvaged: Uint8Array<ArrayBuffer>;
  endsLine: boolean;
  found: Problem[];
  foundTotal: number;
  torn: Problem | null;
}

const LF = 10;
const LINE_END = new Uint8Array([LF]);
const NOTHING = new Uint8Array(0);
const TOO_MUCH = 'The log would decode to far more than its size allows.';

/**
 * A log of frames as its decoded bytes. A frame that cannot be decoded counts as one line feed, so that what stands before and
 * after it does not run together, and is a problem; decoding goes on with the next frame.
 */
export class ZstdBytes implements DecodedBytes {
  readonly #index: FrameIndex;
  readonly #spans: FrameSpans;
  readonly #found: ProblemList;
  #stored = 0;
  /** What was handed out of a frame that is not finished. */
  #salvaged = NOTHING;
  #torn: Problem | null = null;
  /** The frames so far end with a line feed, or there are none. */
  #endsLine = true;
  #attempts = 0;

  constructor(state?: BytesState) {
    this.#index = state === undefined ? new FrameIndex() : FrameIndex.of(state.index);
    this.#spans = new FrameSpans(this.#index);
    this.#found = new ProblemList(state?.found, state?.foundTotal);
    if (state === undefined) return;
    this.#stored = state.stored;
    this.#salvaged = state.salvaged;
    this.#torn = state.torn;
    this.#endsLine = state.endsLine;
  }

  get stored(): number {
    return this.#stored;
  }

  get size(): number {
    return this.#index.size + this.#salvaged.length;
  }

  get problems(): readonly Problem[] {
    return this.#torn === null ? this.#found.items : [...this.#found.items, this.#torn];
  }

  get problemsTotal(): number {
    return this.#found.total + (this.#torn === null ? 0 : 1);
  }

  state(): { data: BytesState; buffers: ArrayBuffer[] } {
    const index = this.#index.state();
    const data: BytesState = {
      index,
      stored: this.#stored,
      salvaged: this.#salvaged,
      endsLine: this.#endsLine,
      found: this.#found.items,
      foundTotal: this.#found.total,
      torn: this.#torn,
    };
    return { data, buffers: [index.stored, index.decoded, index.lengths].map((column) => column.buffer) };
  }

  chunks(file: DiskFile, to: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    return piecesLater(this.#pieces(file, to, signal));
  }

  /** As `chunks`, without waiting. @param handOut decoded bytes that do for a chunk, for who wants few */
  chunksSync(file: DiskFile, to: number, handOut = CHUNK_BYTES): Generator<Uint8Array> {
    return piecesNow(this.#pieces(file, to, undefined, handOut));
  }

  *#pieces(file: DiskFile, to: number, signal?: AbortSignal, handOut = CHUNK_BYTES): Pieces {
    const window = new StoredWindow(file, this.#stored, to);
    const out = new ChunkBuffer();
    // Of the first frame this much was handed out before it was finished.
    let known = this.#salvaged.length;
    this.#salvaged = NOTHING;
    this.#torn = null;
    for (;;) {
      const scan = scanFrame(window.bytes, window.at);
      if (scan.kind === 'frame') {
        const content = this.#decode(window, scan.frame);
        if (content === null) {
          if (out.length > 0) yield out.take();
          yield* this.#decodeLarge(file, window.place, scan.frame, known, signal);
          window.moveTo(this.#stored);
        } else {
          window.skip(scan.frame.length);
          if (content.length > out.room && out.length > 0) yield out.take();
          const fresh = known === 0 ? content : content.subarray(Math.min(known, content.length));
          if (fresh.length > out.room) yield fresh;
          else out.add(fresh);
          if (out.length >= handOut) yield out.take();
        }
        known = 0;
        continue;
      }
      signal?.throwIfAborted();
      if (scan.kind === 'torn' && (yield* window.more())) continue;
      if (window.isDone) break;
      if (out.length > 0) yield out.take();
      const whole = scan.kind === 'torn' && !window.hasAll ? yield* largeFrame(file, window.place, to) : scan;
      if (whole.kind === 'frame') {
        yield* this.#decodeLarge(file, window.place, whole.frame, known, signal);
        known = 0;
        window.moveTo(this.#stored);
      } else if (whole.kind === 'bad') yield* this.#lose(yield* this.#resync(window), whole.why);
      else {
        const rest = yield* spanOf(file, window.place, Math.min(to - window.place, SALVAGED_BYTES));
        yield* this.#salvage(rest, known);
        break;
      }
    }
    if (out.length > 0) yield out.take();
  }

  /** The last frame is not finished. */
  get isTorn(): boolean {
    return this.#torn !== null;
  }

  /** Where the stored bytes of a decoded place begin; null in the middle of a frame. */
  storedAt(offset: number): number | null {
    if (offset === this.#index.size) return this.#stored;
    const number = this.#index.find(offset);
    if (number < 0) return null;
    const place = this.#index.at(number);
    return place.decoded === offset ? place.stored : null;
  }

  /** A frame was written behind all that is known. @param length stored bytes */
  took(length: number, content: Uint8Array): void {
    this.#add(this.#stored, length, content.length, content.at(-1) === LF);
  }

  async goesOn(file: DiskFile, to: number): Promise<boolean> {
    if (this.#salvaged.length === 0) return true;
    const length = this.#salvaged.length;
    const now = await this.#next(file, to, length);
    return now.length === length && Buffer.compare(now, this.#salvaged) === 0;
  }

  async peek(file: DiskFile, to: number, length: number): Promise<Uint8Array> {
    const from = this.#salvaged.length;
    return (await this.#next(file, to, from + length)).subarray(from);
  }

  read(file: DiskFile, offset: number, length: number): Promise<Uint8Array> {
    return answerLater(this.#read(file, offset, length));
  }

  forget(): void {
    this.#spans.forget();
  }

  /** As `read`, without waiting. */
  readSync(file: DiskFile, offset: number, length: number): Uint8Array {
    return answerNow(this.#read(file, offset, length));
  }

  *#read(file: DiskFile, offset: number, length: number): Asking<Uint8Array> {
    const framed = yield* this.#spans.read(file, offset, Math.min(length, Math.max(0, this.#index.size - offset)));
    const from = Math.max(0, offset - this.#index.size);
    const rest = this.#salvaged.subarray(from, Math.max(from, offset + length - this.#index.size));
    return rest.length === 0 ? framed : Buffer.concat([framed, rest]);
  }

  /** Content from the end of the finished frames on, whether it was handed out or not. */
  async #next(file: DiskFile, to: number, length: number): Promise<Uint8Array> {
    const probe = new ZstdBytes();
    probe.#stored = this.#stored;
    probe.#endsLine = this.#endsLine;
    const pieces: Uint8Array[] = [];
    let got = 0;
    for await (const piece of probe.chunks(file, to)) {
      pieces.push(new Uint8Array(piece));
      got += piece.length;
      if (got >= length) break;
    }
    return Buffer.concat(pieces).subarray(0, length);
  }

  /** The content of a frame in the window, or the line feed that stands for it; null for one that has to be decoded in pieces. */
  #decode(window: StoredWindow, frame: Frame): Uint8Array | null {
    if (frame.mostBytes > SMALL_BYTES) return null;
    if (this.#mostOf(window.place, frame) < frame.mostBytes) return this.#lost(window.place, frame.length, TOO_MUCH);
    const content = contentOf(window.bytes.subarray(window.at, window.at + frame.length), frame);
    if (content === null) return this.#lost(window.place, frame.length, 'Its content is not what it was made of.');
    this.#add(window.place, frame.length, content.length, content.length === 0 ? this.#endsLine : content.at(-1) === LF);
    return content;
  }

  /** @param known so much of it was handed out before */
  *#decodeLarge(file: DiskFile, place: number, frame: Frame, known: number, signal?: AbortSignal): Pieces {
    if (frame.header.windowBytes > MAX_WINDOW_BYTES) {
      yield this.#lost(place, frame.length, 'It asks for too much memory.');
      return;
    }
    const stream = new FrameStream(frame.header);
    const buffer = new Uint8Array(Math.min(frame.length, CHUNK_BYTES));
    const most = this.#mostOf(place, frame);
    let content = 0;
    let endsLine = this.#endsLine;
    let fault: string | null = null;
    try {
      for (let at = 0; at < frame.length;) {
        const got = yield* readInto(file, buffer, 0, Math.min(buffer.length, frame.length - at), place + at);
        if (got === 0) break;
        at += got;
        signal?.throwIfAborted();
        for (const piece of stream.push(buffer.subarray(0, got))) {
          if (content + piece.length > most) throw new FrameError(TOO_MUCH);
          const fresh = Math.max(0, known - content);
          content += piece.length;
          endsLine = piece.at(-1) === LF;
          if (fresh < piece.length) yield piece.subarray(fresh);
        }
      }
      if (!stream.isRight()) fault = 'Its content is not what it was made of.';
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      fault = error.message === TOO_MUCH ? TOO_MUCH : 'It cannot be decoded to its end.';
    }
    const line = fault !== null && !endsLine ? LINE_END : NOTHING;
    this.#add(place, frame.length, content + line.length, endsLine || line.length > 0);
    if (fault !== null) this.#report(place, fault);
    if (line.length > 0) yield line;
  }

  /** A frame may decode to half of what the log still may, so that one made to fill it leaves room for those after it. */
  #mostOf(place: number, { length }: Frame): number {
    return (mostDecoded(place + length) - this.#index.size) / 2;
  }

  *#salvage(rest: Uint8Array, known: number): Generator<Uint8Array> {
    this.#salvaged = new Uint8Array(salvageFrame(rest, SALVAGED_BYTES));
    const message = `The last frame is not finished; ${String(this.#salvaged.length)} bytes of its content could be read.`;
    this.#torn = problem('frame_torn', message, { byteOffset: this.#index.size });
    if (this.#salvaged.length > known) yield this.#salvaged.subarray(known);
  }

  #add(stored: number, length: number, content: number, endsLine: boolean): void {
    this.#index.add(stored, length, content);
    this.#stored = stored + length;
    this.#endsLine = endsLine;
  }

  /** What stands for a frame that is lost: a line feed where a line has not ended. */
  #lost(stored: number, length: number, why: string): Uint8Array {
    const line = this.#endsLine ? NOTHING : LINE_END;
    this.#report(stored, why);
    this.#add(stored, length, line.length, true);
    return line;
  }

  #report(stored: number, why: string): void {
    const byteOffset = this.#index.size;
    this.#found.add(() => problem('frame_damaged', `The frame at ${String(stored)} is damaged. ${why}`, { byteOffset }));
  }

  *#lose({ from, to }: { from: number; to: number }, why: string): Generator<Uint8Array> {
    const line = this.#lost(from, to - from, why);
    if (line.length > 0) yield line;
  }

  /** Finds the next frame that can be decoded, and leaves the window there; without one the rest of the file is lost. */
  *#resync(window: StoredWindow): Asking<{ from: number; to: number }> {
    const from = window.place;
    window.skip(1);
    for (;;) {
      const at = nextMagic(window.bytes, window.at);
      if (at >= 0 && this.#attempts++ < RESYNC_ATTEMPTS) {
        window.skip(at - window.at);
        const scan = scanFrame(window.bytes, window.at);
        if (scan.kind === 'torn' && (yield* window.more())) continue;
        if (scan.kind === 'frame' && scan.frame.mostBytes <= SMALL_BYTES) {
          if (contentOf(window.bytes.subarray(window.at, window.at + scan.frame.length), scan.frame) !== null)
            return { from, to: window.place };
        }
        window.skip(1);
        continue;
      }
      // A magic may lie across the end of the window.
      window.skip(Math.max(0, window.bytes.length - window.at - 3));
      if (this.#attempts >= RESYNC_ATTEMPTS || !(yield* window.more())) {
        window.moveTo(window.end);
        return { from, to: window.end };
      }
    }
  }
}

/** Null where it cannot be decoded. */
function contentOf(bytes: Uint8Array, { mostBytes, header }: Frame): Uint8Array | null {
  if (header.windowBytes > MAX_WINDOW_BYTES) return null;
  try {
    return zstdEngine().decompress(bytes, mostBytes);
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
    return null;
  }
}

/** The structure of a frame that is too large for the window. */
function* largeFrame(file: DiskFile, place: number, end: number): Asking<FrameScan> {
  const steps = scanFrameSteps(place, end);
  let step = steps.next();
  while (step.done !== true) step = steps.next(yield* spanOf(file, step.value.at, step.value.length));
  return step.value;
}

/** Collects small contents, so that few chunks are handed out. */
class ChunkBuffer {
  readonly #buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  length = 0;

  get room(): number {
    return CHUNK_BYTES - this.length;
  }

  add(bytes: Uint8Array): void {
    this.#buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Valid until the next addition. */
  take(): Uint8Array {
    const chunk = this.#buffer.subarray(0, this.length);
    this.length = 0;
    return chunk;
  }
}
