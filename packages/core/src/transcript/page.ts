import { contextPath } from '../context/plan.ts';
import { isSilent } from '../context/rules-dsh.ts';
import { modelContext, type LoadEntries } from '../context/view.ts';
import { callLog, type CallEvent } from '../entries/call-log.ts';
import type { RawRecord } from '../entries/entry.ts';
import { PART_LIMIT } from '../entries/parts.ts';
import { asRecord } from '../entries/read.ts';
import { entryKind } from '../entries/registry.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { outcomeOf, toolResult } from '../entries/roles/tool-result.ts';
import { noticeItem } from '../entries/setting-item.ts';
import type { Outline } from '../outline/outline.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { CallEvents } from './call-events.ts';
import type { CallLog, ToolOutcome, TranscriptItem } from './items.ts';

export type History = 'full' | 'model';

/** Results stand close behind their calls: so far is looked before all of the transcript is. */
const NEAR = 64;

/** The entries of one transcript in order, with calls and results paired. Made from the outline alone. */
export class TranscriptView {
  readonly rows: readonly number[];
  readonly isHidden: (row: number) => boolean;
  readonly #outline: Outline;
  readonly #index: Int32Array;
  #pairs: { results: Map<string, number>; calls: Set<string> } | null = null;
  /** Calls of turns that have many, so that they are not read again for each of them. */
  readonly #many = new Map<number, ReadonlySet<string>>();

  /** What a log of events says of calls; null in other sessions. */
  readonly events: CallEvents | null;

  /**
   * @param isHidden rows that have their place, and show nothing
   * @param isLog the session is a log of events
   */
  constructor(outline: Outline, rows: readonly number[], isHidden: (row: number) => boolean = () => false, isLog = false) {
    this.isHidden = isHidden;
    this.events = isLog ? new CallEvents(outline, rows) : null;
    this.#outline = outline;
    this.rows = rows;
    this.#index = new Int32Array(outline.rowCount).fill(-1);
    for (let i = 0; i < rows.length; i++) this.#index[rows[i]!] = i;
  }

  /** Where a row stands, -1 when it is not part of the transcript. */
  indexOf(row: number): number {
    return this.#index[row] ?? -1;
  }

  has(row: number): boolean {
    return this.indexOf(row) >= 0;
  }

