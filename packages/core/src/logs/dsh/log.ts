import { CURRENT_SESSION_VERSION, type RawRecord, type SessionHeader } from '../../entries/entry.ts';
import { compaction } from '../../entries/compaction.ts';
import { event as eventEntry } from '../../entries/event.ts';
import { asEpoch, asNumber, asRecord, isRecord, parsedJson } from '../../entries/read.ts';
import type { OutlineBuilder } from '../../outline/builder.ts';
import { problem, type Problem } from '../../problems.ts';
import type { LogRecord } from '../records.ts';
import { fieldsOf, isOnSurface, PARTIAL_ANSWER } from './events.ts';
import { harnessHeader, headerFaults, isCount, NEWEST_FORMAT } from './header.ts';
import { WriterLines, type LinesState } from './lines.ts';
import { AnswerPieces, chunkRow } from './stream.ts';

/** What a log needs of the decoder that it is part of. */
export interface LogGround {
  builder: OutlineBuilder;
  report(found: Problem): void;
  onEntry(value: RawRecord, row: number): void;
}

/** An answer that is coming in, piece by piece. */
interface OpenAnswer {
  turn: number | null;
  step: number | null;
  seq: number;
  time: unknown;
  byteOffset: number;
  byteEnd: number;
  line: number;
  parent: number;
  pieces: AnswerPieces;
  /** Rows of pieces, for another thread. */
  rows: RawRecord[];
}

export interface HarnessLogState {
  lines: LinesState;
  seedLength: number;
  records: number;
  surface: { seqs: number[]; rows: number[] };
  open: Omit<OpenAnswer, 'pieces'> | null;
}

/** Before these an answer that has not come to its end will not. */
const ENDS_ANSWER: ReadonlySet<string> = new Set([
  'turn/start',
  'turn/end',
  'step/start',
  'step/end',
  'llm/retry',
  'llm/retry-started',
]);
const ANSWER = 'assistant/message';
const SUMMARY = 'compaction/summary';
const SEED_END = 'session/end-seed';
const RULE = { version: CURRENT_SESSION_VERSION };

/**
 * Events of DeepSeek Harness in, entries out: one at most for each event, with the event's number as its id. Pieces of an answer
 * give none when the answer itself comes, and one together when it never does.
 */
export class HarnessLog {
  readonly #ground: LogGround;
  readonly #lines = new WriterLines();
  /** Events that the session began with, and took from another. */
  #seedLength = 0;
  #records = 0;
  /** Entries that the model sees, as long as nothing replaces them. */
  #surface: HarnessLogState['surface'] = { seqs: [], rows: [] };
  #open: OpenAnswer | null = null;

  constructor(ground: LogGround, state?: HarnessLogState) {
    this.#ground = ground;
    if (state === undefined) return;
    this.#lines.restore(state.lines);
    this.#seedLength = state.seedLength;
    this.#records = state.records;
    this.#surface = state.surface;
    if (state.open === null) return;
    const pieces = new AnswerPieces();
    for (const row of state.open.rows) pieces.add(row);
    this.#open = { ...state.open, pieces };
  }

  state(): HarnessLogState {
    const { pieces: _pieces, ...open } = this.#open ?? { pieces: null };
    return {
      lines: this.#lines.state(),
      seedLength: this.#seedLength,
      records: this.#records,
      surface: this.#surface,
      open: this.#open === null ? null : (open as Omit<OpenAnswer, 'pieces'>),
    };
  }

  /** Takes the header. */
  header(record: LogRecord): SessionHeader {
    const { value } = record;
    const faults = headerFaults(value);
    if (faults.length > 0) this.#report('header_invalid', `The header is not as its format asks: ${faults.join(', ')}.`, record);
    const version = asNumber(value['version']) ?? 0;
    if (version > NEWEST_FORMAT) {
      const message = `Format ${String(version)} of the session ${String(value['id'])} is newer than this program knows.`;
      this.#report('newer_version', message, record);
    }
    this.#seedLength = isCount(value['seedLength']) ? value['seedLength'] : 0;
    return harnessHeader(value);
  }

  /** Takes an event. */
  record(record: LogRecord): void {
    const { value } = record;
    const chunk = chunkRow(value);
    if (chunk === 'bad') {
      this.#report('bad_row', 'The row of pieces of an answer is not whole; it is passed over.', record);
      return;
    }
    if (chunk !== null) this.#piece(record, chunk);
    else if (typeof value['type'] !== 'string') this.#report('missing_type', 'The record has no type.', record);
    else this.#event(record);
  }

