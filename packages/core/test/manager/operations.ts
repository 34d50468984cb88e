import fc from 'fast-check';

import type { AgentMessage } from '../../src/entries/messages.ts';
import type { SessionEntry } from '../../src/entries/entry.ts';
import type { SessionManager } from '../../src/manager/session-manager.ts';
import type { ModelSession } from './model.ts';
import type { Place } from './places.ts';

/** A manager and what it should be. */
export interface Pair {
  manager: SessionManager;
  model: ModelSession;
}

/** Changes both. Answers a `Pair` where the operation leads to another session, and `lost` where there is none any more. */
export type Operation = (pair: Pair, place: Place) => unknown;

type Loose = Record<string, unknown>;

const text = fc.string({ unit: fc.constantFrom('a', 'Ω', '😀', '"', '\n', '\u2028', ' '), maxLength: 12 });
/** Chooses one of as many as there are. */
const choice = fc.nat({ max: 1000 });

/** An entry of the model, or null for the beginning (which also stands for an empty session). */
function pick(model: ModelSession, number: number): string | null {
  const count = model.entries.length + 1;
  return (model.entries[number % count]?.['id'] as string | undefined) ?? null;
}

/** Appends to both, the same fields. */
function append(
  fields: (model: ModelSession) => Loose,
  work: (manager: SessionManager, model: ModelSession) => string,
): Operation {
  return ({ manager, model }) => {
    const want = fields(model);
    const before = manager.getEntries().length;
    work(manager, model);
    model.add(want, manager.getEntries().slice(before));
  };
}

const message = (value: AgentMessage): Operation =>
  append(
    () => ({ type: 'message', message: value }),
    (manager) => manager.appendMessage(value),
  );

const userMessage = text.map((content) => message({ role: 'user', content, timestamp: 1 }));
const answer = fc
  .record({ said: text, calls: fc.nat({ max: 2 }), stopReason: fc.constantFrom('stop', 'toolUse', 'aborted') })
  .map(({ said, calls, stopReason }) => {
    const blocks = Array.from({ length: calls }, (_, i) => ({
      type: 'toolCall',
      id: `c${String(i)}`,
      name: 'read',
      arguments: { i },
    }));
    const content = [{ type: 'text', text: said }, ...blocks];
    return message({ role: 'assistant', provider: 'p', model: 'm', content, stopReason, timestamp: 2 });
  });
const result = fc.nat({ max: 2 }).map((i) =>
  message({
    role: 'toolResult',
    toolCallId: `c${String(i)}`,
    toolName: 'read',
    content: [{ type: 'text', text: 'r' }],
    isError: false,
  }),
);

const settings = fc.constantFrom<Operation>(
  append(
    ({ dialect }) => ({
      type: 'thinking_level_change',
      thinkingLevel: 'high',
      ...(dialect === 'musepi' ? { configured: 'high' } : {}),
    }),
    (manager) => manager.appendThinkingLevelChange('high'),
  ),
  append(
    ({ dialect }) => ({
      type: 'model_change',
      ...(dialect === 'musepi' ? { model: 'x/y/z', role: 'smol' } : { provider: 'x', modelId: 'y/z' }),
    }),
    (manager) => manager.appendModelChange('x', 'y/z', 'smol'),
  ),
  append(
    () => ({ type: 'service_tier_change', serviceTier: { openai: 'flex' } }),
    (manager) => manager.appendServiceTierChange({ openai: 'flex' }),
  ),
  append(
    () => ({ type: 'mode_change', mode: 'plan', data: { file: 'x' } }),
    (manager) => manager.appendModeChange('plan', { file: 'x' }),
  ),
  append(
    () => ({ type: 'ttsr_injection', injectedRules: ['r1', 'r2'] }),
    (manager) => manager.appendTtsrInjection(['r1', 'r2']),
  ),
  append(
    () => ({ type: 'session_init', systemPrompt: 's', task: 't', tools: ['read'] }),
    (manager) => manager.appendSessionInit({ systemPrompt: 's', task: 't', tools: ['read'] }),
  ),
);

const customs = fc.tuple(text, fc.boolean()).map(([content, display]): Operation =>
  display
    ? append(
        ({ dialect }) => ({
          type: 'custom_message',
          customType: 'note',
          content,
          display,
          details: { n: 1 },
          ...(dialect === 'musepi' ? { attribution: 'user' } : {}),
        }),
        (manager) => manager.appendCustomMessageEntry('note', content, display, { n: 1 }, 'user'),
      )
    : append(
        () => ({ type: 'custom', customType: 'state', data: { content } }),
        (manager) => manager.appendCustomEntry('state', { content }),
      ),
);

const compaction = fc.tuple(text, choice).map(([summary, at]): Operation => {
  const appended = append(
    (model) => ({
      type: 'compaction',
      summary,
      firstKeptEntryId: pick(model, at)!,
      tokensBefore: 9,
      [model.dialect === 'musepi' ? 'fromExtension' : 'fromHook']: true,
    }),
    (manager, model) => manager.appendCompaction(summary, pick(model, at)!, 9, { fromExtension: true }),
  );
  // Nothing can be kept of a session without entries.
  return (pair, place) => (pick(pair.model, at) === null ? undefined : appended(pair, place));
});

