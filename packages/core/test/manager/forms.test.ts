import { afterEach, describe, expect, it, vi } from 'vitest';

import type { SessionManager } from '../../src/manager/session-manager.ts';
import { assistant, user, World } from './world.ts';

afterEach(() => vi.unstubAllEnvs());

type Fields = Record<string, unknown>;

/** What an append writes besides id, parent and time. */
const APPENDS: { name: string; append(manager: SessionManager): string; musepi: Fields; pi: Fields }[] = [
  {
    name: 'appendThinkingLevelChange',
    append: (manager) => manager.appendThinkingLevelChange(null),
    musepi: { type: 'thinking_level_change', thinkingLevel: null, configured: null },
    pi: { type: 'thinking_level_change', thinkingLevel: 'off' },
  },
  {
    name: 'appendModelChange',
    append: (manager) => manager.appendModelChange('openai', 'gpt', 'smol'),
    musepi: { type: 'model_change', model: 'openai/gpt', role: 'smol' },
    pi: { type: 'model_change', provider: 'openai', modelId: 'gpt' },
  },
  {
    name: 'appendServiceTierChange',
    append: (manager) => manager.appendServiceTierChange({ openai: 'flex' }),
    musepi: { type: 'service_tier_change', serviceTier: { openai: 'flex' } },
    pi: { type: 'service_tier_change', serviceTier: { openai: 'flex' } },
  },
  {
    name: 'appendCompaction',
    append: (manager) =>
      manager.appendCompaction('s', manager.getLeafId()!, 7, { shortSummary: 'short', details: { a: 1 }, fromExtension: false }),
    musepi: {
      type: 'compaction',
      summary: 's',
      firstKeptEntryId: expect.any(String) as string,
      tokensBefore: 7,
      shortSummary: 'short',
      details: { a: 1 },
      fromExtension: false,
    },
    pi: {
      type: 'compaction',
      summary: 's',
      firstKeptEntryId: expect.any(String) as string,
      tokensBefore: 7,
      shortSummary: 'short',
      details: { a: 1 },
      fromHook: false,
    },
  },
  {
    name: 'appendBranchSummary',
    append: (manager) => manager.appendBranchSummary(null, 's', { n: 1 }, true),
    musepi: { type: 'branch_summary', fromId: 'root', summary: 's', details: { n: 1 }, fromExtension: true },
    pi: { type: 'branch_summary', fromId: 'root', summary: 's', details: { n: 1 }, fromHook: true },
  },
  {
    name: 'appendCustomEntry',
    append: (manager) => manager.appendCustomEntry('x'),
    musepi: { type: 'custom', customType: 'x' },
    pi: { type: 'custom', customType: 'x' },
  },
  {
    name: 'appendCustomMessageEntry',
    append: (manager) => manager.appendCustomMessageEntry('', 42 as never, 'yes' as never, { __queueChipText: 't', kept: 1 }),
    musepi: {
      type: 'custom_message',
      customType: 'custom-message',
      content: '',
      display: false,
      details: { kept: 1 },
      attribution: 'agent',
    },
    pi: { type: 'custom_message', customType: 'custom-message', content: '', display: false, details: { kept: 1 } },
  },
  {
    name: 'appendTtsrInjection',
    append: (manager) => manager.appendTtsrInjection(['r']),
    musepi: { type: 'ttsr_injection', injectedRules: ['r'] },
    pi: { type: 'ttsr_injection', injectedRules: ['r'] },
  },
  {
    name: 'appendSessionInit',
    append: (manager) => manager.appendSessionInit({ systemPrompt: 's', task: 't', tools: [], spawns: '*' }),
    musepi: { type: 'session_init', systemPrompt: 's', task: 't', tools: [], spawns: '*' },
    pi: { type: 'session_init', systemPrompt: 's', task: 't', tools: [], spawns: '*' },
  },
  {
    name: 'appendModeChange',
    append: (manager) => manager.appendModeChange('none'),
    musepi: { type: 'mode_change', mode: 'none' },
    pi: { type: 'mode_change', mode: 'none' },
  },
  {
    name: 'appendSessionInfo',
    append: (manager) => manager.appendSessionInfo(' two\r\nlines '),
    musepi: { type: 'session_info', name: 'two lines' },
    pi: { type: 'session_info', name: 'two lines' },
  },
];

describe.each(['musepi', 'pi'] as const)('entries in the form of %s', (dialect) => {
  it.each(APPENDS)('$name', ({ append, [dialect]: fields }) => {
    const manager = new World(dialect).create();
    const first = manager.appendMessage(user('q'));
    const id = append(manager);
    const { timestamp, ...rest } = manager.getEntry(id) as unknown as Fields;
    expect(rest).toStrictEqual({ ...fields, id, parentId: first });
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(manager.getLeafId()).toBe(id);
  });

  it('stands on disk in the order in which its agents write the fields', () => {
    const world = new World(dialect);
    const manager = world.create();
    manager.appendMessage(assistant('a'));
    manager.appendCustomEntry('x', 1);
    const keys = world.records(manager.getSessionFile()!).map((record) => Object.keys(record).join());
    expect(keys).toEqual([
      'type,version,id,timestamp,cwd',
      'type,id,parentId,timestamp,message',
      'type,customType,data,id,parentId,timestamp',
    ]);
  });
});

describe('what a summary of a branch comes from', () => {
  it.each([
    ['musepi', 0],
    ['pi', 1],
  ] as const)('in %s', (dialect, index) => {
    const manager = new World(dialect).create();
    const ids = [manager.appendMessage(user('q')), manager.appendMessage(assistant('a'))];
    expect(manager.getEntry(manager.branchWithSummary(ids[0]!, 's'))).toMatchObject({ parentId: ids[0], fromId: ids[index] });
  });
});
