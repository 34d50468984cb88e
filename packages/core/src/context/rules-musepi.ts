import { musepiMakers } from '../entries/create-messages.ts';
import { customMessage } from '../entries/custom-message.ts';
import { entryKind } from '../entries/registry.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { custom } from '../entries/roles/custom.ts';
import { bashExecution } from '../entries/roles/execution.ts';
import { user } from '../entries/roles/user.ts';
import { branchSummary } from '../entries/branch-summary.ts';
import type { Outline } from '../outline/outline.ts';
import { dropIdleVerdicts, foldByCompactions, lastReset, type Compacted } from './compacted.ts';
import { dropBrokenTurns, stripUnanswered } from './musepi-turns.ts';
import { emissionKind, isCompaction, type ContextRuleSet, type Emission, type PlanOptions, type Verdict } from './plan.ts';
import { emptySettings, normaliseTier, splitModel } from './settings.ts';
import type { ContextSettings } from './types.ts';

/** Custom messages that the agent writes for itself and sends at other moments only. */
const INTERNAL_MESSAGES = new Set(['prewalk-plan', 'vibe-mode-context']);

/** Custom messages that are requests when the user put them in. */
const USER_REQUESTS = new Set(['skill-prompt', 'collab-prompt']);

/** The method of compactions whose second one, right behind the first, takes its place. */
const SNAPCOMPACT = 'snapcompact';

/**
 * The rules of MusePi and oh-my-pi: calls without a result are taken out of their turns, aborted and failed turns are
 * dropped with the results that answer them, and a reset boundary hides all before it.
 */
export const musepiRules: ContextRuleSet = {
  makers: musepiMakers,

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
    if (options.transcript && !options.collapse) {
      const whole = wholeHistory(outline, path);
      return options.keepDangling ? whole : stripUnanswered(outline, whole, options, verdicts);
    }
    const selection = new Selection(outline, path, options, verdicts);
    selection.run();
    dropIdleVerdicts(path, verdicts, (row) => entryKind(outline.type(row)).neverSent !== null);
    if (!options.transcript) selection.addNotes();
    let { emissions } = selection;
    if (!(options.transcript && options.keepDangling)) emissions = stripUnanswered(outline, emissions, options, verdicts);
    return options.transcript ? emissions : dropBrokenTurns(outline, emissions, verdicts);
  },
};

function wholeHistory(outline: Outline, path: readonly number[]): Emission[] {
  const last = path.findLastIndex((row) => isCompaction(outline, row));
  const emissions: Emission[] = [];
  for (const [i, row] of path.entries()) {
    if (!isCompaction(outline, row)) {
      const kind = emissionKind(outline, row);
      if (kind !== null) emissions.push({ row, kind });
    } else if (!isReplacedBy(outline, row, path[i + 1])) {
      emissions.push({ row, kind: 'compactionSummary', ...(i === last ? { archive: 'whole' } : { superseded: true }) });
    }
  }
  return emissions;
}

/** Is the next compaction the same one, made again because the first one's images could not be sent? */
function isReplacedBy(outline: Outline, row: number, next: number | undefined): boolean {
  return (
    next !== undefined &&
    isCompaction(outline, next) &&
    outline.name(row) === SNAPCOMPACT &&
    outline.name(next) === SNAPCOMPACT &&
    outline.kept(row) === outline.kept(next) &&
    outline.compactionTokens(row).before === outline.compactionTokens(next).before
  );
}

/** Chooses from one path what the model is sent, or what a collapsed transcript shows. */
class Selection {
  readonly emissions: Emission[] = [];
  readonly #outline: Outline;
  readonly #path: readonly number[];
  readonly #options: PlanOptions;
  readonly #verdicts: Map<number, Verdict>;
  readonly #compacted: Compacted;
  readonly #reset: number;

  constructor(outline: Outline, path: readonly number[], options: PlanOptions, verdicts: Map<number, Verdict>) {
    this.#outline = outline;
    this.#path = path;
    this.#options = options;
    this.#verdicts = verdicts;
    this.#compacted = foldByCompactions(outline, path, verdicts);
    this.#reset = lastReset(outline, path);
  }

