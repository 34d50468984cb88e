/** Reads generated logs of DeepSeek Harness with as little code as can be; by the rules of the format, not by ours. */
import type { Batch } from '../../src/corpus/index.ts';

export interface Event {
  type: string;
  seq: number;
  time: number;
  data: Record<string, unknown>;
  surfaceOp?: 'append' | { op: 'replace'; start?: number; end?: number; startSeq?: number; endSeq?: number };
  sourceEventSeqs?: (number | [number, number])[];
}

interface Row {
  type: string;
  seq0: number;
  time0: number;
  data: {
    turn: number;
    step: number;
    index: number;
    dt: number[];
    texts?: string[];
    args?: string[];
    id?: string;
    name?: string;
  };
}

export interface Log {
  header: Record<string, unknown>;
  /** With the streamed pieces of packed rows, each as its own event. */
  events: Event[];
  lines: string[];
}

export function readLog(batches: Iterable<Batch>): Log {
  const [first = [], ...rest] = batches;
  if (first.length !== 1) throw new Error('the header is not alone');
  const events: Event[] = [];
  for (const line of rest.flat()) {
    const record = JSON.parse(line) as Event | Row;
    if ('seq0' in record) for (const event of unpack(record)) events.push(event);
    else events.push(record);
  }
  return { header: JSON.parse(first[0] as string) as Record<string, unknown>, events, lines: rest.flat() };
}

function unpack({ type, seq0, time0, data }: Row): Event[] {
  const { turn, step, index, dt, texts, args, id, name } = data;
  let time = time0;
  return (texts ?? args ?? []).map((piece, k) => {
    time += k === 0 ? 0 : (dt[k - 1] as number);
    const kind = type.replace('-chunks', '-delta');
    const chunk =
      texts === undefined ? { type: kind, index, id, name, argumentsDelta: piece } : { type: kind, index, text: piece };
    return { type: 'assistant/chunk', seq: seq0 + k, time, data: { turn, step, chunk } };
  });
}

export function sources({ sourceEventSeqs = [] }: Event): number[] {
  return sourceEventSeqs.flatMap((part) =>
    typeof part === 'number' ? [part] : Array.from({ length: part[1] - part[0] + 1 }, (_, k) => part[0] + k),
  );
}

/** The seqs that the model sees at the end. Throws where a replacement names no range of them, or not all that it removes. */
export function surface(events: readonly Event[]): number[] {
  const seen: number[] = [];
  for (const event of events) {
    const { surfaceOp: op, seq } = event;
    if (op === 'append') seen.push(seq);
    if (op === undefined || op === 'append') continue;
    const from = seen.indexOf(op.startSeq ?? op.start ?? -1);
    const to = seen.indexOf(op.endSeq ?? op.end ?? -1);
    if (from < 0 || to < from) throw new Error(`${seq} replaces no range`);
    const removed = seen.splice(from, to - from + 1, seq);
    if (removed.some((one) => !sources(event).includes(one))) throw new Error(`${seq} does not cite all that it replaces`);
  }
  return seen;
}
