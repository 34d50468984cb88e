import { piMakers } from '../entries/create-messages.ts';
import { contextEdit } from '../entries/context-edit.ts';
import { compaction } from '../entries/compaction.ts';
import { customMessage } from '../entries/custom-message.ts';
import type { RawRecord } from '../entries/entry.ts';
import { message } from '../entries/message.ts';
import { asRecord } from '../entries/read.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { custom } from '../entries/roles/custom.ts';
import { system } from '../entries/roles/system.ts';
import { toolResult } from '../entries/roles/tool-result.ts';
import { user } from '../entries/roles/user.ts';
import { entryKind } from '../entries/registry.ts';
import type { Outline } from '../outline/outline.ts';
import { dropIdleVerdicts, foldByCompactions } from './compacted.ts';
import { emissionKind, isCompaction, type ContextRuleSet, type Emission, type EmissionKind, type Verdict } from './plan.ts';
import { emptySettings, normaliseTier, splitModel } from './settings.ts';
import type { ContextSettings } from './types.ts';

/**
 * The rules of Pi 1.6.0, observed by running it: aborted turns, errors and unanswered calls are sent as they are;
 * edits in what is sent replace or drop their target; a compaction's system checkpoint comes first.
 */
export const piRules: ContextRuleSet = {
  makers: piMakers,

  settings(outline: Outline, path: readonly number[]): ContextSettings {
    const settings = emptySettings();
    for (const row of path) {
      const setting = outline.setting(row);
      if (setting?.kind === 'thinking') settings.thinkingLevel = setting.level ?? 'off';
      else if (setting?.kind === 'model') settings.model = { provider: setting.provider, modelId: setting.modelId };
      else if (setting?.kind === 'tier') settings.serviceTier = normaliseTier(setting.tier);
      else if (outline.role(row) === assistant.role) settings.model = splitModel(outline.model(row)) ?? settings.model;
    }
    if (settings.model !== null) settings.models['default'] = `${settings.model.provider}/${settings.model.modelId}`;
    return settings;
  },

  deciding(path) {
    const at = path.findLastIndex((entry) => entry['type'] === compaction.type);
    const kept = path[at]?.['firstKeptEntryId'];
    if (typeof kept !== 'string') return path;
    const keptAt = path.findIndex((entry) => entry['id'] === kept);
    const from = keptAt >= 0 && keptAt < at ? keptAt : at;
    // What is folded is not sent. Its settings stay in force, and the model is that of the last answer if none was chosen.
    const answer = path.findLastIndex((entry, i) => i < from && hasModel(entry));
    return path.filter((entry, i) => i >= from || i === answer || entry['type'] !== message.type);
  },

  select(outline, path, options, verdicts) {
    if (options.transcript) return wholeHistory(outline, path);
    const rows = sentRows(outline, path, verdicts);
    const emissions = emissionsOf(outline, rows);
    // Of the content of such messages others could make nothing.
    for (const { row } of emissions) if (outline.has(row, 'badContent')) verdicts.set(row, { status: 'sent' });
    return applyEdits(outline, rows, emissions, verdicts);
  },
};

function hasModel(entry: RawRecord): boolean {
  const { role, model } = asRecord(entry['message']);
  return role === assistant.role && typeof model === 'string' && model !== '';
}

/** Pi hands on whatever a custom message holds. */
function kindOf(outline: Outline, row: number): EmissionKind | null {
  return outline.type(row) === customMessage.type ? 'customMessage' : emissionKind(outline, row);
}

function wholeHistory(outline: Outline, path: readonly number[]): Emission[] {
  const last = path.findLast((row) => isCompaction(outline, row));
  const emissions: Emission[] = [];
  for (const row of path) {
    const kind = kindOf(outline, row);
    if (kind !== null) emissions.push({ row, kind });
    else if (row === last) emissions.push({ row, kind: 'compactionSummary' });
    else if (isCompaction(outline, row)) emissions.push({ row, kind: 'compactionSummary', superseded: true });
  }
  return emissions;
}

/** Rows that the model's view is made of: the last compaction first, what it keeps, what came after. */
function sentRows(outline: Outline, path: readonly number[], verdicts: Map<number, Verdict>): number[] {
  const { at, keptFrom } = foldByCompactions(outline, path, verdicts);
  dropIdleVerdicts(path, verdicts, (row) => entryKind(outline.type(row)).neverSent !== null);
  if (at < 0) return [...path];
  const compactionRow = path[at]!;
  const rows = [compactionRow];
  for (let i = keptFrom; i < at; i++) {
    if (outline.role(path[i]!) !== system.role) rows.push(path[i]!);
    else verdicts.set(path[i]!, { status: 'folded', reason: 'system_checkpoint', compactionRow });
  }
  for (let i = at + 1; i < path.length; i++) rows.push(path[i]!);
  return rows;
}

function emissionsOf(outline: Outline, rows: readonly number[]): Emission[] {
  const emissions: Emission[] = [];
  const first = rows[0];
  if (first !== undefined && isCompaction(outline, first)) {
    if (outline.has(first, 'systemCheckpoint')) emissions.push({ row: first, kind: 'systemCheckpoint' });
    emissions.push({ row: first, kind: 'compactionSummary' });
  }
  for (const row of rows) {
    const kind = kindOf(outline, row);
    if (kind !== null) emissions.push({ row, kind });
  }
  return emissions;
}

const EDITABLE = new Set([user.role, assistant.role, toolResult.role, custom.role]);

/** The latest edit among the sent rows wins; one that was folded away has no effect. */
function applyEdits(
  outline: Outline,
  rows: readonly number[],
  emissions: Emission[],
  verdicts: Map<number, Verdict>,
): Emission[] {
  const edits = new Map<number, number>();
  for (const row of rows) {
    if (outline.type(row) === contextEdit.type) edits.set(outline.resolve(outline.target(row) ?? ''), row);
  }
  if (edits.size === 0) return emissions;
  const kept: Emission[] = [];
  for (const emission of emissions) {
    const editRow = edits.get(emission.row);
    if (editRow === undefined) kept.push(emission);
    else if (outline.has(editRow, 'drops')) verdicts.set(emission.row, { status: 'dropped', reason: 'dropped_by_edit' });
    else if (emission.kind === 'customMessage' || (emission.kind === 'message' && EDITABLE.has(outline.role(emission.row)))) {
      kept.push({ ...emission, editRow });
      verdicts.set(emission.row, { status: 'adjusted', reason: 'content_replaced' });
    } else kept.push(emission);
  }
  return kept;
}
