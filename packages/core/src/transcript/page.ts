import { contextPath } from '../context/plan.ts';
import { modelContext, type LoadEntries } from '../context/view.ts';
import type { RawRecord } from '../entries/entry.ts';
import { asRecord } from '../entries/read.ts';
import { entryKind } from '../entries/registry.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { outcomeOf, toolResult } from '../entries/roles/tool-result.ts';
import type { Outline } from '../outline/outline.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import type { ToolOutcome, TranscriptItem } from './items.ts';

export type History = 'full' | 'model';

/** The entries of one transcript in order, with calls and results paired. Made from the outline alone. */
export interface TranscriptView {
  rows: number[];
  indexOf: Map<number, number>;
  /** Tool call id → row of the result on the path. */
  resultRows: Map<string, number>;
  callIds: Set<string>;
}

/** @param history `full`: the path from root to leaf; `model`: what the model is sent, summary first. */
export function transcriptView(outline: Outline, leafRow: number, history: History, shapes: Shapes): TranscriptView {
  const rows = leafRow < 0 ? [] : history === 'full' ? contextPath(outline, leafRow) : sentRows(outline, leafRow, shapes);
  const view: TranscriptView = { rows, indexOf: new Map(), resultRows: new Map(), callIds: new Set() };
  for (const [index, row] of rows.entries()) {
    view.indexOf.set(row, index);
    const role = outline.role(row);
    if (role === toolResult.role) for (const id of outline.calls(row)) view.resultRows.set(id, row);
    if (role === assistant.role && outline.has(row, 'hasToolCalls')) for (const id of outline.calls(row)) view.callIds.add(id);
  }
  return view;
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
  const resultRows = rows.flatMap((row) => (outline.role(row) === assistant.role ? resultsOf(outline, view, row) : []));
  const wanted = [...new Set([...rows, ...resultRows])];
  const bodies = await load(wanted);
  const bodyOf = new Map(wanted.map((row, i) => [row, bodies[i] as unknown as RawRecord]));
  return {
    items: rows.flatMap((row) => itemsOf(outline, view, row, bodyOf)),
    rows,
    before: start > 0 ? (rows[0] ?? -1) : -1,
    after: end < view.rows.length ? (rows.at(-1) ?? -1) : -1,
  };
}

function resultsOf(outline: Outline, view: TranscriptView, row: number): number[] {
  return outline.calls(row).flatMap((id) => view.resultRows.get(id) ?? []);
}

/** The stretch of the view to answer, grown from its anchor until the limit or the bytes are reached. */
function range(outline: Outline, view: TranscriptView, request: PageRequest): [number, number] {
  const count = view.rows.length;
  const indexOf = (row: number | undefined): number => (row === undefined ? -1 : (view.indexOf.get(row) ?? -1));
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
  const resultOf = (callId: string): ToolOutcome | null => {
    const resultRow = view.resultRows.get(callId);
    const body = resultRow === undefined ? undefined : bodyOf.get(resultRow);
    if (resultRow === undefined || body === undefined) return null;
    return outcomeOf(asRecord(body['message']), {
      entryId: outline.id(resultRow),
      row: resultRow,
      time: outline.time(resultRow),
    });
  };
  return entryKind(outline.type(row)).items(bodyOf.get(row)!, {
    entryId: outline.id(row),
    row,
    time: outline.time(row),
    resultOf,
    callOnPath: (callId) => view.callIds.has(callId),
  });
}
