import type { RawRecord } from '../../entries/entry.ts';
import { asArray, asNumber, asRecord, asString } from '../../entries/read.ts';
import { argumentsOf } from './content.ts';

/** Rows that hold several pieces of an answer: the names of what they hold, by their type. */
const PACKED: Readonly<Record<string, 'texts' | 'args'>> = {
  'text-chunks': 'texts',
  'reasoning-chunks': 'texts',
  'tool-call-chunks': 'args',
};

/** A single piece of an answer, as an event of its own. */
const CHUNK = 'assistant/chunk';

/** Pieces of an answer in one row of a log: when and of which step they are, and how many events they stand for. */
export interface ChunkRow {
  turn: number | null;
  step: number | null;
  events: number;
}

/** null: no row of pieces. `bad`: it says that it is one, and is none. */
export function chunkRow(record: RawRecord): ChunkRow | 'bad' | null {
  const type = record['type'];
  const data = asRecord(record['data']);
  const [turn, step] = [asNumber(data['turn']), asNumber(data['step'])];
  if (type === CHUNK) return { turn, step, events: 1 };
  const held = typeof type === 'string' ? PACKED[type] : undefined;
  if (held === undefined) return null;
  const pieces = data[held];
  const gaps = data['dt'];
  const isRight =
    Array.isArray(pieces) &&
    pieces.length > 0 &&
    pieces.every((piece) => typeof piece === 'string') &&
    Array.isArray(gaps) &&
    gaps.length === pieces.length - 1 &&
    gaps.every(Number.isSafeInteger) &&
    Number.isSafeInteger(record['seq0']) &&
    Number.isSafeInteger(record['time0']) &&
    Number.isSafeInteger(data['index']);
  return isRight ? { turn, step, events: pieces.length } : 'bad';
}

/** Joins the pieces of an answer that was not finished. */
export class AnswerPieces {
  readonly #blocks = new Map<number, RawRecord & { text: string }>();

  /** Takes a row of a log, or a record of the stream that an event holds. */
  add(record: RawRecord): void {
    const packed = isPacked(record['type']) ? { ...record, ...asRecord(record['data']) } : null;
    if (packed !== null) {
      const texts = asArray(packed['texts'] ?? packed['args']).filter((piece): piece is string => typeof piece === 'string');
      this.#append(packed, kindOf(packed['type']), texts.join(''));
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
    }
  }

  /** Blocks in the order of the answer, in the form that all sessions have. */
  content(): RawRecord[] {
    return [...this.#blocks]
      .sort(([a], [b]) => a - b)
      .map(([, { kind, text, id, name }]) => {
        if (kind === 'reasoning') return { type: 'thinking', thinking: text };
        if (kind === 'tool-call') return { type: 'toolCall', id, name, arguments: argumentsOf(text) };
        return { type: 'text', text };
      });
  }

  #append(at: RawRecord, kind: string, text: string): void {
    const index = asNumber(at['index']) ?? 0;
    const block = this.#blocks.get(index) ?? { kind, text: '', id: null, name: null };
    block.text += text;
    block['id'] ??= asString(at['id']);
    block['name'] ??= asString(at['name']);
    this.#blocks.set(index, block);
  }
}

function isPacked(type: unknown): boolean {
  return typeof type === 'string' && type in PACKED;
}

function kindOf(type: unknown): string {
  return type === 'text-chunks' ? 'text' : type === 'reasoning-chunks' ? 'reasoning' : 'tool-call';
}
