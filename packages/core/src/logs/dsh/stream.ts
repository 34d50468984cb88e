import type { RawRecord } from '../../entries/entry.ts';
import { asArray, asNumber, asRecord, asString, isRecord } from '../../entries/read.ts';
import { argumentsOf, blockOf } from './content.ts';
import { isCount } from './header.ts';

/** Rows that hold several pieces of an answer: what they hold and of which kind, by their type. */
const PACKED: ReadonlyMap<unknown, Packing> = new Map<unknown, Packing>([
  ['text-chunks', { held: 'texts', kind: 'text' }],
  ['reasoning-chunks', { held: 'texts', kind: 'reasoning' }],
  ['tool-call-chunks', { held: 'args', kind: 'tool-call' }],
]);
interface Packing {
  held: 'texts' | 'args';
  kind: BlockKind;
}
type BlockKind = 'text' | 'reasoning' | 'tool-call';

/** A single piece of an answer, as an event of its own. */
const CHUNK = 'assistant/chunk';

/** Pieces of an answer in one row of a log: when and of which step they are, and how many events they stand for. */
export interface ChunkRow {
  turn: number | null;
  step: number | null;
  /** Number and time of the first one, as stated. */
  seq: unknown;
  time: unknown;
  events: number;
}

/** null: no row of pieces. `bad`: it says that it is one, and is none. */
export function chunkRow(record: RawRecord): ChunkRow | 'bad' | null {
  const type = record['type'];
  if (type === CHUNK) {
    const data = asRecord(record['data']);
    const { seq, time } = record;
    return { turn: asNumber(data['turn']), step: asNumber(data['step']), seq, time, events: 1 };
  }
  const packing = PACKED.get(type);
  return packing === undefined ? null : (packedRow(record, packing) ?? 'bad');
}

/** A row of several pieces, by the letter: nothing is missing, nothing is too much, and all that follows of it are whole numbers. */
function packedRow(record: RawRecord, { held, kind }: Packing): ChunkRow | null {
  const { seq0, time0, data } = record;
  if (!isRecord(data) || !hasOnly(record, ROW_KEYS) || !isCount(seq0) || !Number.isSafeInteger(time0)) return null;
  const { turn, step, index, dt } = data;
  const pieces = data[held];
  const isCall = kind === 'tool-call';
  if (!hasOnly(data, isCall ? CALL_KEYS : TEXT_KEYS) || !isCount(turn) || !isCount(step) || !isCount(index)) return null;
  if (isCall && (typeof data['id'] !== 'string' || !isTextOrNothing(data['name']))) return null;
  if (!Array.isArray(pieces) || !Array.isArray(dt) || pieces.length === 0 || dt.length !== pieces.length - 1) return null;
  if (!pieces.every((piece) => typeof piece === 'string') || !Number.isSafeInteger(seq0 + pieces.length - 1)) return null;
  let time = time0 as number;
  for (const gap of dt as unknown[]) {
    if (!Number.isSafeInteger(gap)) return null;
    time += gap as number;
    if (!Number.isSafeInteger(time)) return null;
  }
  return { turn, step, seq: seq0, time: time0, events: pieces.length };
}

const ROW_KEYS: ReadonlySet<string> = new Set(['type', 'seq0', 'time0', 'data']);
const TEXT_KEYS: ReadonlySet<string> = new Set(['turn', 'step', 'index', 'dt', 'texts']);
const CALL_KEYS: ReadonlySet<string> = new Set(['turn', 'step', 'index', 'id', 'name', 'dt', 'args']);

function hasOnly(record: RawRecord, keys: ReadonlySet<string>): boolean {
  for (const key in record) if (!keys.has(key)) return false;
  return true;
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

interface Block {
  kind: BlockKind;
  text: string;
  id: string | null;
  name: string | null;
  /** The block as it was when it was whole. */
  whole: RawRecord | null;
}

/** Joins the pieces of an answer that was not finished. */
export class AnswerPieces {
  readonly #blocks = new Map<number, Block>();

  /** Takes a row of a log, or a record of the stream that an event holds. What is neither is passed over. */
  add(record: RawRecord): void {
    const packing = PACKED.get(record['type']);
    if (packing !== undefined) {
      const packed = isRecord(record['data']) ? record['data'] : record;
      const { held, kind } = packing;
      const texts = asArray(packed[held]).filter((piece): piece is string => typeof piece === 'string');
      this.#append(packed, kind, texts.join(''));
      return;
    }
    const chunk = asRecord(record['chunk'] ?? asRecord(record['data'])['chunk']);
    switch (chunk['type']) {
      case 'text-delta':
        return this.#append(chunk, 'text', asString(chunk['text']) ?? '');
      case 'reasoning-delta':
        return this.#append(chunk, 'reasoning', asString(chunk['text']) ?? '');
      case 'tool-call-delta':
        return this.#append(chunk, 'tool-call', asString(chunk['argumentsDelta']) ?? '');
      case 'block-end':
        if (isRecord(chunk['block'])) this.#block(chunk, 'text').whole = chunk['block'];
    }
  }

  /** Blocks in the order of the answer, in the form that all sessions have. */
  content(): RawRecord[] {
    return [...this.#blocks]
      .sort(([a], [b]) => a - b)
      .map(([, { kind, text, id, name, whole }]) => {
        if (whole !== null) return blockOf(whole) as RawRecord;
        if (kind === 'reasoning') return { type: 'thinking', thinking: text };
        if (kind === 'tool-call') return { type: 'toolCall', id, name, arguments: argumentsOf(text) };
        return { type: 'text', text };
      });
  }

  #append(at: RawRecord, kind: BlockKind, text: string): void {
    const block = this.#block(at, kind);
    block.text += text;
    block.id ??= asString(at['id']);
    block.name ??= asString(at['name']);
  }

  #block(at: RawRecord, kind: BlockKind): Block {
    const index = asNumber(at['index']) ?? 0;
    let block = this.#blocks.get(index);
    if (block === undefined) this.#blocks.set(index, (block = { kind, text: '', id: null, name: null, whole: null }));
    return block;
  }
}