const branchSummary = fc.tuple(text, choice).map(([summary, at]): Operation =>
  append(
    (model) => ({ type: 'branch_summary', fromId: pick(model, at) ?? 'root', summary }),
    (manager, model) => manager.appendBranchSummary(pick(model, at), summary),
  ),
);

const label = fc.tuple(choice, fc.constantFrom('one', 'two', '', undefined)).map(([at, value]): Operation => (pair) => {
  const targetId = pick(pair.model, at);
  if (targetId === null) return;
  const fields = { type: 'label', targetId, ...(value ? { label: value } : {}) };
  const before = pair.manager.getEntries().length;
  pair.manager.appendLabelChange(targetId, value);
  pair.model.add(fields, pair.manager.getEntries().slice(before));
});

const leafMoves = fc
  .tuple(fc.constantFrom('branch', 'summary', 'reset'), choice)
  .map(([kind, at]): Operation => ({ manager, model }) => {
    const id = pick(model, at);
    if (kind === 'summary') {
      const fromId = (model.dialect === 'pi' ? model.leaf : id) ?? 'root';
      const summary = at % 3 === 0 ? '' : 'left';
      const before = manager.getEntries().length;
      manager.branchWithSummary(id, summary);
      model.moveLeaf(id);
      model.add({ type: 'branch_summary', fromId, summary }, manager.getEntries().slice(before));
    } else if (kind === 'branch' && id !== null) {
      manager.branch(id);
      model.moveLeaf(id);
    } else {
      manager.resetLeaf();
      model.moveLeaf(null);
    }
  });

const naming = fc
  .tuple(fc.constantFrom('A name', ' b\nc  d ', '  '), fc.constantFrom('auto' as const, 'user' as const))
  .map(([name, source]): Operation => async ({ manager, model }) => {
    const before = manager.getEntries().length;
    const done = await manager.setSessionName(name, source);
    const added = manager.getEntries().slice(before);
    if (model.dialect === 'pi') {
      const clean = name.replace(/\n+/g, ' ').trim();
      model.add({ type: 'session_info', name: clean }, added);
      model.name = clean || undefined;
      return;
    }
    const clean = name.replace(/\s+/g, ' ').trim();
    const refused = clean === '' || (source === 'auto' && model.nameIsUsers);
    if (done === refused) throw new Error(`renaming answered ${String(done)}`);
    if (refused) return;
    const previous = model.name === undefined ? {} : { previousTitle: model.name };
    model.add({ type: 'title_change', title: clean, source, ...previous }, added);
    model.name = clean;
    model.nameIsUsers = source === 'user';
  });

const saving = fc.constantFrom<Operation>(
  ({ manager }) => manager.flush(),
  ({ manager }) => void manager.flushSync(),
  ({ manager }) => manager.rewriteEntries(),
  async ({ manager, model }) => {
    const pruned = manager
      .getEntries()
      .map((entry): SessionEntry => (entry.type === 'custom' ? { ...entry, data: 'pruned' } : entry));
    model.entries = model.entries.map((entry) => (entry['type'] === 'custom' ? { ...entry, data: 'pruned' } : entry));
    await manager.rewriteEntries(pruned);
  },
);

/** A session that was never stored is gone. */
const reopening: Operation = async ({ manager, model }, place) => {
  await manager.close();
  if (!model.stored) return 'lost';
  model.reopen();
  return { manager: place.reopen(manager), model };
};

const forking = fc.constantFrom<Operation>(
  async ({ manager, model }) => {
    const before = manager.getSessionFile();
    const forked = manager.fork();
    if (before === undefined) {
      if (forked !== undefined) throw new Error('a fork in memory');
      return;
    }
    if (forked?.oldSessionFile !== before || manager.getSessionFile() !== forked.newSessionFile)
      throw new Error('fork leads elsewhere');
    model.stored = true;
    model.fresh = false;
  },
  async (pair, place) => {
    if (!pair.model.stored) return;
    await pair.manager.close();
    const manager = place.forkFrom(pair.manager, place.projects[1]);
    const model = pair.model.copy();
    model.reopen();
    model.fresh = false;
    model.cwd = place.projects[1];
    return { manager, model };
  },
);

const extracting = choice.map((at): Operation => async ({ manager, model }) => {
  const leaf = pick(model, at);
  if (leaf === null) return;
  const branch = manager.createBranchedSession(leaf);
  const extracted = model.extract(leaf, branch.getEntries());
  await manager.close();
  return { manager: branch, model: extracted };
});

const moving = fc.nat({ max: 2 }).map((to): Operation => async ({ manager, model }, place) => {
  await manager.moveTo(place.projects[to]!);
  model.cwd = place.projects[to]!;
});

export const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: userMessage },
    { weight: 6, arbitrary: answer },
    { weight: 3, arbitrary: result },
    { weight: 3, arbitrary: settings },
    { weight: 3, arbitrary: customs },
    { weight: 2, arbitrary: compaction },
    { weight: 1, arbitrary: branchSummary },
    { weight: 3, arbitrary: label },
    { weight: 4, arbitrary: leafMoves },
    { weight: 2, arbitrary: naming },
    { weight: 2, arbitrary: saving },
    { weight: 2, arbitrary: fc.constant(reopening) },
    { weight: 1, arbitrary: forking },
    { weight: 1, arbitrary: extracting },
    { weight: 1, arbitrary: moving },
  ),
  { minLength: 1, maxLength: 30 },
);
