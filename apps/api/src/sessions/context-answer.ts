import {
  clipStrings,
  contextLens,
  contextMessages,
  contextParts,
  emissionRole,
  emissionTokens,
  modelContext,
  systemPromptAt,
  type AgentMessage,
  type ContextParts,
  type ContextPlan,
  type Lens,
  type Outline,
  type Shapes,
  type Verdict,
} from '@stemma/core';

import { Slices, type SlicedObject } from '../http/json-text.ts';
import type { Context, ContextQuery } from '../schemas/context.ts';
import type { OpenSession } from './open-session.ts';
import { idOrNull } from './rows.ts';

/** Bodies in one answer. */
const DEFAULT_LIMIT = 50;
/** Stored bytes whose bodies are in one answer; one body always is. */
const BODY_BYTES = 4 * 1024 * 1024;

/**
 * What a model call at a leaf would carry, and what became of every entry: as an object whose long lists are
 * written in slices.
 */
export async function contextAnswer(
  session: OpenSession,
  leafRow: number,
  shapes: Shapes,
  query: ContextQuery,
): Promise<SlicedObject> {
  const { reader } = session;
  const { epoch, outline } = reader;
  const { plan, lens, tokens, parts } = session.view(`context ${leafRow} ${shapes.id}`, () => planOf(outline, leafRow, shapes));
  const { from = 0, limit = DEFAULT_LIMIT } = query;
  const count = query.bodies === '1' ? bodiesWithin(outline, plan, from, limit) : 0;
  const bodies = count === 0 ? [] : await contextMessages(plan, shapes, (rows) => reader.load(rows), from, count);
  const { thinkingLevel, model, models, serviceTier, mode, modeData, injectedTtsrRules } = plan.settings;
  return {
    epoch,
    leafId: idOrNull(reader, leafRow),
    rules: shapes.id,
    settings: clipStrings({ thinkingLevel, model, models, serviceTier, mode, modeData, injectedTtsrRules }).value,
    messages: messagesOf(outline, plan, from, bodies),
    tokens,
    parts,
    counts: lens.counts,
    lens: new Slices(lens.runs.length, (start, end) => lens.runs.slice(start, end)),
    lensKeys: lens.keys.map((verdict) => keyOf(outline, verdict)),
    ...(query.system === '1' ? { system: await systemPrompt(session, leafRow, shapes) } : {}),
    ...(query.entries === '0' ? {} : { entries: entriesOf(outline, lens) }),
  };
}

/** Characters of a system prompt in one answer, and its sections or tools. */
const PROMPT_CHARS = 1024 * 1024;
const PROMPT_PARTS = 1_000;

async function systemPrompt({ reader }: OpenSession, leafRow: number, shapes: Shapes): Promise<Context['system']> {
  const prompt = await systemPromptAt(reader.outline, leafRow, shapes, (rows) => reader.load(rows));
  if (prompt === null) return null;
  const left = { chars: PROMPT_CHARS };
  const sections = within(prompt.sections, left);
  const tools = within(prompt.tools, left);
  return { sections, tools, more: prompt.sections.length - sections.length + prompt.tools.length - tools.length };
}

/** The first parts, as many as there is room for, their texts cut. */
function within<T extends object>(parts: readonly T[], left: { chars: number }): T[] {
  const taken: T[] = [];
  for (const part of parts.slice(0, PROMPT_PARTS)) {
    if (left.chars <= 0) break;
    const clipped = clipStrings(part).value as T;
    for (const text of Object.values(clipped)) left.chars -= String(text).length;
    taken.push(clipped);
  }
  return taken;
}

/** How many bodies from `from` on are answered at once. */
function bodiesWithin(outline: Outline, plan: ContextPlan, from: number, limit: number): number {
  let bytes = 0;
  let count = 0;
  for (const { row, editRow } of plan.emissions.slice(from, from + limit)) {
    bytes += outline.bytes(row) + (editRow === undefined ? 0 : outline.bytes(editRow));
    if (count > 0 && bytes > BODY_BYTES) break;
    count++;
  }
  return count;
}

interface Plan {
  plan: ContextPlan;
  lens: Lens;
  tokens: number;
  parts: ContextParts;
}

function planOf(outline: Outline, leafRow: number, shapes: Shapes): Plan {
  const plan = modelContext(outline, leafRow, shapes);
  const tokens = plan.emissions.reduce((sum, emission) => sum + emissionTokens(outline, emission), 0);
  return { plan, lens: contextLens(outline, plan), tokens, parts: contextParts(outline, plan) };
}

function messagesOf(outline: Outline, plan: ContextPlan, from: number, bodies: readonly AgentMessage[]): Slices {
  return new Slices(plan.emissions.length, (start, end) =>
    plan.emissions.slice(start, end).map((emission, i) => {
      const body = bodies[start + i - from];
      return {
        entryId: outline.id(emission.row),
        row: emission.row,
        role: emissionRole(outline, emission),
        tokens: emissionTokens(outline, emission),
        ...(body === undefined ? {} : { message: clipStrings(body).value }),
      };
    }),
  );
}

function keyOf(outline: Outline, { status, reason, compactionRow }: Verdict) {
  return {
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(compactionRow === undefined ? {} : { compactionId: outline.id(compactionRow) }),
  };
}

/** The runs of the lens, entry by entry. */
function entriesOf(outline: Outline, lens: Lens): Slices {
  const keyOfRow = new Uint32Array(outline.rowCount);
  for (const [first, count, key] of lens.runs) keyOfRow.fill(key, first, first + count);
  const keys = lens.keys.map((verdict) => keyOf(outline, verdict));
  return new Slices(keyOfRow.length, (start, end) =>
    Array.from({ length: end - start }, (_, i) => ({ id: outline.id(start + i), ...keys[keyOfRow[start + i]!] })),
  );
}
