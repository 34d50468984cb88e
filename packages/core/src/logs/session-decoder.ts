import { CURRENT_SESSION_VERSION, type RawRecord, type SessionHeader } from '../entries/entry.ts';
import { OutlineBuilder, type BuilderState, type IdRule } from '../outline/builder.ts';
import type { Outline } from '../outline/outline.ts';
import { ProblemList } from '../problem-list.ts';
import { problem, type Problem } from '../problems.ts';
import { isHarnessEvent, isHarnessHeader } from './dsh/header.ts';
import { HarnessLog, type HarnessLogState } from './dsh/log.ts';
import { foldTitle, headerVersion, isHeader, titleSlot, type TitleSlot } from './header.ts';
import { RecordDecoder, type LogRecord, type RecordsState } from './records.ts';
import type { DecodeUtf8 } from './utf8.ts';

export interface SessionDecoderOptions {
  decode?: DecodeUtf8;
  maxLineBytes?: number;
  /** Told every entry as stored, with its row; for callers that keep bodies. */
  onEntry?: (value: RawRecord, row: number) => void;
  /** Facts of entries are read when the outline is first asked for one; for callers that keep bodies anyway. */
  later?: boolean;
}

/** A settled decoder as data. */
export interface DecoderState {
  builder: BuilderState;
  records: RecordsState;
  found: Problem[];
  foundTotal: number;
  structure: Problem[];
  structureTotal: number;
  tail: Problem[];
  slot: TitleSlot | null;
  header: SessionHeader | null;
  rule: IdRule | null;
  next: number;
  harness: HarnessLogState | null;
}

/**
 * Bytes of a session file in, header and outline out. Push chunks as they come, `settle` when there are no more for
 * now, push again when the file has grown. Never throws on content.
 */
export class SessionDecoder {
  readonly #builder: OutlineBuilder;
  readonly #records: RecordDecoder;
  readonly #onEntry: (value: RawRecord, row: number) => void;
  #found = new ProblemList();
  #structure = new ProblemList();
  #tail: Problem[] = [];
  #slot: TitleSlot | null = null;
  #header: SessionHeader | null = null;
  #rule: IdRule | null = null;
  /** Number of the next entry; the header is 0. */
  #next = 1;
  /** A log of events; null for one of entries. */
  #harness: HarnessLog | null = null;

  constructor(options: SessionDecoderOptions = {}) {
    this.#builder = new OutlineBuilder((found) => this.#report(found), { later: options.later ?? false });
    this.#onEntry = options.onEntry ?? (() => undefined);
    this.#records = new RecordDecoder(
      { record: (record) => this.#record(record), problem: (found) => this.#report(found) },
      {
        ...(options.decode && { decode: options.decode }),
        ...(options.maxLineBytes && { maxLineBytes: options.maxLineBytes }),
        // Whoever reads facts late looks for references then.
        findsBlobs: options.later !== true,
      },
    );
  }

  /** All that is known, to be copied or moved to another thread. Ask only after `settle`. */
  state(): DecoderState {
    return {
      builder: this.#builder.state(),
      records: this.#records.state(),
      found: this.#found.items,
      foundTotal: this.#found.total,
      structure: this.#structure.items,
      structureTotal: this.#structure.total,
      tail: this.#tail,
      slot: this.#slot,
      header: this.#header,
      rule: this.#rule,
      next: this.#next,
      harness: this.#harness?.state() ?? null,
    };
  }

  /** Takes over where another decoder stopped: more may be pushed as if this one had decoded it all. */
  restore(state: DecoderState): void {
    this.#builder.restore(state.builder);
    this.#records.restore(state.records);
    this.#found = new ProblemList(state.found, state.foundTotal);
    this.#structure = new ProblemList(state.structure, state.structureTotal);
    this.#tail = state.tail;
    this.#slot = state.slot;
    this.#header = state.header;
    this.#rule = state.rule;
    this.#next = state.next;
    this.#harness = state.harness === null ? null : this.#harnessLog(state.harness);
  }

  get outline(): Outline {
    return this.#builder.outline;
  }

