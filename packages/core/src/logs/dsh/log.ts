import { CURRENT_SESSION_VERSION, type RawRecord, type SessionHeader } from '../../entries/entry.ts';
import { message } from '../../entries/message.ts';
import { asArray, asNumber, asRecord, asString } from '../../entries/read.ts';
import { assistant } from '../../entries/roles/assistant.ts';
import type { OutlineBuilder } from '../../outline/builder.ts';
import { RecentCalls, type RecentCallsState } from '../../outline/recent-calls.ts';
import { problem, type Problem } from '../../problems.ts';
import type { LogRecord } from '../records.ts';
import { harnessEntry, partialEntry } from './entry.ts';
import { answeredCall, isOnSurface } from './events.ts';
import { harnessHeader, headerFaults, isCount, NEWEST_FORMAT } from './header.ts';
import { firstFrom, WriterLines, type EventPlace, type LinesState } from './lines.ts';
import { chunkRow, type ChunkRow } from './stream.ts';

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
  /** On which line of writing, and what it follows should that line be forgotten. */
  writer: number;
  parent: number;
  rows: RawRecord[];
}

export interface HarnessLogState {
  lines: LinesState;
  seedLength: number;
  isSeeded: boolean | null;
  isUnnumbered: boolean;
  records: number;
  highest: number;
  copies: Map<number, number>;
  tools: RecentCallsState;
  surface: { seqs: number[]; rows: number[] };
  open: OpenAnswer | null;
}

/** Before these an answer that has not come to its end will not. */
const ENDS_ANSWER: ReadonlySet<string> = new Set([
  'turn/start',
  'turn/end',
  'step/start',
  'step/end',
  'session/end-seed',
  'llm/retry',
  'llm/retry-started',
]);
const ANSWER = 'assistant/message';
const SUMMARY = 'compaction/summary';
const SEED_END = 'session/end-seed';
const RULE = { version: CURRENT_SESSION_VERSION };

/** Of an answer that broke off so much is shown: what comes behind that in the file was never seen whole by anybody. */
export const MOST_PARTIAL_BYTES = 16 * 1024 * 1024;

/**
 * Events of DeepSeek Harness in, entries out: one at most for each event, with the event's number as its id. Pieces of an answer
 * give none when the answer itself comes, and one together when it never does.
 */
export class HarnessLog {
  readonly #ground: LogGround;
  readonly #lines = new WriterLines();
  /** Events that the session began with, and took from another. */
  #seedLength = 0;
  #isSeeded: boolean | null = null;
  /** There are events without a number, which is said once. */
  #isUnnumbered = false;
  #records = 0;
  /** The highest number so far, and the last copy of each that was given more than once. */
  #highest = -1;
  #copies = new Map<number, number>();
  /** Tools by the ids of their calls. */
  readonly #tools = new RecentCalls();
  /** Messages in the order of the log, each with the highest number up to it. */
  #surface: HarnessLogState['surface'] = { seqs: [], rows: [] };
  #open: OpenAnswer | null = null;

  constructor(ground: LogGround, state?: HarnessLogState) {
    this.#ground = ground;
    if (state === undefined) return;
    this.#lines.restore(state.lines);
    this.#seedLength = state.seedLength;
    this.#isSeeded = state.isSeeded;
    this.#isUnnumbered = state.isUnnumbered;
    this.#records = state.records;
    this.#highest = state.highest;
    this.#copies = state.copies;
    this.#tools.restore(state.tools);
    this.#surface = state.surface;
    this.#open = state.open;
  }

