import {
  clipStrings,
  contextLens,
  contextMessages,
  emissionRole,
  emissionTokens,
  modelContext,
  type AgentMessage,
  type ContextPlan,
  type Lens,
  type Outline,
  type Shapes,
  type Verdict,
} from '@stemma/core';

import { Slices, type SlicedObject } from '../http/json-text.ts';
import type { ContextQuery } from '../schemas/context.ts';
import type { OpenSession } from './open-session.ts';
import { idOrNull } from './rows.ts';

/** Bodies in one answer. */
const DEFAULT_LIMIT = 50;

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
  const { plan, lens, tokens } = session.view(`context ${leafRow} ${shapes.id}`, () => planOf(outline, leafRow, shapes));
  const { from = 0, limit = DEFAULT_LIMIT } = query;
  const bodies = query.bodies === '1' ? await contextMessages(plan, shapes, (rows) => reader.load(rows), from, limit) : [];
  const { thinkingLevel, model, models, serviceTier, mode, modeData, injectedTtsrRules } = plan.settings;
  return {
    epoch,
    leafId: idOrNull(reader, leafRow),
    rules: shapes.id,
    settings: { thinkingLevel, model, models, serviceTier, mode, modeData: clipStrings(modeData).value, injectedTtsrRules },
    messages: messagesOf(outline, plan, from, bodies),
    tokens,
    counts: lens.counts,
    lens: new Slices(lens.runs.length, (start, end) => lens.runs.slice(start, end)),
    lensKeys: lens.keys.map((verdict) => keyOf(outline, verdict)),
    ...(query.entries === '0' ? {} : { entries: entriesOf(outline, lens) }),
  };
}

interface Plan {
  plan: ContextPlan;
  lens: Lens;
  tokens: number;
}

function planOf(outline: Outline, leafRow: number, shapes: Shapes): Plan {
  const plan = modelContext(outline, leafRow, shapes);
  const tokens = plan.emissions.reduce((sum, emission) => sum + emissionTokens(outline, emission), 0);
  return { plan, lens: contextLens(outline, plan), tokens };
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