  /** As stored, with the title line folded in; null when the file has none. */
  get header(): SessionHeader | null {
    return this.#header === null ? null : foldTitle(this.#header, this.#slot);
  }

  get titleSlot(): TitleSlot | null {
    return this.#slot;
  }

  /** The file is a log of events, of which entries are made. */
  get isHarness(): boolean {
    return this.#harness !== null;
  }

  /** The version by which entries are read: that of the header, or the current one where there is none. */
  get version(): number {
    return this.#harness !== null || this.#rule === null || this.#rule === 'headerless'
      ? CURRENT_SESSION_VERSION
      : this.#rule.version;
  }

  /** Everything before this offset is decoded for good. */
  get committedOffset(): number {
    return this.#records.committed.offset;
  }

  /** Problems in the order found, at most a few thousand; `problemsTotal` counts all. */
  get problems(): Problem[] {
    return [...this.#found.items, ...this.#structure.items, ...this.#tail];
  }

  get problemsTotal(): number {
    return this.#found.total + this.#structure.total + this.#tail.length;
  }

  push(chunk: Uint8Array): void {
    this.#tail = [];
    this.#records.push(chunk);
  }

  /** Takes a complete last line and settles the structure. `changed`: rows answered earlier have other parents now. */
  settle(): { changed: boolean } {
    this.#tail = this.#records.settle();
    const { problems, changed } = this.#builder.seal();
    this.#structure = problems;
    return { changed };
  }

  #report(found: Problem): void {
    this.#found.add(() => found);
  }

  #record(record: LogRecord): void {
    const { value } = record;
    if (this.#harness !== null) {
      if (value['type'] === 'session') this.#laterHeader(record);
      else this.#harness.record(record);
      return;
    }
    if (this.#rule === null) {
      if (this.#slot === null && this.#takeSlot(value)) return;
      if (this.#takeHarness(record)) return;
      if (isHeader(value)) {
        this.#takeHeader(value as SessionHeader, record);
        return;
      }
      this.#rule = 'headerless';
      this.#report(this.#at('header_missing', 'The first record is not a session header.', record));
    }
    if (value['type'] === 'session') this.#laterHeader(record);
    else if (typeof value['type'] !== 'string') this.#report(this.#at('missing_type', 'The record has no type.', record));
    else {
      const { byteOffset, byteLength, line, mentionsBlob } = record;
      const row = this.#builder.add(value, { byteOffset, byteLength, line, record: this.#next++, mentionsBlob }, this.#rule);
      this.#onEntry(value, row);
    }
  }

  #harnessLog(state?: HarnessLogState): HarnessLog {
    const ground = { builder: this.#builder, report: (found: Problem) => this.#report(found), onEntry: this.#onEntry };
    return new HarnessLog(ground, state);
  }

  /** false: the record is not one of DeepSeek Harness. */
  #takeHarness(record: LogRecord): boolean {
    const { value } = record;
    if (isHarnessHeader(value)) {
      this.#harness = this.#harnessLog();
      this.#header = this.#harness.header(record);
      return true;
    }
    if (!isHarnessEvent(value)) return false;
    this.#harness = this.#harnessLog();
    this.#report(this.#at('header_missing', 'The first record is not a session header.', record));
    this.#harness.record(record);
    return true;
  }

  #takeSlot(value: RawRecord): boolean {
    this.#slot = titleSlot(value);
    return this.#slot !== null;
  }

  #takeHeader(header: SessionHeader, record: LogRecord): void {
    this.#header = header;
    const version = headerVersion(header);
    this.#rule = { version };
    if (version > CURRENT_SESSION_VERSION) {
      this.#report(this.#at('newer_version', `Version ${String(version)} is newer than this program knows.`, record));
    }
  }

  #laterHeader(record: LogRecord): void {
    if (this.#header !== null) this.#report(this.#at('header_repeated', 'There is a header already.', record));
    else if (this.#harness !== null && isHarnessHeader(record.value)) this.#header = this.#harness.header(record);
    else if (isHeader(record.value)) this.#header = record.value as SessionHeader;
  }

  #at(code: Problem['code'], message: string, record: LogRecord): Problem {
    return problem(code, message, { line: record.line, byteOffset: record.byteOffset });
  }
}