  #piece(record: LogRecord, { turn, step, events }: { turn: number | null; step: number | null; events: number }): void {
    const { value } = record;
    const place = this.#take(record, value['seq'] ?? value['seq0'], events);
    if (this.#open !== null && (this.#open.turn !== turn || this.#open.step !== step)) this.#giveUpAnswer();
    this.#open ??= {
      turn,
      step,
      seq: place.seq,
      time: value['time'] ?? value['time0'],
      byteOffset: record.byteOffset,
      byteEnd: 0,
      line: record.line,
      parent: place.parent,
      pieces: new AnswerPieces(),
      rows: [],
    };
    this.#open.byteEnd = record.byteOffset + record.byteLength;
    this.#open.pieces.add(value);
    this.#open.rows.push(value);
  }

  #event(record: LogRecord): void {
    const { value } = record;
    const name = value['type'] as string;
    const data = asRecord(value['data']);
    if (name === ANSWER && this.#open !== null && data['turn'] === this.#open.turn && data['step'] === this.#open.step)
      this.#open = null;
    const isLast = ENDS_ANSWER.has(name) || name === ANSWER;
    const { seq, parent } = this.#take(record, value['seq'], 1);
    const under = isLast && this.#open !== null ? this.#giveUpAnswer(parent) : parent;
    const entry = harnessEntry(value, this.#idFor(seq), this.#idOf(under));
    if (name === SUMMARY) entry['firstKeptEntryId'] = this.#keptAfter(data);
    const row = this.#add(entry, record);
    this.#lines.gave(seq, row);
    if (isOnSurface(value)) {
      this.#surface.seqs.push(seq);
      this.#surface.rows.push(row);
    }
    if (seq < this.#seedLength) this.#ground.builder.inherited(row + 1);
    else if (name === SEED_END && data['inherited'] === true) this.#ground.builder.inherited(row);
  }

  /** The place of an event among the others; one without a number is the next one. */
  #take(record: LogRecord, stated: unknown, count: number): { seq: number; parent: number } {
    const seq = isCount(stated) ? stated : this.#lines.next;
    const { next } = this.#lines;
    const { parent, kind } = this.#lines.take(seq, count);
    if (kind === 'gap') this.#report('seq_gap', `Events are missing: ${String(next)} was due, and ${String(seq)} comes.`, record);
    if (kind === 'repeated') {
      const message = `There was an event ${String(seq)} already: somebody else has written to the session.`;
      this.#report('seq_repeated', message, record);
    }
    return { seq, parent };
  }

  /** Adds the entry of an answer that broke off; answers its row. @param parent of the event that comes next */
  #giveUpAnswer(parent = -1): number {
    const open = this.#open!;
    this.#open = null;
    const content = open.pieces.content();
    if (content.length === 0) return parent;
    const { turn, step, byteOffset, byteEnd, line } = open;
    const entry: RawRecord = {
      ...partialFields(turn, step, content),
      id: this.#idFor(open.seq),
      parentId: this.#idOf(open.parent),
      timestamp: timeText(open.time),
    };
    const row = this.#add(entry, { byteOffset, byteLength: byteEnd - byteOffset, line, mentionsBlob: false });
    return parent === open.parent || parent < 0 ? row : parent;
  }

  #add(entry: RawRecord, place: Pick<LogRecord, 'byteOffset' | 'byteLength' | 'line' | 'mentionsBlob'>): number {
    const { byteOffset, byteLength, line } = place;
    const { builder } = this.#ground;
    const mentionsBlob = place.mentionsBlob || entry['type'] !== eventEntry.type;
    const row = builder.add(entry, { byteOffset, byteLength, line, record: ++this.#records, mentionsBlob }, RULE);
    this.#ground.onEntry(entry, row);
    return row;
  }

  /** A number that was given twice is told apart, so that each line stays what it is. */
  #idFor(seq: number): string {
    const { outline } = this.#ground.builder;
    let id = String(seq);
    for (let n = 2; outline.rowOf(id) >= 0; n++) id = `${String(seq)}~${String(n)}`;
    return id;
  }

  #idOf(row: number): string | null {
    return row < 0 ? null : this.#ground.builder.outline.id(row);
  }

  /** The first entry that the model still sees as it was said. */
  #keptAfter(data: RawRecord): string | null {
    const range = asRecord(data['shadowedRange']);
    const end = asNumber(range['endSeq'] ?? range['end']);
    const { seqs, rows } = this.#surface;
    const at = end === null ? -1 : seqs.findIndex((seq) => seq > end);
    return at < 0 ? null : this.#idOf(rows[at]!);
  }

  #report(code: Problem['code'], message: string, { line, byteOffset }: LogRecord): void {
    this.#ground.report(problem(code, message, { line, byteOffset }));
  }
}

function partialFields(turn: number | null, step: number | null, content: RawRecord[]): RawRecord {
  return {
    type: eventEntry.type,
    event: PARTIAL_ANSWER,
    data: { turn, step },
    content,
    ...(turn === null ? {} : { turn }),
    ...(step === null ? {} : { step }),
  };
}

/** The entry of an event. */
function harnessEntry(value: RawRecord, id: string, parentId: string | null): RawRecord {
  return { ...fieldsOf(value), id, parentId, timestamp: timeText(value['time']) };
}

/** ISO 8601; empty for what is no time. */
function timeText(time: unknown): string {
  const ms = asEpoch(time);
  return ms === null ? '' : new Date(ms).toISOString();
}

/** What a body cannot tell of itself. */
export interface BodyContext {
  id: string;
  parentId: string | null;
  /** Of a compaction: the first kept entry. */
  kept: string | null;
}

/** The entry of stored bytes: of one event, or of the rows of an answer that broke off. null: they are not what they were. */
export function harnessBody(text: string, { id, parentId, kept }: BodyContext): RawRecord | null {
  const records = text.split('\n').map(parsedJson).filter(isRecord);
  const first = records[0];
  if (first === undefined) return null;
  const open = chunkRow(first);
  if (open === null || open === 'bad') {
    const entry = harnessEntry(first, id, parentId);
    return entry['type'] === compaction.type ? { ...entry, firstKeptEntryId: kept } : entry;
  }
  const pieces = new AnswerPieces();
  for (const record of records) {
    const row = chunkRow(record);
    if (row !== null && row !== 'bad' && row.turn === open.turn && row.step === open.step) pieces.add(record);
  }
  const time = timeText(first['time'] ?? first['time0']);
  return { ...partialFields(open.turn, open.step, pieces.content()), id, parentId, timestamp: time };
}