  state(): HarnessLogState {
    return {
      lines: this.#lines.state(),
      seedLength: this.#seedLength,
      isSeeded: this.#isSeeded,
      isUnnumbered: this.#isUnnumbered,
      records: this.#records,
      highest: this.#highest,
      copies: this.#copies,
      tools: this.#tools.state(),
      surface: this.#surface,
      open: this.#open,
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
    this.#isSeeded = typeof value['isSeeded'] === 'boolean' ? value['isSeeded'] : null;
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

  #piece(record: LogRecord, { turn, step, seq: stated, time, events }: ChunkRow): void {
    const { byteOffset, byteLength, line } = record;
    if (this.#open !== null && (this.#open.turn !== turn || this.#open.step !== step)) this.#giveUpAnswer();
    const { seq, parent, line: writer } = this.#take(record, stated, events);
    this.#open ??= { turn, step, seq, time, byteOffset, byteEnd: byteOffset, line, writer, parent, rows: [] };
    const end = byteOffset + byteLength;
    if (end - this.#open.byteOffset > MOST_PARTIAL_BYTES && this.#open.rows.length > 0) return;
    this.#open.byteEnd = end;
    this.#open.rows.push(record.value);
  }

  #event(record: LogRecord): void {
    const { value } = record;
    const name = value['type'] as string;
    const data = asRecord(value['data']);
    if (this.#open !== null) {
      if (name === ANSWER && data['turn'] === this.#open.turn && data['step'] === this.#open.step) this.#open = null;
      else if (name === ANSWER || ENDS_ANSWER.has(name)) this.#giveUpAnswer();
    }
    const { seq, parent, line } = this.#take(record, value['seq'], 1);
    const answered = answeredCall(value);
    const entry = harnessEntry(value, {
      id: this.#idFor(seq),
      parentId: this.#idOf(parent),
      kept: name === SUMMARY ? this.#keptAfter(data) : null,
      tool: answered === null ? null : (this.#tools.titleOf(answered) ?? null),
    });
    if (name === ANSWER) this.#noteTools(entry);
    const row = this.#add(entry, record);
    this.#lines.gave(line, seq, row);
    if (isOnSurface(value)) {
      this.#surface.seqs.push(Math.max(seq, this.#surface.seqs.at(-1) ?? seq));
      this.#surface.rows.push(row);
    }
    if (seq < this.#seedLength) this.#ground.builder.inherited(row + 1);
    else if (name === SEED_END && data['inherited'] === true) this.#endSeed(record, row);
  }

  #endSeed(record: LogRecord, row: number): void {
    this.#ground.builder.inherited(row);
    if (this.#isSeeded !== false) return;
    this.#report('header_invalid', 'The session took events from another one, and its header says that it did not.', record);
  }

  /** The place of an event among the others; one without a number is the next one. */
  #take(record: LogRecord, stated: unknown, count: number): EventPlace & { seq: number } {
    const { next } = this.#lines;
    const seq = isCount(stated) ? stated : next;
    if (seq !== stated && !this.#isUnnumbered) {
      this.#isUnnumbered = true;
      this.#report(
        'missing_id',
        'The event has no number of its own; it is the next one, as any others are that have none.',
        record,
      );
    }
    const place = this.#lines.take(seq, count);
    if (place.kind === 'gap') {
      this.#report('seq_gap', `Events are missing: ${String(next)} was due, and ${String(seq)} comes.`, record);
    }
    if (place.kind === 'repeated') {
      const message = `There was an event ${String(seq)} already: somebody else has written to the session.`;
      this.#report('seq_repeated', message, record);
    }
    return { line: place.line, parent: place.parent, kind: place.kind, seq };
  }

  /** Adds the entry of an answer that broke off, at the end of what its writer has written so far. */
  #giveUpAnswer(): void {
    const open = this.#open!;
    this.#open = null;
    const { seq, byteOffset, byteEnd, line, writer } = open;
    const parentId = this.#idOf(this.#lines.tip(writer, open.parent));
    const entry = partialEntry(open.rows, open, { id: this.#idFor(seq), parentId });
    if (entry === null) return;
    const row = this.#add(entry, { byteOffset, byteLength: byteEnd - byteOffset, line, mentionsBlob: false });
    this.#lines.gave(writer, seq, row);
  }

  #add(entry: RawRecord, place: Pick<LogRecord, 'byteOffset' | 'byteLength' | 'line' | 'mentionsBlob'>): number {
    const { byteOffset, byteLength, line } = place;
    const { builder } = this.#ground;
    // References to pictures are made here; the line does not have them in that form.
    const mentionsBlob = place.mentionsBlob || hasPicture(entry);
    const row = builder.add(entry, { byteOffset, byteLength, line, record: ++this.#records, mentionsBlob }, RULE);
    this.#ground.onEntry(entry, row);
    return row;
  }

  /** A number that was given twice is told apart, so that each line stays what it is. */
  #idFor(seq: number): string {
    if (seq > this.#highest) {
      this.#highest = seq;
      return String(seq);
    }
    const { outline } = this.#ground.builder;
    let id = String(seq);
    let copy = this.#copies.get(seq) ?? 1;
    while (outline.rowOf(id) >= 0) id = `${String(seq)}~${String(++copy)}`;
    if (copy > 1) this.#copies.set(seq, copy);
    return id;
  }

  #idOf(row: number): string | null {
    return row < 0 ? null : this.#ground.builder.outline.id(row);
  }

  /** Results do not say which tool they are of. */
  #noteTools(entry: RawRecord): void {
    if (entry['type'] !== message.type) return;
    const { role, content } = asRecord(entry['message']);
    if (role !== assistant.role) return;
    for (const block of asArray(content)) {
      const { type, id, name } = asRecord(block);
      if (type === 'toolCall' && typeof id === 'string') this.#tools.put(id, asString(name) ?? '');
    }
  }

  /** The first message that the model still sees as it was said. */
  #keptAfter(data: RawRecord): string | null {
    const range = asRecord(data['shadowedRange']);
    const end = asNumber(range['endSeq'] ?? range['end']);
    if (end === null) return null;
    const at = firstFrom(this.#surface.seqs, end + 1);
    return at < this.#surface.rows.length ? this.#idOf(this.#surface.rows[at]!) : null;
  }

  #report(code: Problem['code'], message: string, { line, byteOffset }: LogRecord): void {
    this.#ground.report(problem(code, message, { line, byteOffset }));
  }
}

function hasPicture(entry: RawRecord): boolean {
  const content = asRecord(entry['message'])['content'] ?? entry['content'];
  return Array.isArray(content) && content.some((block) => asRecord(block)['type'] === 'image');
}
