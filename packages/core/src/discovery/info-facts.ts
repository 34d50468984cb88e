import { compaction } from '../entries/compaction.ts';
import { contentText } from '../entries/content.ts';
import type { RawRecord, SessionHeader } from '../entries/entry.ts';
import { emptyFacts, type EntryFacts } from '../entries/facts.ts';
import { message } from '../entries/message.ts';
import { modelChange } from '../entries/model-change.ts';
import { asEpoch, asRecord, asString, asTime, isRecord, oneLine } from '../entries/read.ts';
import { entryKind } from '../entries/registry.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { developer, user } from '../entries/roles/user.ts';
import { sessionInfo } from '../entries/session-info.ts';
import { titleChange } from '../entries/title-change.ts';
import { foldTitle, isHeader, titleSlot, type TitleSlot } from '../logs/header.ts';
import { hasFlag, type FlagName } from '../outline/flags.ts';
import { sessionStatus, sessionTitle, type SummaryRows } from '../outline/summary.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { detectShapes } from '../shapes/registry.ts';
import { completeCut } from './cut-record.ts';
import type { SessionInfo } from './session-info.ts';

/** Records of one file in, in file order, what a list says of it out. Pure; keeps texts of talk and nothing else of it. */
export class InfoFacts {
  /** The last record of each telling type. */
  readonly #telling = new Map<string, RawRecord>();
  readonly #texts: string[] = [];
  #slot: TitleSlot | null = null;
  #header: SessionHeader | null = null;
  #isOther = false;
  #messages = 0;
  #first: string | null = null;
  /** Of the line that the cut goes through, where there is no prompt. */
  #standIn: string | null = null;
  #hasGap = false;
  #lastTalk: number | null = null;
  #splitModelChange: boolean | null = null;

  /** The file begins with something that is no header: it is no session. */
  get isOther(): boolean {
    return this.#isOther;
  }

  get header(): SessionHeader | null {
    return this.#header;
  }

  /** A longer look at the beginning would not tell more. */
  get knowsBeginning(): boolean {
    return this.#isOther || (this.#header !== null && (this.#first ?? this.#standIn) !== null);
  }

  record(record: RawRecord): void {
    if (this.#isOther) return;
    if (this.#header !== null) {
      this.#entry(record);
      return;
    }
    if (this.#slot === null && (this.#slot = titleSlot(record)) !== null) return;
    if (isHeader(record)) this.#header = record as SessionHeader;
    else this.#isOther = true;
  }

  /** The beginning of a line that was not read to its end. */
  cutRecord(text: string): void {
    if (this.#isOther) return;
    if (this.#header === null) this.#cutHeader(text);
    else this.#cutEntry(asRecord(completeCut(text, 'keep')));
  }

  /** What stood between the records before and those to come was not read. */
  gap(): void {
    this.#hasGap = true;
    this.#lastTalk = null;
    this.#telling.delete(message.type);
  }

  /** null: no session. @param hint who probably wrote it */
  info(file: { path: string; size: number; mtimeMs: number }, hint: Shapes | undefined): SessionInfo | null {
    if (this.#header === null) return null;
    const header = foldTitle(this.#header, this.#slot);
    const shapes = detectShapes({ header, titleSlot: this.#slot, splitModelChange: this.#splitModelChange }, hint);
    const created = asTime(header.timestamp);
    const parent = asString(header.parentSession) ?? asString(header.branchedFrom);
    const rows = rowsOf([...this.#telling.values()]);
    const name = sessionTitle([rows], header, shapes);
    const firstMessage = this.#first ?? this.#standIn;
    return {
      path: file.path,
      id: header.id,
      cwd: asString(header.cwd) ?? '',
      ...(name === null ? {} : { name }),
      ...(parent === null ? {} : { parentSessionPath: parent }),
      created,
      modified: shapes.modifiedBy === 'message' ? this.#lastUse(created, file.mtimeMs) : file.mtimeMs,
      messageCount: this.#messages,
      ...(firstMessage === null ? {} : { firstMessage }),
      allMessagesText: this.#texts.join(' '),
      size: file.size,
      status: sessionStatus(rows),
    };
  }

  /** Where talk may stand in what was not read, the file's time is nearer than the header's. */
  #lastUse(created: number | null, mtimeMs: number): number {
    return this.#lastTalk ?? (this.#hasGap ? mtimeMs : (created ?? mtimeMs));
  }

  #entry(record: RawRecord): void {
    const { type } = record;
    if (typeof type !== 'string') return;
    if (isTelling(record)) this.#telling.set(type, record);
    if (type === message.type) this.#message(record);
    else if (type === modelChange.type && this.#splitModelChange === null) {
      const { setting } = factsOf(record);
      if (setting?.kind === 'model') this.#splitModelChange = setting.split;
    }
  }

  #message(record: RawRecord): void {
    this.#messages++;
    const inner = asRecord(record['message']);
    const role = inner['role'];
    if (role !== user.role && role !== assistant.role) return;
    const text = contentText(inner['content'], ' ');
    if (text.trim() !== '') {
      this.#texts.push(text);
      if (role === user.role && !this.#hasGap) this.#first ??= text;
    }
    if (inner['content'] === null || inner['content'] === undefined) return;
    const time = asEpoch(inner['timestamp']) ?? asTime(record['timestamp']);
    if (time !== null && (this.#lastTalk === null || time > this.#lastTalk)) this.#lastTalk = time;
  }

  /** An id or a folder that is cut is another one; a name is still a name. */
  #cutHeader(text: string): void {
    const header = asRecord(completeCut(text, 'drop'));
    if (!isHeader(header)) return;
    const { title } = asRecord(completeCut(text, 'keep'));
    this.#header = { ...(header as SessionHeader), ...(typeof title === 'string' ? { title } : {}) };
  }

  #cutEntry(record: RawRecord): void {
    if (record['type'] !== message.type || !isRecord(record['message'])) return;
    this.#messages++;
    const { role, content } = record['message'];
    const text = contentText(content, ' ');
    if (text.trim() === '' || this.#first !== null) return;
    if (role === user.role) this.#first = text;
    else if (role === developer.role || role === assistant.role) this.#standIn = text;
  }
}

/** Entry types of which the last one says something of the whole session. */
const TELLING: ReadonlySet<string> = new Set([sessionInfo.type, titleChange.type, compaction.type, message.type]);

/** A compaction without a short name leaves that of the one before it. */
function isTelling({ type, shortSummary }: RawRecord): boolean {
  if (type === compaction.type) return typeof shortSummary === 'string' && shortSummary.trim() !== '';
  return TELLING.has(type as string);
}

function factsOf(record: RawRecord): EntryFacts {
  const facts = emptyFacts();
  entryKind(record['type'] as string).describe(record, facts);
  return facts;
}

/** Some records as the rows that summaries are made of. */
function rowsOf(records: readonly RawRecord[]): SummaryRows {
  const facts = records.map(factsOf);
  return {
    rowCount: records.length,
    type: (row) => records[row]!['type'] as string,
    role: (row) => facts[row]!.role,
    name: (row) => facts[row]!.name ?? '',
    title: (row) => oneLine(facts[row]!.title),
    time: (row) => facts[row]!.messageTime,
    stopReason: (row) => facts[row]!.stopReason,
    has: (row, flag: FlagName) => hasFlag(facts[row]!.flags, flag),
  };
}
