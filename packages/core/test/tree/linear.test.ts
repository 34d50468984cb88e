import { beforeAll, describe, expect, it } from 'vitest';

import {
  buildSessionContext,
  childrenOf,
  collapseRuns,
  commonAncestor,
  compactionFacts,
  contextLens,
  explainContext,
  migrateSessionEntries,
  modelContext,
  newestLeafBelow,
  parseSessionEntries,
  pathTo,
  resolveLabels,
  sessionShape,
  shapesFor,
  statistics,
  summarise,
  transcriptPage,
  transcriptView,
  treeOrder,
  type Outline,
  type SessionEntry,
} from '../../src/pure.ts';
import { countingArray, countingObject, session, type SessionBuilder } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

/** One long line of talk with tool calls, compactions, labels and broken turns. */
function chain(entries: number): SessionBuilder {
  const build = session();
  for (let i = 1; i <= entries; i++) {
    const kind = i % 10;
    if (kind === 3) build.call(`c${String(i)}`);
    else if (kind === 4) build.result(`c${String(i - 1)}`, 'found');
    else if (kind === 6) build.assistant('stopped', { stopReason: 'aborted' });
    else if (i % 500 === 0) build.compaction('so far', `e${String(i - 5)}`);
    else if (kind === 9) build.label(`e${String(i - 1)}`, 'here');
    else if (kind % 2 === 1) build.user('next');
    else build.assistant('done');
  }
  return build;
}

/** A trunk that branches leave at even distances. */
function bush(entries: number, branches: number): SessionBuilder {
  const build = session();
  const length = Math.floor(entries / (branches + 1));
  for (let i = 1; i <= length; i++) build.user('trunk');
  for (let b = 0; b < branches; b++) {
    build.at(`e${String(1 + Math.floor((b * (length - 1)) / branches))}`);
    for (let i = 0; i < length; i++) build.assistant('branch');
  }
  return build;
}

/** Every child stands before its parent. */
const reversed = (count: number): number[] => Array.from({ length: count }, (_, row) => (row === count - 1 ? -1 : row + 1));
const straight = (count: number): number[] => Array.from({ length: count }, (_, row) => row - 1);
const star = (count: number): number[] => Array.from({ length: count }, (_, row) => (row === 0 ? -1 : 0));

const WALKS: Record<string, (parents: ArrayLike<number>) => unknown> = {
  childrenOf,
  treeOrder,
  pathTo: (parents) => pathTo(parents, parents.length - 1),
  commonAncestor: (parents) => commonAncestor(parents, parents.length - 1, parents.length >> 1),
  newestLeafBelow: (parents) => [0, parents.length - 1].map((row) => newestLeafBelow(parents, row)),
  collapseRuns: (parents) => collapseRuns(parents, childrenOf(parents)),
};

const VIEWS: Record<string, (outline: Outline) => unknown> = {
  modelContext: (outline) => modelContext(outline, outline.leafRow, shapesFor('musepi')),
  'modelContext of pi': (outline) => modelContext(outline, outline.leafRow, shapesFor('pi')),
  contextLens: (outline) => contextLens(outline, modelContext(outline, outline.leafRow, shapesFor('musepi'))),
  compactionFacts,
  sessionShape: (outline) => sessionShape(outline, outline.leafRow),
  statistics: (outline) => statistics(outline, outline.leafRow),
  resolveLabels,
  summarise: (outline) => summarise(outline, null, shapesFor('pi')),
  transcriptView: (outline) => transcriptView(outline, outline.leafRow, 'full', shapesFor('pi')),
};

/** Twice the rows must not take more than about twice the steps. */
function expectLinear(steps: (size: number) => number, size: number): void {
  const small = steps(size);
  expect(small).toBeGreaterThan(0);
  expect(steps(size * 2)).toBeLessThan(small * 2.3 + 100);
}

describe('steps of a walk over parents', () => {
  const trees = { straight, reversed, star };
  for (const [shape, make] of Object.entries(trees)) {
    it.each(Object.entries(WALKS))(`%s is linear on a ${shape} tree`, (_, walk) => {
      const steps = (size: number): number => {
        const counted = countingArray(make(size));
        walk(counted.value);
        return counted.steps() + size / 10;
      };
      expectLinear(steps, 1000);
    });
  }
});

