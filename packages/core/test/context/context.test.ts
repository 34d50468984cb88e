import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  buildSessionContext,
  contextLens,
  contextMessages,
  createBranchSummaryMessage,
  createCompactionSummaryMessage,
  createCustomMessage,
  emissionRole,
  emissionTokens,
  explainContext,
  modelContext,
  shapesFor,
  type SessionEntry,
} from '../../src/pure.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';
import { briefMessage } from '../support/brief.ts';
import { decode } from '../support/decode.ts';

const RULES = ['pi', 'musepi'] as const;

/** Talk with all that rules look at: stops, calls answered or not, compactions, resets, edits, repeated and missing ids. */
const step = fc.record({
  kind: fc.integer({ min: 0, max: 11 }),
  ref: fc.nat(),
  stop: fc.constantFrom('stop', 'aborted', 'error', 'toolUse'),
});
const sessions = fc.array(step, { minLength: 1, maxLength: 25 }).map((steps) => {
  const build = session();
  steps.forEach(({ kind, ref, stop }, i) => {
    const some = `e${String(1 + (ref % (i + 1)))}`;
    if (kind === 0) build.at(some === `e${String(i + 1)}` ? null : some).user(`u${String(i)}`);
    else if (kind <= 2) build.user(`u${String(i)}`);
    else if (kind === 3) build.assistant(`a${String(i)}`, { stopReason: stop });
    else if (kind <= 5) build.call(`c${String(i)}`, 'read', {}, { stopReason: stop });
    else if (kind <= 7) build.result(`c${String(i - 1)}`, 'ok');
    else if (kind === 8) build.compaction(`s${String(i)}`, some);
    else if (kind === 9) build.entry('reset_boundary');
    else if (kind === 10) build.entry('context_edit', { targetId: some, replacement: ref % 2 === 0 ? null : 'new' });
    else
      build.entry('custom_message', {
        customType: ref % 2 === 0 ? 'interrupted-thinking' : 'memo',
        content: 'note',
        display: true,
      });
  });
  return build;
});

const bodiesOf = (build: SessionBuilder): ((rows: readonly number[]) => Promise<SessionEntry[]>) => {
  const entries = build.entries();
  return (rows) => Promise.resolve(rows.map((row) => entries[row]!));
};

