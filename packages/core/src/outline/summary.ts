import { compaction } from '../entries/compaction.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { event } from '../entries/event.ts';
import { TURN_START } from '../entries/events.ts';
import { message } from '../entries/message.ts';
import { modelChange } from '../entries/model-change.ts';
import { asString, asTime, oneLine } from '../entries/read.ts';
import { request } from '../entries/request.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { system } from '../entries/roles/system.ts';
import { toolResult } from '../entries/roles/tool-result.ts';
import { developer, user } from '../entries/roles/user.ts';
import { titleChange } from '../entries/title-change.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { resolveLabels } from '../tree/labels.ts';
import { sessionShape, type SessionShape } from '../tree/shape.ts';
import { statistics } from '../tree/statistics.ts';
import type { Outline } from './outline.ts';

/** How a session ended, told by its last message. */
export const SESSION_STATUSES = ['complete', 'interrupted', 'aborted', 'error', 'pending', 'unknown'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** What a list says of a session. null: not known. */
export interface SessionSummary {
  id: string | null;
  cwd: string | null;
  title: string | null;
  firstPrompt: string | null;
  parentSession: string | null;
  /** Epoch ms. */
  created: number | null;
  /** Last prompt or answer, epoch ms. */
  lastMessage: number | null;
  entryCount: number;
  messageCount: number;
  branchCount: number;
  compactionCount: number;
  labels: string[];
  models: string[];
  tokens: number | null;
  cost: number | null;
  status: SessionStatus;
  shape: SessionShape;
}

/** What is asked of entries to name and date a session: of all rows of its outline, or of those that are known. */
export type SummaryRows = Pick<Outline, 'rowCount' | 'type' | 'role' | 'name' | 'title' | 'time' | 'stopReason' | 'has'>;

const MAX_NAMES = 8;

/** Reads everything that a list shows from the outline. Linear. */
export function summarise(outline: Outline, header: SessionHeader | null, shapes: Shapes): SessionSummary {
  const { total } = statistics(outline, outline.leafRow);
  const labels = [...resolveLabels(outline).values()].map((entry) => entry.label);
  return {
    id: header?.id ?? null,
    ...headerFacts(header),
    title: sessionTitle([outline], header, shapes),
    firstPrompt: firstPrompt(outline),
    lastMessage: lastMessageTime(outline),
    entryCount: outline.rowCount,
    messageCount: total.messages,
    branchCount: leafCount(outline),
    compactionCount: countType(outline, compaction.type),
    labels,
    models: modelNames(outline),
    tokens: total.tokens,
    cost: total.cost,
    status: sessionStatus(outline),
    shape: sessionShape(outline, outline.leafRow),
  };
}

export function headerFacts(header: SessionHeader | null): {
  cwd: string | null;
  parentSession: string | null;
  created: number | null;
} {
  return {
    cwd: asString(header?.cwd),
    parentSession: asString(header?.parentSession) ?? asString(header?.branchedFrom),
    created: asTime(header?.timestamp),
  };
}

/**
 * The name that a person or an agent gave; for MusePi sessions without one the short summary of the last compaction.
 * null for none. `parts`: what is known of the file, its end first.
 */
export function sessionTitle(parts: readonly SummaryRows[], header: SessionHeader | null, shapes: Shapes): string | null {
  const named = lastName(parts, shapes.titleEntry ?? titleChange.type);
  const inHeader = oneLine(asString(header?.title) ?? '', 1000);
  const ordered = shapes.titleEntry === null ? [inHeader === '' ? null : inHeader, named] : [named, inHeader];
  const title = ordered.find((candidate) => candidate !== null) ?? '';
  if (title !== '') return title;
  return shapes.titleEntry === null ? lastShortSummary(parts) : null;
}

function lastShortSummary(parts: readonly SummaryRows[]): string | null {
  for (const outline of parts) {
    for (let row = outline.rowCount - 1; row >= 0; row--) if (outline.has(row, 'shortSummary')) return outline.title(row);
  }
  return null;
}

/** The last name in the parts; empty when that one clears, null when there is none. */
function lastName(parts: readonly SummaryRows[], type: string): string | null {
  for (const outline of parts) {
    for (let row = outline.rowCount - 1; row >= 0; row--) if (outline.type(row) === type) return outline.name(row);
  }
  return null;
}

/** First prompt with a text, in file order. */
export function firstPrompt(outline: SummaryRows): string | null {
  for (let row = 0; row < outline.rowCount; row++) {
    if (outline.role(row) !== user.role) continue;
    const title = outline.title(row);
    if (title !== '') return title;
  }
  return null;
}

/** Time of the latest prompt or answer, epoch ms. */
export function lastMessageTime(outline: SummaryRows): number | null {
  let last: number | null = null;
  for (let row = 0; row < outline.rowCount; row++) {
    const role = outline.role(row);
    if (role !== user.role && role !== assistant.role) continue;
    const time = outline.time(row);
    if (time !== null && (last === null || time > last)) last = time;
  }
  return last;
}

function leafCount(outline: Outline): number {
  const hasChild = new Uint8Array(outline.rowCount);
  for (const parent of outline.parents()) if (parent >= 0) hasChild[parent] = 1;
  let leaves = 0;
  for (const mark of hasChild) if (mark === 0) leaves++;
  return leaves;
}

function countType(outline: Outline, type: string): number {
  let count = 0;
  for (let row = 0; row < outline.rowCount; row++) if (outline.type(row) === type) count++;
  return count;
}

/** Entries that say which model is to answer. */
const CHOICES: ReadonlySet<string> = new Set([modelChange.type, request.type]);

/** Models that answered, latest first; those chosen where none answered. */
function modelNames(outline: Outline): string[] {
  const names = new Set<string>();
  const chosen = new Set<string>();
  for (let row = outline.rowCount - 1; row >= 0 && names.size < MAX_NAMES; row--) {
    if (outline.model(row) !== '') names.add(outline.model(row));
    else if (CHOICES.has(outline.type(row)) && outline.title(row) !== '') chosen.add(outline.title(row));
  }
  return names.size > 0 ? [...names] : [...chosen].slice(0, MAX_NAMES);
}

/** A message that is put in beside the talk says nothing of where the session stands. */
export function tellsStatus(role: string): boolean {
  return role !== system.role && role !== developer.role;
}

/** Told by the last message of the file; entries that are no messages change nothing. */
export function sessionStatus(outline: SummaryRows): SessionStatus {
  for (let row = outline.rowCount - 1; row >= 0; row--) {
    if (outline.type(row) === message.type && tellsStatus(outline.role(row))) return statusOfMessage(outline, row);
    if (outline.type(row) !== event.type) continue;
    // How a turn ended, where that is logged apart from what was said in it.
    if (outline.stopReason(row) !== '') return statusOfEnd(outline.stopReason(row));
    if (outline.name(row) === TURN_START) return 'pending';
  }
  return 'unknown';
}

/** Turns that were held up, or whose session went on elsewhere, are not complete. */
function statusOfEnd(reason: string): SessionStatus {
  return reason === 'stop' ? 'complete' : reason === 'error' || reason === 'aborted' ? reason : 'interrupted';
}

function statusOfMessage(outline: SummaryRows, row: number): SessionStatus {
  switch (outline.role(row)) {
    case assistant.role:
      if (outline.has(row, 'error')) return 'error';
      if (outline.has(row, 'aborted')) return 'aborted';
      return outline.stopReason(row) === 'length' || outline.has(row, 'hasToolCalls') ? 'interrupted' : 'complete';
    case toolResult.role:
      return 'interrupted';
    case user.role:
      return 'pending';
    default:
      return 'unknown';
  }
}
