/**
 * What a list wants to know of the two ends of a file, with as few lines parsed as that takes: a message says in its
 * first bytes whose it is. Where a line that matters is not one record, the decoder that knows damage must look.
 */
import type { RawRecord, SessionHeader } from '../entries/entry.ts';
import { emptyFacts, type EntryFacts } from '../entries/facts.ts';
import { message } from '../entries/message.ts';
import { asTime, isRecord, oneLine, parsedJson } from '../entries/read.ts';
import { entryKind } from '../entries/registry.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { user } from '../entries/roles/user.ts';
import { isHarnessHeader } from '../logs/dsh/header.ts';
import { foldTitle, isHeader, titleSlot, type TitleSlot } from '../logs/header.ts';
import { hasFlag, type FlagName } from '../outline/flags.ts';
import { tellsStatus, type SummaryRows } from '../outline/summary.ts';

/** What the beginning of a file tells. */
export interface HeadFacts {
  header: SessionHeader | null;
  titleSlot: TitleSlot | null;
  /** How the first model change is written; null when none was seen. */
  splitModelChange: boolean | null;
  /** It is a log of events. */
  isHarness: boolean;
  rows: SummaryRows;
}

const LF = 10;

/**
 * Reads the beginning of a file: the header, the first prompt, and every entry that is no message. A last line without
 * its end is left out. null: a line that matters is not a record, or there is no header of ours.
 */
export function headOf(bytes: Buffer): HeadFacts | null {
  const rows = new FactRows();
  let header: SessionHeader | null = null;
  let slot: TitleSlot | null = null;
  for (let at = 0, end = bytes.indexOf(LF); end >= 0; at = end + 1, end = bytes.indexOf(LF, at)) {
    if (header !== null && isMessage(bytes, at)) {
      const seen = rows.hasPrompt ? null : messageHead(bytes, at, end);
      if (rows.hasPrompt || (seen !== null && seen.role !== user.role)) continue;
    }
    const record = recordAt(bytes, at, end);
    if (record === null) return null;
    if (header !== null) {
      if (!rows.add(record)) return null;
    } else if (isHarnessHeader(record)) return null;
    else if (isHeader(record)) header = record as SessionHeader;
    else if (slot !== null || (slot = titleSlot(record)) === null) return null;
  }
  if (header === null) return null;
  return { header: foldTitle(header, slot), titleSlot: slot, splitModelChange: rows.modelForm, isHarness: false, rows };
}

/**
 * Reads the end of a file: the last message, the last prompt or answer, and every entry that is no message. The line
 * that `bytes` begin in is left out. null: a line that matters is not a record.
 */
export function tailOf(bytes: Buffer): SummaryRows | null {
  const start = bytes.indexOf(LF) + 1;
  const records: RawRecord[] = [];
  let isTold = false;
  let isDated = false;
  for (let at = bytes.length; at > start;) {
    const isWhole = bytes[at - 1] === LF;
    const end = isWhole ? at - 1 : at;
    at = bytes.lastIndexOf(LF, end - 1) + 1;
    let record: RawRecord | null = null;
    if (isWhole && isMessage(bytes, at)) {
      if (isDated) continue;
      record = messageHead(bytes, at, end);
      // Only of an answer there is more to know than whose it is and when.
      if (!isTold && record?.['role'] === assistant.role) record = null;
    }
    record ??= recordAt(bytes, at, end);
    if (record === null) return null;
    records.push(record);
    isTold ||= record['type'] === message.type && tellsStatus(roleOf(record));
    isDated ||= isTalk(record);
  }
  const rows = new FactRows();
  return records.reverse().every((record) => rows.add(record)) ? rows : null;
}

function isTalk(record: RawRecord): boolean {
  const role = roleOf(record);
  return role === user.role || role === assistant.role;
}

function roleOf({ message }: RawRecord): string {
  return isRecord(message) && typeof message['role'] === 'string' ? message['role'] : '';
}

const MESSAGE = Buffer.from(`{"type":"${message.type}",`);

/** Does the line say at once that it is a message? */
function isMessage(bytes: Buffer, start: number): boolean {
  for (let i = MESSAGE.length - 1; i >= 0; i--) if (bytes[start + i] !== MESSAGE[i]) return false;
  return true;
}

/** A message of which its first fields are known. */
type MessageHead = RawRecord & { role: string };

const HEAD_BYTES = 200;
/** The first fields of a message in the order in which agents write them. */
const MESSAGE_HEAD = new RegExp(
  `^\\{"type":"${message.type}","id":"[^"\\\\]*","parentId":(?:null|"[^"\\\\]*"),"timestamp":"([^"\\\\]+)","message":\\{"role":"(\\w+)"`,
);

/** What a message says of itself in its first bytes; null when it begins otherwise. */
function messageHead(bytes: Buffer, start: number, end: number): MessageHead | null {
  const found = MESSAGE_HEAD.exec(bytes.toString('latin1', start, Math.min(end, start + HEAD_BYTES)));
  if (found === null) return null;
  const role = found[2]!;
  return { type: message.type, timestamp: found[1]!, message: { role }, role };
}

function recordAt(bytes: Buffer, start: number, end: number): RawRecord | null {
  const value = parsedJson(bytes.toString('utf8', start, end));
  return isRecord(value) ? value : null;
}

/** Facts of some entries, in file order. */
class FactRows implements SummaryRows {
  readonly #rows: { type: string; time: number | null; facts: EntryFacts }[] = [];
  hasPrompt = false;
  modelForm: boolean | null = null;

  /** false: it is no entry. */
  add(record: RawRecord): boolean {
    const { type } = record;
    if (typeof type !== 'string' || isHeader(record)) return false;
    const facts = emptyFacts();
    entryKind(type).describe(record, facts);
    this.#rows.push({ type, time: asTime(record['timestamp']) ?? facts.messageTime, facts });
    if (facts.role === user.role && oneLine(facts.title) !== '') this.hasPrompt = true;
    if (facts.setting?.kind === 'model') this.modelForm ??= facts.setting.split;
    return true;
  }

  get rowCount(): number {
    return this.#rows.length;
  }

  type(row: number): string {
    return this.#rows[row]!.type;
  }

  role(row: number): string {
    return this.#rows[row]!.facts.role;
  }

  name(row: number): string {
    return this.#rows[row]!.facts.name ?? '';
  }

  title(row: number): string {
    return oneLine(this.#rows[row]!.facts.title);
  }

  time(row: number): number | null {
    return this.#rows[row]!.time;
  }

  stopReason(row: number): string {
    return this.#rows[row]!.facts.stopReason;
  }

  has(row: number, flag: FlagName): boolean {
    return hasFlag(this.#rows[row]!.facts.flags, flag);
  }
}
