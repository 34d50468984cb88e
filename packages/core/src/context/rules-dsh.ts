import { branchSummary } from '../entries/branch-summary.ts';
import { createUserMessage, piMakers, type MessageMakers } from '../entries/create-messages.ts';
import { customMessage } from '../entries/custom-message.ts';
import { message } from '../entries/message.ts';
import { request } from '../entries/request.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { system } from '../entries/roles/system.ts';
import { spanEnds } from '../entries/replaces.ts';
import type { Outline } from '../outline/outline.ts';
import { emissionKind, isCompaction, type ContextRuleSet, type Emission, type Verdict } from './plan.ts';
import { emptySettings, splitModel } from './settings.ts';
import type { ContextSettings } from './types.ts';

/** Whatever a plugin puts in is a user's message to the model. */
const makers: MessageMakers = { ...piMakers, customMessage: createUserMessage };

/**
 * The rules of DeepSeek Harness: the model sees a surface. Messages are put at its end; one that replaces others takes the
 * place of a span of it. The prompt of the latest request header comes first where no system message is on the surface.
 */
export const dshRules: ContextRuleSet = {
  makers,

  settings(outline: Outline, path: readonly number[]): ContextSettings {
    const settings = emptySettings();
    for (const row of path) {
      const setting = outline.setting(row);
      if (setting?.kind === 'model') {
        settings.model = { provider: setting.provider, modelId: setting.modelId };
        settings.thinkingLevel = setting.thinking ?? 'off';
      } else if (outline.role(row) === assistant.role) settings.model = splitModel(outline.model(row)) ?? settings.model;
    }
    if (settings.model !== null) settings.models['default'] = `${settings.model.provider}/${settings.model.modelId}`;
    return settings;
  },

  select(outline, path, options, verdicts) {
    if (options.transcript) return wholeHistory(outline, path);
    const surface = new Surface();
    const carriers = new Map<number, number>();
    let summary = -1;
    for (const row of path) {
      if (isCompaction(outline, row)) summary = row;
      if (!isMessage(outline, row)) continue;
      const span = spanEnds(outline.target(row) ?? '');
      const replaced = span !== null && surface.replace(row, outline.id(row), span, verdicts);
      if (!replaced) surface.append(row, outline.id(row));
      if (replaced && summary >= 0) carriers.set(summary, row);
      summary = -1;
    }
    const rows = surface.rows();
    for (const row of path) if (isCompaction(outline, row)) verdicts.set(row, verdictOf(carriers.get(row), verdicts));
    const emissions: Emission[] = [];
    const prompt = promptRow(outline, path, rows);
    if (prompt >= 0) {
      emissions.push({ row: prompt, kind: 'systemCheckpoint' });
      verdicts.set(prompt, { status: 'sent' });
    }
    for (const row of rows) {
      const kind = emissionKind(outline, row);
      if (kind !== null) emissions.push({ row, kind });
    }
    return emissions;
  },
};

/**
 * What becomes of a compaction: the message behind it carries its summary, as long as no later one takes that one's place.
 * @param carrier undefined: nothing carries it, so that it is only a note in the log
 */
function verdictOf(carrier: number | undefined, verdicts: ReadonlyMap<number, Verdict>): Verdict {
  if (carrier === undefined) return { status: 'neverSent', reason: 'annotation' };
  const replaced = verdicts.get(carrier);
  return replaced === undefined ? { status: 'sent' } : { ...replaced, reason: 'older_compaction' };
}

/** Nobody said it: it only took the place of others in what the model sees, or is an answer that says nothing and tells its usage. */
export function isSilent(outline: Outline, row: number): boolean {
  if (isReplacement(outline, row)) return true;
  return outline.role(row) === assistant.role && !outline.has(row, 'hasOwnContent') && !outline.has(row, 'hasToolCalls');
}

function isReplacement(outline: Outline, row: number): boolean {
  return isMessage(outline, row) && spanEnds(outline.target(row) ?? '') !== null;
}

function isMessage(outline: Outline, row: number): boolean {
  const type = outline.type(row);
  return type === message.type || type === customMessage.type || type === branchSummary.type;
}

/** What people read: everything that was said, and nothing that only took its place; the summaries where they were made. */
function wholeHistory(outline: Outline, path: readonly number[]): Emission[] {
  const emissions: Emission[] = [];
  for (const row of path) {
    if (isCompaction(outline, row)) emissions.push({ row, kind: 'compactionSummary' });
    else if (isMessage(outline, row) && !isSilent(outline, row)) {
      const kind = emissionKind(outline, row);
      if (kind !== null) emissions.push({ row, kind });
    }
  }
  return emissions;
}

/** The latest request that carries a prompt; -1 for none, or where a system message is on the surface. */
function promptRow(outline: Outline, path: readonly number[], surface: readonly number[]): number {
  if (surface.some((row) => outline.role(row) === system.role)) return -1;
  return path.findLast((row) => outline.type(row) === request.type && outline.checkpointChars(row) > 0) ?? -1;
}

/** What stands behind the number of an event that was given before. */
const COPY = /~\d+$/;

/** Rows in the order in which the model sees them. */
class Surface {
  /** Rows by the numbers of their events: of several with one number that of this path. */
  readonly #rowOf = new Map<string, number>();
  readonly #next = new Map<number, number>();
  readonly #before = new Map<number, number>();
  /** Rises from row to row along the surface. What replaces a span has the figure of its beginning. */
  readonly #order = new Map<number, number>();
  #first = -1;
  #last = -1;
  #count = 0;

  append(row: number, id: string): void {
    this.#rowOf.set(id.replace(COPY, ''), row);
    this.#order.set(row, this.#count++);
    this.#link(this.#last, row);
    this.#link(row, -1);
  }

  /** Puts a row in the place of a span. false: there is no such span. */
  replace(row: number, id: string, span: { from: string; to: string }, verdicts: Map<number, Verdict>): boolean {
    const [from, to] = [this.#rowOf.get(span.from) ?? -1, this.#rowOf.get(span.to) ?? -1];
    const [start, end] = [this.#order.get(from), this.#order.get(to)];
    if (start === undefined || end === undefined || start > end) return false;
    const before = this.#before.get(from) ?? -1;
    const after = this.#next.get(to) ?? -1;
    for (let at = from; ; at = this.#next.get(at)!) {
      this.#order.delete(at);
      verdicts.set(at, { status: 'folded', compactionRow: row });
      if (at === to) break;
    }
    this.#rowOf.set(id.replace(COPY, ''), row);
    this.#order.set(row, start);
    this.#link(before, row);
    this.#link(row, after);
    return true;
  }

  rows(): number[] {
    const rows: number[] = [];
    for (let at = this.#first; at >= 0; at = this.#next.get(at) ?? -1) rows.push(at);
    return rows;
  }

  #link(one: number, other: number): void {
    if (one < 0) this.#first = other;
    else this.#next.set(one, other);
    if (other < 0) this.#last = one;
    else this.#before.set(other, one);
  }
}