  /** Row of the result that answers a call of the turn at `row`, -1 when none does. */
  resultRow(callId: string, row: number): number {
    const from = this.indexOf(row) + 1;
    const isNear = this.#many.size === 0 || !this.#many.has(row);
    const near = isNear ? this.rows.slice(from, from + NEAR).find((at) => this.#is(at, toolResult.role, callId)) : undefined;
    return near ?? this.#paired().results.get(callId) ?? -1;
  }

  /** Is the call that the result at `row` answers part of the transcript? */
  hasCall(callId: string, row: number): boolean {
    const to = this.indexOf(row);
    const near = this.rows.slice(Math.max(0, to - NEAR), to).some((at) => this.#is(at, assistant.role, callId));
    return near || this.#paired().calls.has(callId);
  }

  /** Ids of the calls of a turn, the first `most` of them. */
  callsOf(row: number, most: number): string[] {
    const ids = this.#outline.calls(row);
    if (ids.length > NEAR) this.#many.set(row, new Set(ids));
    return ids.slice(0, most);
  }

  #is(row: number, role: string, callId: string): boolean {
    if (this.#outline.role(row) !== role || this.isHidden(row)) return false;
    const many = this.#many.get(row);
    if (many !== undefined) return many.has(callId);
    const ids = this.#outline.calls(row);
    if (ids.length > NEAR) this.#many.set(row, new Set(ids));
    return ids.includes(callId);
  }

  /** Everything, for calls and results that stand far apart or alone. */
  #paired(): { results: Map<string, number>; calls: Set<string> } {
    if (this.#pairs !== null) return this.#pairs;
    const pairs = { results: new Map<string, number>(), calls: new Set<string>() };
    for (const row of this.rows) {
      const role = this.isHidden(row) ? '' : this.#outline.role(row);
      if (role === toolResult.role) for (const id of this.#outline.calls(row)) pairs.results.set(id, row);
      else if (role === assistant.role && this.#outline.has(row, 'hasToolCalls'))
        for (const id of this.#outline.calls(row)) pairs.calls.add(id);
    }
    this.#pairs = pairs;
    return pairs;
  }
}

/** @param history `full`: the path from root to leaf; `model`: what the model is sent, summary first. */
export function transcriptView(outline: Outline, leafRow: number, history: History, shapes: Shapes): TranscriptView {
  if (leafRow < 0) return new TranscriptView(outline, []);
  if (history === 'model') return new TranscriptView(outline, sentRows(outline, leafRow, shapes));
  const path = contextPath(outline, leafRow);
  if (!shapes.events) return new TranscriptView(outline, path);
  return new TranscriptView(outline, path, (row) => isSilent(outline, row), true);
}

function sentRows(outline: Outline, leafRow: number, shapes: Shapes): number[] {
  return [...new Set(modelContext(outline, leafRow, shapes).emissions.map((emission) => emission.row))];
}

export interface PageRequest {
  /** One of these rows says where; without any the page is the last one. */
  around?: number;
  before?: number;
  after?: number;
  /** Entries. */
  limit: number;
}

export interface TranscriptPage {
  items: TranscriptItem[];
  /** Rows that the page covers. */
  rows: number[];
  /** Row to ask `before`, -1 at the start. */
  before: number;
  /** Row to ask `after`, -1 at the end. */
  after: number;
}

/** Stored bytes in one page; one entry is always answered. */
const PAGE_BYTES = 1024 * 1024;

/** One page of a transcript. Bodies of the page and of the results that belong to it are loaded, no others. */
export async function transcriptPage(
  outline: Outline,
  view: TranscriptView,
  load: LoadEntries,
  request: PageRequest,
): Promise<TranscriptPage> {
  const [start, end] = range(outline, view, request);
  const rows = view.rows.slice(start, end);
  const more = rows.flatMap((row) => (outline.role(row) === assistant.role ? ridingWith(view, row) : []));
  const wanted = [...new Set([...rows, ...more])];
  const bodies = await load(wanted);
  const bodyOf = new Map(wanted.map((row, i) => [row, bodies[i] as unknown as RawRecord]));
  return {
    items: rows.flatMap((row) => itemsOf(outline, view, row, bodyOf)),
    rows,
    before: start > 0 ? (rows[0] ?? -1) : -1,
    after: end < view.rows.length ? (rows.at(-1) ?? -1) : -1,
  };
}

/** Results of a turn's calls, and what a log says of these. */
function ridingWith(view: TranscriptView, row: number): number[] {
  const calls = view.callsOf(row, PART_LIMIT);
  const results = calls.map((id) => view.resultRow(id, row)).filter((result) => result >= 0);
  const { events } = view;
  return events === null ? results : [...results, ...calls.flatMap((id) => events.rowsOf(id, row)).slice(0, PART_LIMIT)];
}

/** The stretch of the view to answer, grown from its anchor until the limit or the bytes are reached. */
function range(outline: Outline, view: TranscriptView, request: PageRequest): [number, number] {
  const count = view.rows.length;
  const indexOf = (row: number | undefined): number => (row === undefined ? -1 : view.indexOf(row));
  const before = indexOf(request.before);
  if (before >= 0) return [grow(outline, view, before, -1, request.limit), before];
  const after = indexOf(request.after);
  if (after >= 0) return [after + 1, grow(outline, view, after + 1, 1, request.limit)];
  const around = indexOf(request.around);
  if (around < 0) return [grow(outline, view, count, -1, request.limit), count];
  const start = grow(outline, view, around, -1, Math.floor(request.limit / 2));
  return [start, grow(outline, view, around, 1, request.limit - (around - start))];
}

/** From `index` towards the start (-1) or the end (1): where the stretch ends. */
function grow(outline: Outline, view: TranscriptView, index: number, step: 1 | -1, limit: number): number {
  let at = index;
  let bytes = 0;
  for (let taken = 0; taken < limit; taken++) {
    const next = step === 1 ? at : at - 1;
    const row = view.rows[next];
    if (row === undefined) break;
    bytes += outline.bytes(row);
    if (taken > 0 && bytes > PAGE_BYTES) break;
    at += step;
  }
  return at;
}

function itemsOf(outline: Outline, view: TranscriptView, row: number, bodyOf: ReadonlyMap<number, RawRecord>): TranscriptItem[] {
  if (view.isHidden(row) || view.events?.rides(row) === true) return [];
  const resultOf = (callId: string): ToolOutcome | null => {
    const resultRow = view.resultRow(callId, row);
    const body = bodyOf.get(resultRow);
    if (body === undefined) return null;
    return outcomeOf(asRecord(body['message']), placeOf(outline, resultRow));
  };
  const logOf = (callId: string): CallLog | null => {
    if (view.events === null) return null;
    const rows = view.events.rowsOf(callId, row).filter((at) => bodyOf.has(at));
    return callLog(rows.map((at) => ({ entry: bodyOf.get(at)!, place: placeOf(outline, at) })));
  };
  const place = { ...placeOf(outline, row), resultOf, callOnPath: (callId: string) => view.hasCall(callId, row), logOf };
  const items = entryKind(outline.type(row)).items(bodyOf.get(row)!, place);
  if (view.events === null) return items;
  const isOwnBeginning = row === outline.inheritedRows;
  // Where its own part begins, and before anything was said, it was not taken up again.
  const own = items.filter((item) => !isResumed(item) || (!isOwnBeginning && hasTalkBefore(outline, row)));
  if (!isOwnBeginning || row === 0) return own;
  return [{ ...noticeItem(place, 'inherited', null), id: `${place.entryId}#inherited` }, ...own];
}

function isResumed(item: TranscriptItem): boolean {
  return item.kind === 'notice' && item.notice === 'resumed';
}

function hasTalkBefore(outline: Outline, row: number): boolean {
  for (let at = row - 1; at >= 0; at--) if (outline.role(at) !== '') return true;
  return false;
}

function placeOf(outline: Outline, row: number): CallEvent['place'] {
  return { entryId: outline.id(row), row, time: outline.time(row) };
}
