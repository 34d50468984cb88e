import { assistant } from '../entries/roles/assistant.ts';
import { custom } from '../entries/roles/custom.ts';
import { toolResult } from '../entries/roles/tool-result.ts';
import { entryKind } from '../entries/registry.ts';
import { resetBoundary } from '../entries/reset-boundary.ts';
import type { Outline } from '../outline/outline.ts';
import { dropIdleVerdicts, foldByCompactions } from './compacted.ts';
import { emissionKind, isCompaction, type ContextRuleSet, type Emission, type PlanOptions, type Verdict } from './plan.ts';
import { emptySettings, normaliseTier, splitModel } from './settings.ts';
import type { ContextSettings } from './types.ts';

/** The custom message that keeps an interrupted turn in the model's view when it comes right behind it. */
const INTERRUPTED_THINKING = 'interrupted-thinking';

/** Custom messages that the agent writes for itself and sends at other moments only. */
const INTERNAL_MESSAGES = new Set(['prewalk-plan', 'vibe-mode-context']);

/**
 * The rules of MusePi and oh-my-pi: calls without a result are taken out of their turns, aborted and failed turns are
 * dropped with the results that answer them, and a reset boundary hides all before it.
 */
export const musepiRules: ContextRuleSet = {
  settings(outline: Outline, path: readonly number[]): ContextSettings {
    const settings = emptySettings();
    const rules = new Set<string>();
    let explicitDefault = false;
    for (const row of path) {
      const setting = outline.setting(row);
      if (setting === null) {
        const model = outline.role(row) === assistant.role ? outline.model(row) : '';
        if (model.includes('/') && !explicitDefault) settings.models['default'] = model;
      } else if (setting.kind === 'thinking') settings.thinkingLevel = setting.level ?? 'off';
      else if (setting.kind === 'tier') settings.serviceTier = normaliseTier(setting.tier);
      else if (setting.kind === 'rules') for (const rule of setting.rules) rules.add(rule);
      else if (setting.kind === 'mode') {
        settings.mode = setting.mode;
        if (setting.data === undefined) delete settings.modeData;
        else settings.modeData = setting.data;
      } else if (!setting.split) {
        const role = setting.role ?? 'default';
        settings.models[role] = `${setting.provider}${setting.provider === '' ? '' : '/'}${setting.modelId}`;
        if (role === 'default') explicitDefault = true;
      }
    }
    settings.injectedTtsrRules = [...rules];
    settings.model = splitModel(settings.models['default'] ?? '');
    return settings;
  },

  select(outline, path, options, verdicts) {
    let emissions = selectRows(outline, path, options, verdicts);
    if (!(options.transcript && options.keepDangling)) emissions = stripUnanswered(outline, emissions, options, verdicts);
    return options.transcript ? emissions : dropBrokenTurns(outline, emissions, verdicts);
  },
};

function selectRows(outline: Outline, path: readonly number[], options: PlanOptions, verdicts: Map<number, Verdict>): Emission[] {
  const emissions: Emission[] = [];
  const pushRange = (from: number, to: number): void => {
    for (let i = from; i < to; i++) {
      const row = path[i]!;
      const kind = emissionKind(outline, row);
      if (kind === null) continue;
      if (!options.transcript && outline.has(row, 'retryRecovery'))
        verdicts.set(row, { status: 'dropped', reason: 'retry_recovery' });
      else if (!options.transcript && kind === 'customMessage' && INTERNAL_MESSAGES.has(outline.name(row))) {
        verdicts.set(row, { status: 'neverSent', reason: 'extension_state' });
      } else emissions.push({ row, kind });
    }
  };
  const { at, keptFrom } = foldByCompactions(outline, path, verdicts);
  if (options.transcript && !options.collapse) {
    for (let i = 0; i < path.length; i++) {
      const row = path[i]!;
      if (isCompaction(outline, row))
        emissions.push({ row, kind: 'compactionSummary', ...(i === at ? {} : { superseded: true }) });
      else pushRange(i, i + 1);
    }
    return emissions;
  }
  const reset = path.findLastIndex((row) => outline.type(row) === resetBoundary.type);
  if (reset > at) {
    for (let i = 0; i < reset; i++)
      if (!verdicts.has(path[i]!) || i > at) verdicts.set(path[i]!, { status: 'folded', reason: 'before_reset' });
    for (let i = Math.max(keptFrom, 0); i <= at; i++) verdicts.set(path[i]!, { status: 'folded', reason: 'before_reset' });
    pushRange(reset + 1, path.length);
  } else if (at < 0) pushRange(0, path.length);
  else {
    const summary: Emission = { row: path[at]!, kind: 'compactionSummary' };
    if (options.transcript) {
      pushRange(keptFrom, at);
      emissions.push(summary);
    } else {
      emissions.push(summary);
      if (!outline.has(summary.row, 'providerReplay')) pushRange(keptFrom, at);
      else for (let i = keptFrom; i < at; i++) replayed(path[i]!, summary.row, verdicts);
    }
    pushRange(at + 1, path.length);
  }
  dropIdleVerdicts(path, verdicts, (row) => entryKind(outline.type(row)).neverSent !== null);
  return emissions;
}

