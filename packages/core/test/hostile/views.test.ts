import { afterAll, describe, expect, it } from 'vitest';

import {
  buildSessionContext,
  clipStrings,
  collapseRuns,
  childrenOf,
  compactionFacts,
  contextLens,
  contextMessages,
  explainContext,
  modelContext,
  parseSessionEntries,
  resolveLabels,
  SessionContentDecoder,
  sessionShape,
  shapesFor,
  statistics,
  summarise,
  transcriptPage,
  transcriptView,
  treeOrder,
  type Outline,
  type SessionContent,
  type TranscriptView,
} from '../../src/pure.ts';
import { INPUTS } from './inputs.ts';

const RULES = ['musepi', 'pi', 'dsh'] as const;

function decode(bytes: Uint8Array): { outline: Outline; content: SessionContent } {
  const decoder = new SessionContentDecoder();
  decoder.push(bytes);
  const content = decoder.finish();
  return { outline: decoder.outline, content };
}

/** Pages from the end to the start, at most a few: rows that they cover. */
async function walkBack(outline: Outline, view: TranscriptView, { entries }: SessionContent, pages: number): Promise<number[]> {
  const covered: number[] = [];
  let before: number | undefined;
  for (let i = 0; i < pages; i++) {
    const page = await transcriptPage(outline, view, async (rows) => rows.map((row) => entries[row]!), {
      limit: 50,
      ...(before === undefined ? {} : { before }),
    });
    covered.unshift(...page.rows);
    // What is shown can always be sent.
    expect(JSON.stringify(page.items).length).toBeGreaterThan(0);
    if (page.before < 0) break;
    before = page.before;
  }
  return covered;
}

describe.each(INPUTS)('$name', (input) => {
  let decoded: ReturnType<typeof decode> | undefined;
  const once = (): ReturnType<typeof decode> => (decoded ??= decode(input.bytes()));
  afterAll(() => (decoded = undefined));

  it('gives tree, context, lens and transcript', { timeout: 60_000 }, async () => {
    const { outline, content } = once();
    expect(content.entries).toHaveLength(input.entries);
    const parents = outline.parents();
    expect(treeOrder(parents).order).toHaveLength(input.entries);
    collapseRuns(parents, childrenOf(parents));
    for (const rules of RULES) {
      const shapes = shapesFor(rules);
      const plan = modelContext(outline, outline.leafRow, shapes);
      const { counts } = contextLens(outline, plan);
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(input.entries);
      const messages = await contextMessages(plan, shapes, async (rows) => rows.map((row) => content.entries[row]!), 0, 50);
      expect(messages).toHaveLength(Math.min(50, plan.emissions.length));
      expect(JSON.stringify(clipStrings(messages).value).length).toBeGreaterThan(0);
      const summary = summarise(outline, content.header, shapes);
      expect(summary.entryCount).toBe(input.entries);
      expect(JSON.stringify(summary).length).toBeGreaterThan(0);
      for (const history of ['full', 'model'] as const) {
        const view = transcriptView(outline, outline.leafRow, history, shapes);
        const covered = await walkBack(outline, view, content, 6);
        expect(covered).toEqual(view.rows.slice(view.rows.length - covered.length));
      }
    }
  });

  it('is read and explained as a library reads it', { timeout: 60_000 }, () => {
    const { content } = once();
    const fromText = parseSessionEntries(new TextDecoder('utf-8', { ignoreBOM: true }).decode(input.bytes()));
    if (content.header !== null) expect(fromText[0]?.type).toBe('session');
    for (const rules of RULES) {
      buildSessionContext(content.entries, undefined, undefined, { rules });
      buildSessionContext(content.entries, undefined, undefined, { rules, transcript: true, collapseCompactedHistory: true });
      expect(explainContext(content.entries, undefined, { rules })).toHaveLength(input.entries);
    }
  });

  it('gives figures that are figures', { timeout: 60_000 }, () => {
    const { outline } = once();
    const figures = JSON.stringify([
      statistics(outline, outline.leafRow),
      compactionFacts(outline),
      sessionShape(outline, outline.leafRow),
    ]);
    expect(figures).not.toContain('NaN');
    for (let row = 0; row < outline.rowCount; row++) {
      const time = outline.time(row);
      // A time that no calendar knows is unknown: years 1 to 9999 can be shown, and their days and months computed.
      if (time !== null) expect(new Date(time).toISOString()).toMatch(/^\d{4}-/);
    }
    for (const { label } of resolveLabels(outline).values()) expect(typeof label).toBe('string');
  });
});