describe('steps of a view over the outline', () => {
  it.each(Object.entries(VIEWS))('%s is linear on a chain and on a bush', (_, view) => {
    for (const make of [chain, (size: number) => bush(size, size / 20)]) {
      const steps = (size: number): number => {
        const counted = countingObject(decode(make(size)).outline);
        view(counted.value);
        return counted.steps();
      };
      expectLinear(steps, 1000);
    }
  });

  it('a transcript page asks for its own bodies and those of its results only', async () => {
    const { outline } = decode(chain(3000));
    const view = transcriptView(outline, outline.leafRow, 'full', shapesFor('pi'));
    const asked: number[] = [];
    const load = (rows: readonly number[]): Promise<SessionEntry[]> => {
      asked.push(...rows);
      return Promise.resolve(rows.map(() => ({ type: 'custom' }) as SessionEntry));
    };
    await transcriptPage(outline, view, load, { around: 1500, limit: 60 });
    expect(asked.length).toBeLessThanOrEqual(62);
  });
});

describe('steps of what is made from entries', () => {
  const fields = (entries: SessionEntry[], work: (entries: SessionEntry[]) => unknown): number => {
    const counted = entries.map((entry) => countingObject(entry));
    work(counted.map((each) => each.value));
    return counted.reduce((sum, each) => sum + each.steps(), 0);
  };

  it.each([
    ['buildSessionContext', (entries: SessionEntry[]) => buildSessionContext(entries)],
    [
      'buildSessionContext of a transcript',
      (entries: SessionEntry[]) => buildSessionContext(entries, undefined, undefined, { transcript: true }),
    ],
    ['explainContext', (entries: SessionEntry[]) => explainContext(entries)],
  ])('%s is linear', (_, work) => {
    expectLinear((size) => fields(chain(size).entries(), work), 1000);
  });
});

describe.each([
  ['a chain of 60,000 entries', () => chain(60_000)],
  ['a tree of 20,000 entries with 500 branches', () => bush(20_000, 500)],
])('%s', (_, make) => {
  let text = '';
  let outline: Outline;
  let entries: SessionEntry[];
  beforeAll(() => {
    const build = make();
    text = build.text();
    entries = build.entries();
    ({ outline } = decode(text));
  });

  it('is decoded without a problem', () => {
    expect(outline.rowCount).toBe(entries.length);
    expect(pathTo(outline.parents(), outline.leafRow)[0]).toBe(0);
  });

  it('is walked without a stack overflow', () => {
    for (const walk of Object.values(WALKS)) walk(outline.parents());
    for (const view of Object.values(VIEWS)) view(outline);
  });

  it('gives context, explanation and a transcript page', async () => {
    expect(buildSessionContext(entries).messages.length).toBeGreaterThan(2);
    expect(buildSessionContext(entries, undefined, undefined, { rules: 'pi' }).messages.length).toBeGreaterThan(2);
    expect(explainContext(entries)).toHaveLength(entries.length);
    const view = transcriptView(outline, outline.leafRow, 'full', shapesFor('pi'));
    const load = (rows: readonly number[]): Promise<SessionEntry[]> => Promise.resolve(rows.map((row) => entries[row]!));
    const { items } = await transcriptPage(outline, view, load, { limit: 60 });
    expect(items.length).toBeGreaterThan(30);
  });

  it('is parsed and migrated', () => {
    const old = text.replace('"version":3', '"version":1');
    expect(migrateSessionEntries(parseSessionEntries(old)).entries).toHaveLength(entries.length + 1);
  });
});

describe('a file whose 60,000 lines stand in reverse order', () => {
  it('is read as the same chain', () => {
    const build = session();
    for (let i = 60_000; i > 0; i--) build.user('x', { id: `n${String(i)}`, parentId: i === 1 ? null : `n${String(i - 1)}` });
    const { outline, problems } = decode(build);
    expect(problems).toEqual([]);
    expect(pathTo(outline.parents(), 0)).toHaveLength(60_000);
    expect(newestLeafBelow(outline.parents(), outline.rowCount - 1)).toBe(0);
    sessionShape(outline, outline.leafRow);
  });
});
