import { utf8Length } from '../session/entry-log.ts';
import type { Batch, DshForm } from './options.ts';
import { runFields, runsOf, type Run, type TimedChunk } from './pack.ts';

export type SurfaceOp = 'append' | { start: number; end: number };

export interface SurfaceFields {
  /** `start` and `end` are spelled as the form wants them. */
  surfaceOp?: SurfaceOp;
  sourceEventSeqs?: readonly number[];
  ignorable?: true;
}

/** Events as they come into being: hands out seqs, keeps the clock and the surface, and queues whole append batches. */
export class EventLog {
  readonly form: DshForm;
  /** Epoch ms of the newest event. */
  clock: number;
  /** The next event's seq: as many events there are, streamed chunks of form 0 included. */
  seq = 0;
  /** Bytes of text so far, LFs included. */
  bytes = 0;
  /** While a seed is told everything goes into one batch: a session begins with all that it inherits. */
  isSeeding = false;
  /** Seqs of the events that the model sees, in its order. */
  surface: number[] = [];
  private batch: string[] = [];
  private batches: Batch[] = [];
  private chunks: { turn: number; step: number; seq: number; chunk: TimedChunk }[] = [];

  constructor(form: DshForm, clock: number) {
    this.form = form;
    this.clock = clock;
  }

  /** Moves the clock on by `ms`. */
  wait(ms: number): void {
    this.clock += Math.max(0, Math.round(ms));
  }

  /** Appends an event and answers its seq. */
  event(type: string, data: object, { surfaceOp, sourceEventSeqs, ignorable }: SurfaceFields = {}): number {
    this.packChunks();
    const { seq } = this;
    const sources = sourceEventSeqs === undefined ? {} : { sourceEventSeqs: this.stored(sourceEventSeqs) };
    const op = surfaceOp === undefined ? {} : { surfaceOp: this.spelled(surfaceOp) };
    this.push({ type, seq, time: this.clock, data, ...sources, ...op, ...(ignorable === true ? { ignorable } : {}) });
    if (surfaceOp !== undefined) this.place(seq, surfaceOp);
    this.seq++;
    return seq;
  }

  /** A piece of an answer while it streams (form 0). Answers its seq. */
  chunk(turn: number, step: number, chunk: TimedChunk): number {
    this.chunks.push({ turn, step, seq: this.seq, chunk });
    return this.seq++;
  }

  /** Ends the batch: what was appended since the last time reaches the disk together. */
  flush(): void {
    if (this.isSeeding) return;
    this.packChunks();
    if (this.batch.length > 0) this.batches.push(this.batch);
    this.batch = [];
  }

  /** The batches since the last call; what is not flushed stays. */
  take(): Batch[] {
    const { batches } = this;
    this.batches = [];
    return batches;
  }

  /** A row never spans two batches, nor an event between. */
  private packChunks(): void {
    const { chunks } = this;
    if (chunks.length === 0) return;
    this.chunks = [];
    const { turn, step } = chunks[0] as (typeof chunks)[number];
    let at = 0;
    for (const part of runsOf(chunks.map(({ chunk }) => chunk))) {
      const { seq } = chunks[at] as (typeof chunks)[number];
      if ('dt' in part) {
        this.push({ type: part.type, seq0: seq, time0: part.first.time, data: { turn, step, ...runFields(part) } });
        at += part.pieces.length;
      } else {
        this.push({ type: 'assistant/chunk', seq, time: part.time, data: { turn, step, chunk: part.chunk } });
        at++;
      }
    }
  }

  private push(record: object): void {
    const line = JSON.stringify(record);
    this.bytes += utf8Length(line) + 1;
    this.batch.push(line);
  }

  /** From form 2 on, runs of three and more seqs are stored as pairs. */
  private stored(seqs: readonly number[]): (number | [number, number])[] {
    if (this.form === 0) return [...seqs];
    const out: (number | [number, number])[] = [];
    for (let i = 0; i < seqs.length;) {
      const first = seqs[i] as number;
      let end = i + 1;
      while (end < seqs.length && seqs[end] === first + (end - i)) end++;
      if (end - i >= 3) out.push([first, first + (end - i) - 1]);
      else for (let k = i; k < end; k++) out.push(seqs[k] as number);
      i = end;
    }
    return out;
  }

  private spelled(op: SurfaceOp): unknown {
    if (op === 'append') return op;
    const { start, end } = op;
    return this.form === 4 ? { op: 'replace', startSeq: start, endSeq: end } : { op: 'replace', start, end };
  }

  private place(seq: number, op: SurfaceOp): void {
    if (op === 'append') {
      this.surface.push(seq);
      return;
    }
    const from = this.surface.indexOf(op.start);
    const to = this.surface.indexOf(op.end);
    if (from < 0 || to < from) throw new RangeError(`${op.start} … ${op.end} is no range of the surface`);
    this.surface.splice(from, to - from + 1, seq);
  }
}

/** The stream of an answer as forms from 2 on keep it inside the message. */
export function streamRecords(chunks: readonly TimedChunk[]): object[] {
  return runsOf(chunks).map((part: Run | TimedChunk) =>
    'dt' in part
      ? { type: part.type, time0: part.first.time, ...runFields(part) }
      : { type: 'chunk', time: part.time, chunk: part.chunk },
  );
}