  run(): void {
    const { at } = this.#compacted;
    if (this.#reset > at) this.#afterReset();
    else if (at < 0) this.#push(0, this.#path.length);
    else {
      if (this.#options.transcript) this.#keptForDisplay();
      else this.#keptForModel();
      this.#push(at + 1, this.#path.length);
    }
  }

  /** Puts the agent's notebook first, as it stands after the last reset. */
  addNotes(): void {
    for (let i = this.#path.length - 1; i > this.#reset; i--) {
      const row = this.#path[i]!;
      if (!this.#outline.has(row, 'contextNotes')) continue;
      if (this.#outline.estimate(row) === 0) return;
      this.emissions.unshift({ row, kind: 'contextNotes' });
      this.#verdicts.set(row, { status: 'sent' });
      return;
    }
  }

  /** Emits entries of the path that can be messages; an entry that is sent is not folded, whatever stood before. */
  #push(from: number, to: number): void {
    const outline = this.#outline;
    for (let i = from; i < to; i++) {
      const row = this.#path[i]!;
      const kind = emissionKind(outline, row);
      if (kind === null) continue;
      const verdict = this.#options.transcript ? null : neverForModel(outline, row, kind);
      if (verdict !== null) this.#verdicts.set(row, verdict);
      else {
        this.#verdicts.delete(row);
        this.emissions.push({ row, kind });
      }
    }
  }

  #afterReset(): void {
    const { at, keptFrom } = this.#compacted;
    const hide = (i: number): unknown => this.#verdicts.set(this.#path[i]!, { status: 'folded', reason: 'before_reset' });
    for (let i = 0; i < this.#reset; i++) if (!this.#verdicts.has(this.#path[i]!) || i > at) hide(i);
    for (let i = Math.max(keptFrom, 0); i <= at; i++) hide(i);
    this.#push(this.#reset + 1, this.#path.length);
  }

  #keptForDisplay(): void {
    const { at, keptFrom } = this.#compacted;
    let start = keptFrom;
    while (start < at && !startsTurn(this.#outline, this.#path[start]!)) start++;
    this.#push(start === at ? keptFrom : start, at);
    this.emissions.push(this.#summary());
  }

  #keptForModel(): void {
    const outline = this.#outline;
    const { at, keptFrom } = this.#compacted;
    const compactionRow = this.#path[at]!;
    this.emissions.push(this.#summary());
    if (outline.has(compactionRow, 'rollover')) this.#pushLastRequest(at);
    if (!outline.has(compactionRow, 'providerReplay')) {
      this.#push(keptFrom, at);
      return;
    }
    for (let i = keptFrom; i < at; i++) {
      const row = this.#path[i]!;
      if (this.#verdicts.has(row) || this.emissions.some((emission) => emission.row === row)) continue;
      this.#verdicts.set(row, { status: 'folded', reason: 'provider_replay', compactionRow });
    }
    const through = this.#path.indexOf(outline.resolve(outline.target(compactionRow) ?? ''));
    if (through >= 0 && through < at) this.#push(through + 1, at);
  }

  #summary(): Emission {
    const outline = this.#outline;
    const { at } = this.#compacted;
    const row = this.#path[at]!;
    const emission: Emission = { row, kind: 'compactionSummary' };
    if (!this.#options.transcript) emission.archive = 'limited';
    if (outline.has(row, 'providerReplay') || outline.has(row, 'providerSummary')) emission.replay = true;
    if (outline.has(row, 'providerSummary')) {
      // It must not look newer than what it keeps, or the provider takes that for rewritten.
      const kept = this.#path.indexOf(outline.resolve(outline.kept(row) ?? ''));
      const first = kept >= 0 && kept < at ? this.#path[kept] : this.#path[at + 1];
      const time = first === undefined ? null : outline.time(first);
      if (time !== null) emission.time = time - 1;
    }
    return emission;
  }

  /** A window that starts from the notebook still begins with the request that was being worked on. */
  #pushLastRequest(at: number): void {
    const kept = this.#path.indexOf(this.#outline.resolve(this.#outline.kept(this.#path[at]!) ?? ''));
    for (let i = at - 1; i > this.#reset; i--) {
      if (!isRequest(this.#outline, this.#path[i]!)) continue;
      if (i < kept) this.#push(i, i + 1);
      return;
    }
  }
}

/** Why an entry that could be a message is kept from the model, or null. */
function neverForModel(outline: Outline, row: number, kind: Emission['kind']): Verdict | null {
  if (outline.has(row, 'retryRecovery')) return { status: 'dropped', reason: 'retry_recovery' };
  if (outline.has(row, 'emptyTurn')) return { status: 'dropped', reason: 'error_turn' };
  if (kind === 'customMessage' && INTERNAL_MESSAGES.has(outline.name(row))) {
    return { status: 'neverSent', reason: 'extension_state' };
  }
  return null;
}

function startsTurn(outline: Outline, row: number): boolean {
  const type = outline.type(row);
  if (type === branchSummary.type || type === customMessage.type) return true;
  return outline.role(row) === user.role || outline.role(row) === bashExecution.role;
}

function isRequest(outline: Outline, row: number): boolean {
  const role = outline.role(row);
  if (role === user.role) return true;
  return (
    role === custom.role &&
    !outline.has(row, 'badContent') &&
    outline.has(row, 'fromUser') &&
    USER_REQUESTS.has(outline.name(row))
  );
}
