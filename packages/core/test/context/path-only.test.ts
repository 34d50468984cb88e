import { describe, expect, it } from 'vitest';

import { generateSession } from '../../src/corpus/index.ts';
import { buildSessionContext, parseSessionEntries, type ContextOptions, type SessionEntry } from '../../src/pure.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';

/** The context as it is made from all entries together: an index of them asks for that. */
function fromAll(entries: SessionEntry[], leafId: string, options: ContextOptions): unknown {
  return buildSessionContext(entries, leafId, new Map(entries.map((entry) => [entry.id, entry])), options);
}

const OPTIONS: ContextOptions[] = [
  { rules: 'pi' },
  { rules: 'pi', transcript: true },
  { rules: 'musepi' },
  { rules: 'musepi', transcript: true, collapseCompactedHistory: true },
];

function expectSame(entries: SessionEntry[], leaves: readonly string[]): void {
  for (const options of OPTIONS) {
    for (const leaf of leaves)
      expect(buildSessionContext(entries, leaf, undefined, options)).toEqual(fromAll(entries, leaf, options));
  }
}

describe('the context from a path alone', () => {
  it.each([1, 2, 3, 4])('is that from all entries, on every branch of generated session %i', (seed) => {
    for (const shapes of ['pi', 'musepi'] as const) {
      const text = [...generateSession({ seed, shapes, entries: 300, branches: 6 })].join('\n');
      const entries = parseSessionEntries(`${text}\n`).slice(1) as SessionEntry[];
      expectSame(
        entries,
        entries.filter((_, i) => i % 37 === 0 || i > entries.length - 3).map((entry) => entry.id),
      );
    }
  });

  const model = (id: string): Record<string, unknown> => ({ provider: 'p', model: id });
  it.each<[string, SessionBuilder]>([
    ['a model that only a folded answer names', session().user('a').assistant('b', model('old')).compaction('s', 'e5').user('c')],
    [
      'a model that was chosen after the last answer that was folded',
      session()
        .assistant('b', model('old'))
        .entry('model_change', { provider: 'q', modelId: 'new' })
        .compaction('s', 'none')
        .user('c'),
    ],
    ['what is kept begins with the compaction itself', session().user('a').compaction('s', 'e2').user('b')],
    ['what is kept stands behind the compaction', session().user('a').compaction('s', 'e3').user('b')],
    [
      'two compactions, the older of which keeps more',
      session().user('a').compaction('s', 'e1').user('b').compaction('t', 'e3').user('c'),
    ],
    [
      'an edit that was folded',
      session().user('a').entry('context_edit', { targetId: 'e1', replacement: 'x' }).compaction('s', 'e1').user('c'),
    ],
    [
      'an edit that is kept',
      session().user('a').user('b').entry('context_edit', { targetId: 'e1', replacement: 'x' }).compaction('s', 'e1').user('c'),
    ],
    ['an id that is there twice', session().user('a').user('b', { id: 'e1', parentId: 'e1' }).user('c', { parentId: 'e1' })],
    ['an entry without an id', session().user('a').user('b', { id: undefined }).user('c')],
    ['a circle', session().user('a', { parentId: 'e3' }).user('b').user('c')],
    ['a parent that is missing', session().user('a').user('b', { parentId: 'gone' }).user('c')],
    [
      'a parent that comes later',
      session().user('a', { parentId: 'e3' }).user('b', { parentId: 'e1' }).user('c', { parentId: null }),
    ],
  ])('%s', (_, build) => {
    const entries = build.entries();
    expectSame(entries, ['e1', 'e2', 'e3', 'e4', 'e5', 'unknown']);
  });
});