describe.each(RULES)('context by the rules of %s', (rules) => {
  const shapes = shapesFor(rules);

  it('is the same from entries and from the outline, whole or in pieces, at every leaf', async () => {
    await fc.assert(
      fc.asyncProperty(sessions, fc.nat(), async (build, choice) => {
        const { outline } = decode(build);
        const leaf = choice % outline.rowCount;
        const { messages, ...settings } = buildSessionContext(build.entries(), outline.id(leaf), undefined, { rules });
        const plan = modelContext(outline, leaf, shapes);
        expect(await contextMessages(plan, shapes, bodiesOf(build), 0, 1000)).toEqual(messages);
        const pieces = [];
        for (let from = 0; from < plan.emissions.length; from += 3)
          pieces.push(...(await contextMessages(plan, shapes, bodiesOf(build), from, 3)));
        expect(pieces).toEqual(messages);
        expect(plan.settings).toEqual(settings);
        expect(plan.emissions.map((emission) => emissionRole(outline, emission))).toEqual(
          messages.map((message) => message.role),
        );
        for (const emission of plan.emissions) expect(emissionTokens(outline, emission)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 200 },
    );
  });

  it('is what the explanation says: sent and adjusted entries are those with a message, the others have none', () => {
    fc.assert(
      fc.property(sessions, fc.nat(), (build, choice) => {
        const { outline, ids } = decode(build);
        const leaf = choice % outline.rowCount;
        const plan = modelContext(outline, leaf, shapes);
        const emitted = new Set(plan.emissions.map((emission) => outline.id(emission.row)));
        const verdicts = explainContext(build.entries(), outline.id(leaf), { rules });
        expect(verdicts.map((verdict) => verdict.id)).toEqual(ids);
        for (const { id, status } of verdicts)
          expect([id, status === 'sent' || status === 'adjusted']).toEqual([id, emitted.has(id)]);
        for (const { status, compactionId } of verdicts) if (compactionId !== undefined) expect(status).toBe('folded');
      }),
      { numRuns: 300 },
    );
  });

  it('has a lens that says the same, in runs that cover every row once', () => {
    fc.assert(
      fc.property(sessions, (build) => {
        const { outline } = decode(build);
        const lens = contextLens(outline, modelContext(outline, outline.leafRow, shapes));
        const statuses = lens.runs.flatMap(([, length, key]) => new Array<string>(length).fill(lens.keys[key]!.status));
        expect(statuses).toEqual(explainContext(build.entries(), undefined, { rules }).map((verdict) => verdict.status));
        let next = 0;
        for (const [from, length] of lens.runs) {
          expect(from).toBe(next);
          next += length;
        }
        const counted = Object.values(lens.counts).reduce((sum, count) => sum + count, 0);
        expect(counted).toBe(outline.rowCount);
      }),
    );
  });

  it('does not depend on what stands on other branches or after the leaf', () => {
    fc.assert(
      fc.property(sessions, (build) => {
        const entries = build.entries();
        const leaf = entries.at(-1)!.id;
        const before = buildSessionContext(entries, leaf, undefined, { rules });
        const more = build.user('after the leaf').compaction('later', 'e1').at('e1').call('c0').entries();
        expect(buildSessionContext(more, leaf, undefined, { rules })).toEqual(before);
      }),
    );
  });
});

describe('rules of MusePi on unanswered calls and broken turns', () => {
  it('leave no call without a result and no broken turn, but for one that was interrupted', () => {
    fc.assert(
      fc.property(sessions, (build) => {
        const { messages } = buildSessionContext(build.entries());
        messages.forEach((message, i) => {
          const stopped = message['stopReason'] === 'aborted' || message['stopReason'] === 'error';
          if (message.role === 'assistant' && stopped) expect(messages[i + 1]?.['customType']).toBe('interrupted-thinking');
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe('the index that a caller brings', () => {
  const build = session().user('one').assistant('two');
  const [first, second] = build.entries();

  it('finds parents that are not among the entries', () => {
    const byId = new Map([first!, second!].map((entry) => [entry.id, entry]));
    const { messages } = buildSessionContext([second!], undefined, byId);
    expect(messages.map(briefMessage)).toEqual(['user: one', 'assistant: two']);
    expect(buildSessionContext([second!]).messages.map(briefMessage)).toEqual(['assistant: two']);
  });
});

describe('messages that are made', () => {
  it('from a custom message carry its fields and its time in ms', () => {
    expect(createCustomMessage('memo', 'text', false, { a: 1 }, '2026-01-01T00:00:00.000Z', 'user')).toEqual({
      role: 'custom',
      customType: 'memo',
      content: 'text',
      display: false,
      details: { a: 1 },
      timestamp: Date.UTC(2026, 0, 1),
      attribution: 'user',
    });
    expect(createCustomMessage('memo', [], true, undefined, 'never')).not.toHaveProperty('attribution');
  });

  it('from summaries carry the summary', () => {
    const at = '2026-01-01T00:00:00.000Z';
    expect(createBranchSummaryMessage('s', 'e1', at)).toEqual({
      role: 'branchSummary',
      summary: 's',
      fromId: 'e1',
      timestamp: Date.UTC(2026, 0, 1),
    });
    expect(createCompactionSummaryMessage('s', 5, at)).toEqual({
      role: 'compactionSummary',
      summary: 's',
      tokensBefore: 5,
      timestamp: Date.UTC(2026, 0, 1),
    });
    expect(createCompactionSummaryMessage('s', 5, at, 'short')).toMatchObject({ shortSummary: 'short' });
  });
});
