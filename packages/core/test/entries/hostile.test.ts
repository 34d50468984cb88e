import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  buildSessionContext,
  compactionFacts,
  contextLens,
  ENTRY_TYPES,
  entryImage,
  explainContext,
  MESSAGE_ROLES,
  modelContext,
  shapesFor,
  summarise,
  transcriptPage,
  transcriptView,
  type SessionEntry,
} from '../../src/pure.ts';
import { session } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

const FIELDS = [
  ...[
    'content',
    'summary',
    'firstKeptEntryId',
    'tokensBefore',
    'usage',
    'targetId',
    'label',
    'data',
    'mode',
    'model',
    'provider',
  ],
  ...[
    'modelId',
    'thinkingLevel',
    'serviceTier',
    'injectedRules',
    'customType',
    'display',
    'details',
    'name',
    'title',
    'replacement',
  ],
  ...['systemMessage', 'preserveData', 'activeToolNames', 'timestamp', 'systemPrompt', 'task', 'archived', 'fromId', 'kind'],
];
const INNER = [
  'content',
  'stopReason',
  'usage',
  'toolCallId',
  'toolName',
  'isError',
  'details',
  'command',
  'code',
  'output',
  'exitCode',
  'sections',
  'toolsAdded',
  'toolsRemoved',
  'provider',
  'model',
  'errorMessage',
  'timestamp',
  'files',
  'summary',
];

const id = fc.constantFrom('e1', 'e2', 'e3', 'e4');
const block = fc.record(
  {
    type: fc.constantFrom('text', 'thinking', 'toolCall', 'image', 'redactedThinking', 'odd'),
    text: fc.jsonValue(),
    thinking: fc.jsonValue(),
    id: fc.oneof(id, fc.jsonValue()),
    arguments: fc.jsonValue(),
    data: fc.jsonValue(),
    name: fc.jsonValue(),
  },
  { requiredKeys: ['type'] },
);
const value = fc.oneof(fc.jsonValue(), fc.array(block, { maxLength: 3 }), id);
const fields = (names: string[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });
const entry = fc.record({
  type: fc.constantFrom(...ENTRY_TYPES, 'message', 'message', 'odd'),
  role: fc.constantFrom(...MESSAGE_ROLES, 'odd'),
  outer: fields(FIELDS),
  inner: fc.oneof({ weight: 9, arbitrary: fields(INNER) }, { weight: 1, arbitrary: fc.jsonValue() }),
});

describe('entries whose fields hold anything', () => {
  it('never make a view throw', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 4 }), async (list) => {
        const build = session();
        for (const { type, role, outer, inner } of list) {
          const message = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? { role, ...inner } : inner;
          build.entry(type, type === 'message' ? { ...outer, message } : outer);
        }
        const { outline } = decode(build);
        const entries = build.entries();
        expect(outline.rowCount).toBe(entries.length);
        const load = (rows: readonly number[]): Promise<SessionEntry[]> => Promise.resolve(rows.map((row) => entries[row]!));
        for (const rules of ['pi', 'musepi'] as const) {
          const shapes = shapesFor(rules);
          for (const transcript of [false, true]) buildSessionContext(entries, undefined, undefined, { rules, transcript });
          expect(explainContext(entries, undefined, { rules })).toHaveLength(entries.length);
          contextLens(outline, modelContext(outline, outline.leafRow, shapes));
          summarise(outline, null, shapes);
          for (const history of ['full', 'model'] as const) {
            const view = transcriptView(outline, outline.leafRow, history, shapes);
            const { items } = await transcriptPage(outline, view, load, { limit: 60 });
            JSON.stringify(items);
          }
        }
        compactionFacts(outline);
        for (const each of entries) entryImage(each as unknown as Record<string, unknown>, 0);
      }),
      { numRuns: 150 },
    );
  });

  it('are not changed by any view', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (content) => {
        const build = session()
          .user('q')
          .assistant(content as never, { stopReason: 'toolUse' })
          .user('next');
        const entries = build.entries();
        const before = JSON.stringify(entries);
        for (const rules of ['pi', 'musepi'] as const) {
          for (const transcript of [false, true]) buildSessionContext(entries, undefined, undefined, { rules, transcript });
        }
        expect(JSON.stringify(entries)).toBe(before);
      }),
    );
  });
});
