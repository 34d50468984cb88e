import { message } from '../entries/message.ts';
import { spanEnds } from '../entries/replaces.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { toolResult } from '../entries/roles/tool-result.ts';
import { user } from '../entries/roles/user.ts';
import type { Outline } from '../outline/outline.ts';
import { durations, type Durations } from './durations.ts';
import { pathMarks, pathTo } from './path.ts';
import { addUsage, callPurpose, emptyUsage, plus, repeatedCalls, type UsageTally } from './usage.ts';

/** What a set of entries amounts to. null: the file does not say. */
export interface Tally extends UsageTally {
  entries: number;
  messages: number;
  prompts: number;
  answers: number;
  toolCalls: number;
  /** Failed turns, tools and commands. */
  errors: number;
}

/** What one model did in the whole session. */
export interface ModelShare extends UsageTally {
  /** "provider/id" */
  model: string;
  /** Of the tokens of all calls whose model is known, 0 … 1; null when no tokens are known. */
  share: number | null;
}

/** Answered calls of one tool in the whole session. */
export interface ToolTally {
  name: string;
  results: number;
  errors: number;
  /** Time from the entry before each result to the result, summed over `timed` of them (ms); null when none tells. */
  waitMs: number | null;
  timed: number;
}

export interface Statistics {
  /** The path to the leaf: its entries, and the calls behind its talk. */
  active: Tally;
  /** Everything else. */
  abandoned: Tally;
  /** Calls that compactions, branch summaries and side work cost, on any branch. */
  compactions: UsageTally;
  summaries: UsageTally;
  side: UsageTally;
  /** All of the above. */
  total: Tally;
  /** Most tokens first. */
  models: ModelShare[];
  /** Most results first. */
  tools: ToolTally[];
  /** Of the path to the leaf. */
  durations: Durations;
}

/** Everything that is counted of a session. Linear in the entries. */
export function statistics(outline: Outline, leafRow: number): Statistics {
  const onPath = pathMarks(outline.parents(), leafRow);
  const repeats = repeatedCalls(outline);
  // A call belongs to the path when any of its records does.
  for (const [row, counted] of repeats) if (onPath[row] === 1) onPath[counted]! |= CALL_ON_PATH;
  const sets = { compaction: emptyUsage(), summary: emptyUsage(), side: emptyUsage() };
  const active = emptyTally();
  const abandoned = emptyTally();
  const models = new Map<string, UsageTally>();
  const tools = new Map<string, ToolTally>();
  for (let row = 0; row < outline.rowCount; row++) {
    const marks = onPath[row]!;
    const tally = (marks & 1) === 1 ? active : abandoned;
    tally.entries++;
    // A copy that takes the place of others in the context was neither said nor paid for.
    if (replacesOthers(outline, row)) continue;
    countEntry(outline, row, tally);
    if (outline.role(row) === toolResult.role) countResult(outline, row, tools);
    // What a session was begun with was paid for by the one that it is from.
    const purpose = repeats.has(row) || row < outline.inheritedRows ? null : callPurpose(outline, row);
    if (purpose === null) continue;
    addUsage(purpose === 'talk' ? (marks === 0 ? abandoned : active) : sets[purpose], outline, row);
    const model = outline.model(row);
    if (model !== '') addUsage(entryOf(models, model, emptyUsage), outline, row);
  }
  const { compaction: compactions, summary: summaries, side } = sets;
  return {
    active,
    abandoned,
    compactions,
    summaries,
    side,
    total: total(active, abandoned, [compactions, summaries, side]),
    models: shares(models),
    tools: [...tools.values()].sort((a, b) => b.results - a.results),
    durations: durations(outline, pathTo(outline.parents(), leafRow)),
  };
}

/** Beside the mark of the path itself. */
const CALL_ON_PATH = 2;

function emptyTally(): Tally {
  return { entries: 0, messages: 0, prompts: 0, answers: 0, toolCalls: 0, errors: 0, ...emptyUsage() };
}

function replacesOthers(outline: Outline, row: number): boolean {
  return outline.type(row) === message.type && spanEnds(outline.target(row) ?? '') !== null;
}

function countEntry(outline: Outline, row: number, tally: Tally): void {
  const role = outline.role(row);
  if (outline.type(row) === message.type) tally.messages++;
  if (role === user.role) tally.prompts++;
  if (role === assistant.role) {
    tally.answers++;
    if (outline.has(row, 'hasToolCalls')) tally.toolCalls += outline.callCount(row);
  }
  if (outline.has(row, 'error')) tally.errors++;
}

function countResult(outline: Outline, row: number, tools: Map<string, ToolTally>): void {
  const name = outline.name(row);
  const tally = entryOf(tools, name, () => ({ name, results: 0, errors: 0, waitMs: null, timed: 0 }));
  tally.results++;
  if (outline.has(row, 'error')) tally.errors++;
  const wait = waitBefore(outline, row);
  if (wait === null) return;
  tally.waitMs = plus(tally.waitMs, wait);
  tally.timed++;
}

/** How long the session waited for a result. Results of one turn follow each other, so that no time counts twice. */
function waitBefore(outline: Outline, row: number): number | null {
  const parent = outline.parent(row);
  if (parent < 0) return null;
  const role = outline.role(parent);
  if (role !== assistant.role && role !== toolResult.role) return null;
  const from = outline.time(parent);
  const to = outline.time(row);
  return from === null || to === null || to < from ? null : to - from;
}

function entryOf<T>(map: Map<string, T>, name: string, make: () => T): T {
  let entry = map.get(name);
  if (entry === undefined) map.set(name, (entry = make()));
  return entry;
}

function total(active: Tally, abandoned: Tally, others: readonly UsageTally[]): Tally {
  const sum = emptyTally();
  for (const part of [active, abandoned, ...others]) {
    for (const [key, value] of Object.entries(part) as [keyof Tally, number | null][]) sum[key] = plus(sum[key], value) as number;
  }
  return sum;
}

function shares(models: ReadonlyMap<string, UsageTally>): ModelShare[] {
  const known = [...models.values()].reduce<number | null>((sum, { tokens }) => plus(sum, tokens), null);
  const list = Array.from(models, ([model, tally]): ModelShare => {
    const share = known === null || known === 0 ? null : (tally.tokens ?? 0) / known;
    return { model, ...tally, share };
  });
  return list.sort((a, b) => (b.tokens ?? -1) - (a.tokens ?? -1) || b.calls - a.calls);
}