function replayed(row: number, compactionRow: number, verdicts: Map<number, Verdict>): void {
  if (verdicts.get(row)?.reason !== 'older_compaction')
    verdicts.set(row, { status: 'folded', reason: 'provider_replay', compactionRow });
}

function isAssistant(outline: Outline, emission: Emission): boolean {
  return emission.kind === 'message' && outline.role(emission.row) === assistant.role;
}

function isResult(outline: Outline, emission: Emission): boolean {
  return emission.kind === 'message' && outline.role(emission.row) === toolResult.role;
}

/** Takes calls out of turns when no result among the messages answers them; turns of nothing else go. */
function stripUnanswered(
  outline: Outline,
  emissions: Emission[],
  options: PlanOptions,
  verdicts: Map<number, Verdict>,
): Emission[] {
  const answered = new Set<string>();
  for (const emission of emissions)
    if (isResult(outline, emission)) for (const id of outline.calls(emission.row)) answered.add(id);
  const kept: Emission[] = [];
  for (const emission of emissions) {
    const calls = isAssistant(outline, emission) && outline.has(emission.row, 'hasToolCalls') ? outline.calls(emission.row) : [];
    const open = calls.filter((id) => !answered.has(id));
    if (open.length === 0) kept.push(emission);
    else if (open.length === calls.length && !outline.has(emission.row, 'hasOwnContent') && !options.transcript) {
      verdicts.set(emission.row, { status: 'dropped', reason: 'only_unanswered_calls' });
    } else {
      kept.push({ ...emission, stripCalls: open });
      verdicts.set(emission.row, { status: 'adjusted', reason: 'unanswered_calls_removed' });
    }
  }
  return kept;
}

/**
 * Drops aborted and failed turns and the later results that answer them, last turn first: a turn stays when, after
 * what has been dropped already, the note about an interruption comes right behind it.
 */
function dropBrokenTurns(outline: Outline, emissions: Emission[], verdicts: Map<number, Verdict>): Emission[] {
  const dropped = new Uint8Array(emissions.length);
  const answers = new Map<string, number[]>();
  let next = -1;
  for (let i = emissions.length - 1; i >= 0; i--) {
    const emission = emissions[i]!;
    if (isResult(outline, emission)) for (const id of outline.calls(emission.row)) pushTo(answers, id, i);
    const broken = isAssistant(outline, emission) && isBroken(outline, emission.row);
    if (!broken || (next >= 0 && isInterruption(outline, emissions[next]!))) {
      next = i;
      continue;
    }
    dropped[i] = 1;
    verdicts.set(emission.row, { status: 'dropped', reason: outline.has(emission.row, 'error') ? 'error_turn' : 'aborted_turn' });
    for (const id of outline.calls(emission.row)) {
      for (const at of answers.get(id) ?? []) {
        dropped[at] = 1;
        verdicts.set(emissions[at]!.row, { status: 'dropped', reason: 'result_of_dropped_turn' });
      }
      answers.delete(id);
    }
    while (next >= 0 && next < emissions.length && dropped[next] === 1) next++;
    if (next >= emissions.length) next = -1;
  }
  return emissions.filter((_, i) => dropped[i] === 0);
}

function pushTo(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function isBroken(outline: Outline, row: number): boolean {
  return outline.has(row, 'error') || outline.has(row, 'aborted');
}

function isInterruption(outline: Outline, emission: Emission): boolean {
  return outline.role(emission.row) === custom.role && outline.name(emission.row) === INTERRUPTED_THINKING;
}
