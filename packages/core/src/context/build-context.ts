import type { RawRecord, SessionEntry } from '../entries/entry.ts';
import { CURRENT_SESSION_VERSION } from '../entries/entry.ts';
import { isRecord } from '../entries/read.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { modelChange } from '../entries/model-change.ts';
import { modeChange } from '../entries/mode-change.ts';
import { OutlineBuilder } from '../outline/builder.ts';
import type { Outline } from '../outline/outline.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { shapesFor } from '../shapes/registry.ts';
import { collapsedFrom } from './compacted.ts';
import { entriesTo } from './entry-path.ts';
import { materialise } from './materialise.ts';
import { isCompaction, planAlong, planContext, verdictsOf, type ContextPlan, type PlanOptions } from './plan.ts';
import type { ContextOptions, Explanation, SessionContext } from './types.ts';

/**
 * What a model call at a leaf carries.
 * @param entries in file order, version 3.
 * @param leafId null: an empty context. Absent, empty or unknown: the last entry.
 * @param byId entries by id, where the caller has them; it decides what a reference means.
 */
export function buildSessionContext(
  entries: SessionEntry[],
  leafId?: string | null,
  byId?: Map<string, SessionEntry>,
  options: ContextOptions = {},
): SessionContext {
  const input = { leafId, options };
  const { plan, outline, bodies, shapes } =
    (byId === undefined ? planPath(entries, input) : null) ?? planEntries(entries, byId, input);
  const materialiseOptions = {
    makers: shapes.context.makers,
    emptyForNull: shapes.emptyForNull,
    transcript: options.transcript === true,
  };
  const messages = plan.emissions.map((emission) => materialise(emission, (row) => bodies[row]!, materialiseOptions));
  const context: SessionContext = { messages, ...plan.settings };
  if (options.transcript === true) {
    const from = options.collapseCompactedHistory === true ? collapsedFrom(outline, plan.path) : 0;
    context.cacheMissExplainedAt = explainCacheMisses(outline, plan, from);
  }
  return context;
}

/** What becomes of every entry in the context at a leaf, in file order: the same pass as `buildSessionContext`. */
export function explainContext(entries: SessionEntry[], leafId?: string | null, options: ContextOptions = {}): Explanation[] {
  const { plan, outline } = planEntries(entries, undefined, { leafId, options });
  return verdictsOf(outline, plan).map(({ status, reason, compactionRow }, row) => ({
    id: outline.id(row),
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(compactionRow === undefined ? {} : { compactionId: outline.id(compactionRow) }),
  }));
}

interface PlanInput {
  leafId: string | null | undefined;
  options: ContextOptions;
}

interface Planned {
  plan: ContextPlan;
  outline: Outline;
  /** Of the rows. */
  bodies: readonly RawRecord[];
  shapes: Shapes;
}

function planEntries(entries: readonly SessionEntry[], byId: Map<string, SessionEntry> | undefined, input: PlanInput): Planned {
  const all: unknown[] = [];
  // What the caller's index holds besides the entries stands before them, so that the last entry stays the leaf.
  if (byId !== undefined) {
    const listed = new Set<SessionEntry>(entries);
    for (const entry of byId.values()) if (!listed.has(entry)) all.push(entry);
  }
  return planRecords([...all, ...entries].filter(isRecord), input);
}

function planRecords(bodies: RawRecord[], { leafId, options }: PlanInput): Planned {
  const outline = outlineOf(bodies);
  const shapes = shapesFor(options.rules);
  const found = leafId === undefined || leafId === null ? -1 : outline.resolve(leafId);
  const leafRow = leafId === null ? -1 : found >= 0 ? found : outline.leafRow;
  return { plan: planContext(outline, leafRow, shapes.context, planOptions(options)), outline, bodies, shapes };
}

/**
 * The same from what stands on the path, or decides: a context is made of nothing else. null: the entries must be
 * looked at all together to tell the path.
 */
function planPath(entries: readonly SessionEntry[], { leafId, options }: PlanInput): Planned | null {
  const path = leafId === null ? [] : entriesTo(entries, leafId);
  if (path === null) return null;
  const shapes = shapesFor(options.rules);
  const rules = shapes.context;
  const bodies = options.transcript === true ? path : (rules.deciding?.(path) ?? path);
  const outline = outlineOf(bodies);
  const plan = planAlong(outline, [...bodies.keys()], rules, planOptions(options));
  return { plan, outline, bodies, shapes };
}

function outlineOf(bodies: readonly RawRecord[]): Outline {
  const builder = new OutlineBuilder();
  for (const [i, body] of bodies.entries()) {
    builder.add(body, { byteOffset: 0, byteLength: 0, line: 0, record: i + 1 }, { version: CURRENT_SESSION_VERSION });
  }
  builder.seal();
  return builder.outline;
}

function planOptions(options: ContextOptions): PlanOptions {
  return {
    transcript: options.transcript === true,
    collapse: options.collapseCompactedHistory === true,
    keepDangling: options.keepDanglingToolCalls === true,
  };
}

/**
 * For every message: is it an answer whose cache miss has a visible cause?
 * @param from index into the path: what stands before it is not part of the transcript.
 */
function explainCacheMisses(outline: Outline, plan: ContextPlan, from: number): boolean[] {
  const explained = new Map<number, boolean>();
  let caused = false;
  let planning = false;
  let previousModel = '';
  for (let i = from; i < plan.path.length; i++) {
    const row = plan.path[i]!;
    const setting = outline.setting(row);
    if (isCompaction(outline, row) || outline.type(row) === modelChange.type) caused = true;
    else if (outline.type(row) === modeChange.type && setting?.kind === 'mode') {
      const now = setting.mode === 'plan';
      if (now !== planning) caused = true;
      planning = now;
    } else if (outline.role(row) === assistant.role) {
      const model = outline.model(row);
      explained.set(row, caused || (previousModel !== '' && model !== previousModel));
      previousModel = model;
      caused = false;
    }
  }
  return plan.emissions.map((emission) => explained.get(emission.row) ?? false);
}
