import { branchSummary } from '../entries/branch-summary.ts';
import { compaction } from '../entries/compaction.ts';
import { customMessage } from '../entries/custom-message.ts';
import type { RawRecord } from '../entries/entry.ts';
import type { MessageMakers } from '../entries/create-messages.ts';
import { message } from '../entries/message.ts';
import { entryKind } from '../entries/registry.ts';
import type { Outline } from '../outline/outline.ts';
import { childrenOf } from '../tree/children.ts';
import type { ContextSettings, ContextStatus, ReasonCode } from './types.ts';

/** How an entry becomes a message. */
export type EmissionKind =
  'message' | 'customMessage' | 'branchSummary' | 'compactionSummary' | 'systemCheckpoint' | 'contextNotes';

export interface Emission {
  row: number;
  kind: EmissionKind;
  /** Row of the context_edit that replaces its content. */
  editRow?: number;
  /** Ids of tool calls to leave out, with redacted thinking and signatures. */
  stripCalls?: string[];
  /** Transcript: an older compaction, which shows that it was replaced instead of its summary. */
  superseded?: boolean;
  /** A compaction that carries what its provider made of the history: it goes with the message. */
  replay?: boolean;
  /** A compaction whose archive goes with the message: within the model's limits, or all of it. */
  archive?: 'limited' | 'whole';
  /** Epoch ms of the message where it is not that of its entry. */
  time?: number;
}

export interface Verdict {
  status: ContextStatus;
  reason?: ReasonCode;
  /** Row of the compaction that folded the entry. */
  compactionRow?: number;
}

export interface ContextPlan {
  /** -1 for an empty context. */
  leafRow: number;
  /** Rows from root to leaf. */
  path: number[];
  /** What a model call at the leaf carries, in order. */
  emissions: Emission[];
  settings: ContextSettings;
  /** Rows with a verdict of their own; others follow from their type and place. */
  verdicts: Map<number, Verdict>;
}

export interface PlanOptions {
  transcript: boolean;
  collapse: boolean;
  keepDangling: boolean;
}

/** The rules of one family of agents. */
export interface ContextRuleSet {
  /** How entries become messages. */
  readonly makers: MessageMakers;
  settings(outline: Outline, path: readonly number[]): ContextSettings;
  /**
   * The entries of a path that the context depends on, in order; all of them where this is missing. For whoever has
   * entries but no outline: to describe a long history that only its settings are wanted of takes longest.
   */
  deciding?(path: readonly RawRecord[]): readonly RawRecord[];
  /** Fills emissions and verdicts from a path. */
  select(outline: Outline, path: readonly number[], options: PlanOptions, verdicts: Map<number, Verdict>): Emission[];
}

/**
 * Rows from root to `leafRow` as the agents walk them: by the parents that the file states. Where those run in a
 * circle the walk stops at the first entry seen twice.
 */
export function contextPath(outline: Outline, leafRow: number): number[] {
  const path: number[] = [];
  const seen = outline.hasCuts ? new Set<number>() : null;
  let at = leafRow;
  while (at >= 0 && seen?.has(at) !== true) {
    path.push(at);
    seen?.add(at);
    const parent = outline.parent(at);
    at = parent >= 0 ? parent : outline.cutParent(at);
  }
  return path.reverse();
}

/** What a model call at `leafRow` would carry, and what becomes of every other entry. One pass over the outline. */
export function planContext(outline: Outline, leafRow: number, rules: ContextRuleSet, options: PlanOptions): ContextPlan {
  return planAlong(outline, leafRow < 0 ? [] : contextPath(outline, leafRow), rules, options);
}

/** The same for a path that is known, whose last row is the leaf. */
export function planAlong(outline: Outline, path: number[], rules: ContextRuleSet, options: PlanOptions): ContextPlan {
  const verdicts = new Map<number, Verdict>();
  const emissions = rules.select(outline, path, options, verdicts);
  return { leafRow: path.at(-1) ?? -1, path, emissions, settings: rules.settings(outline, path), verdicts };
}

/** How a row would be sent if nothing spoke against it; null when it never is. Compactions are the rules' own business. */
export function emissionKind(outline: Outline, row: number): EmissionKind | null {
  switch (outline.type(row)) {
    case message.type:
      return 'message';
    case customMessage.type:
      return outline.has(row, 'badContent') ? null : 'customMessage';
    case branchSummary.type:
      return outline.has(row, 'emptySummary') ? null : 'branchSummary';
    default:
      return null;
  }
}

export function isCompaction(outline: Outline, row: number): boolean {
  return outline.type(row) === compaction.type;
}

/** The verdict on every row, in file order. */
export function verdictsOf(outline: Outline, plan: ContextPlan): Verdict[] {
  const verdicts: Verdict[] = new Array<Verdict>(outline.rowCount);
  const onPath = new Uint8Array(outline.rowCount);
  for (const row of plan.path) onPath[row] = 1;
  const after = rowsBelow(outline, plan.leafRow);
  for (let row = 0; row < outline.rowCount; row++) {
    if (onPath[row] === 1) verdicts[row] = plan.verdicts.get(row) ?? defaultVerdict(outline, row);
    else verdicts[row] = after[row] === 1 ? AFTER_LEAF : OTHER_BRANCH;
  }
  return verdicts;
}

const AFTER_LEAF: Verdict = { status: 'neverSent', reason: 'after_leaf' };
const OTHER_BRANCH: Verdict = { status: 'otherBranch' };
const SENT: Verdict = { status: 'sent' };

function defaultVerdict(outline: Outline, row: number): Verdict {
  const { neverSent } = entryKind(outline.type(row));
  if (neverSent !== null) return { status: 'neverSent', reason: neverSent };
  if (outline.has(row, 'excluded')) return { status: 'neverSent', reason: 'excluded_by_user' };
  if (isCompaction(outline, row)) return SENT;
  if (emissionKind(outline, row) !== null) return SENT;
  return { status: 'neverSent', reason: outline.has(row, 'badContent') ? 'unusable_content' : 'empty_summary' };
}

/** 1 for every descendant of `row`. */
function rowsBelow(outline: Outline, row: number): Uint8Array {
  const below = new Uint8Array(outline.rowCount);
  if (row < 0 || row === outline.rowCount - 1) {
    if (row < 0 || !hasLaterChild(outline, row)) return below;
  }
  const children = childrenOf(outline.parents());
  const pending = [row];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (let i = children.start[at + 1]!; i < children.start[at + 2]!; i++) {
      const child = children.list[i]!;
      below[child] = 1;
      pending.push(child);
    }
  }
  return below;
}

function hasLaterChild(outline: Outline, row: number): boolean {
  return outline.parents().includes(row);
}
