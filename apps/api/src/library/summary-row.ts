import { liveness, type SessionFile, type SessionRoot, type SessionSummary, type Shapes, type SliceSummary } from '@stemma/core';

import type { SummaryRow } from '../schemas/sessions.ts';
import { folded, withTilde } from './display.ts';

/** First prompts are shown in one line and searched; more of them is not held. */
const PROMPT_LIMIT = 1_000;
/** Characters of an id, a label or a model, and of a folder: a row stays small whatever its file says. */
const NAME_LIMIT = 500;
const PATH_LIMIT = 4_096;
/** Labels that a row names; all of them stand in the session itself. */
const LABEL_LIMIT = 100;

/** What a whole session tells. */
export interface Counted {
  summary: SessionSummary;
  shapes: Shapes;
  problemCount: number;
  /** There is a header or at least one entry. */
  isSession: boolean;
}

/** The row of a file that nothing is known of but what a listing says. */
function bareRow(root: SessionRoot, file: SessionFile): SummaryRow {
  return {
    key: file.key,
    id: null,
    rootId: root.id,
    dialect: root.dialect,
    cwd: null,
    cwdLabel: null,
    path: file.path,
    title: null,
    firstPrompt: null,
    created: null,
    modified: file.modifiedMs,
    sizeBytes: file.sizeBytes,
    entryCount: null,
    messageCount: null,
    branchCount: null,
    compactionCount: null,
    labelCount: null,
    labels: [],
    models: [],
    tokens: null,
    cost: null,
    status: 'unknown',
    live: null,
    problemCount: null,
    parentKey: null,
    shape: null,
  };
}

/** What slices of the file tell; what only counting can tell is null. */
export function rowFromSlices(root: SessionRoot, file: SessionFile, summary: SliceSummary, home: string): SummaryRow {
  const row = withSummary(bareRow(root, file), file, summary, summary.shapes, home);
  return summary.whole ? { ...row, problemCount: summary.problems.length } : { ...row, labelCount: null };
}

/**
 * What the whole file tells, laid over its row.
 *
 * @param others problems of the session that are not in its file
 */
export function withCounts(row: SummaryRow, file: SessionFile, counted: Counted, others: number, home: string): SummaryRow {
  const problemCount = counted.problemCount + others;
  return { ...withSummary(row, file, counted.summary, counted.shapes, home), problemCount };
}

function withSummary(
  row: SummaryRow,
  file: SessionFile,
  summary: SessionSummary | SliceSummary,
  shapes: Shapes,
  home: string,
): SummaryRow {
  const { id, cwd, title, created, status, entryCount, messageCount, branchCount, compactionCount, models, tokens, cost, shape } =
    summary;
  return {
    ...row,
    id: id?.slice(0, NAME_LIMIT) ?? null,
    dialect: shapes.id,
    cwd: cwd?.slice(0, PATH_LIMIT) ?? null,
    cwdLabel: withTilde(cwd, home)?.slice(0, PATH_LIMIT) ?? null,
    title: title?.slice(0, PROMPT_LIMIT) ?? null,
    firstPrompt: summary.firstPrompt?.slice(0, PROMPT_LIMIT) ?? null,
    created,
    modified: (shapes.modifiedBy === 'message' ? summary.lastMessage : null) ?? file.modifiedMs,
    status,
    entryCount,
    messageCount,
    branchCount,
    compactionCount,
    labelCount: summary.labels.length,
    labels: summary.labels.slice(0, LABEL_LIMIT).map((label) => label.slice(0, NAME_LIMIT)),
    models: models.map((model) => model.slice(0, NAME_LIMIT)),
    tokens,
    cost,
    shape,
  };
}

/**
 * The row with what the session does at the moment: as its host says, else as far as its file tells.
 *
 * @param paused its host has paused it  @param now epoch ms
 */
export function withLive(row: SummaryRow, file: SessionFile, paused: boolean, now: number): SummaryRow {
  return { ...row, live: paused ? 'paused' : liveness(row.status, file.modifiedMs, now) };
}

/** What was counted before, for a file that has grown since: nearly right, until it is counted again. */
export function withOldCounts(row: SummaryRow, old: SummaryRow): SummaryRow {
  const { entryCount, messageCount, branchCount, compactionCount, labelCount, labels, models, tokens, cost } = old;
  const { problemCount, shape } = old;
  const counts = { entryCount, messageCount, branchCount, compactionCount, labelCount, labels, models, tokens, cost };
  return { ...row, ...counts, problemCount, shape };
}

/** All that `q` looks through, folded, one field a line. */
export function haystackOf(row: SummaryRow): string {
  const fields = [row.title, row.firstPrompt, row.cwd, row.cwdLabel, row.id, ...row.models, ...row.labels];
  return folded(fields.filter((field) => field !== null).join('\n'));
}
