import { branchSummary, compaction, customMessage, sideEntry, thinkingChange } from './generate-entries.ts';
import {
  anyModel,
  assistantMessage,
  bashMessage,
  resultMessage,
  strangeMessage,
  userMessage,
  USAGE,
} from './generate-messages.ts';
import { Random } from './random.ts';
import { SessionWriter, type Body } from './writer.ts';

const CUSTOM_TYPES = [
  'note',
  'interrupted-thinking',
  'interrupted-thinking',
  'prewalk-plan',
  'vibe-mode-context',
  'skill-prompt',
  '',
];
const TIERS = [
  ...['priority', 'openai-only', 'claude-only', 'auto', 'default', 'flex', 'scale', 'turbo', '', null, 7],
  ...[{}, { openai: 'priority' }, { openai: 'turbo', google: 'flex' }, { anthropic: 'scale', other: 'auto' }],
];

/** The records of a session as oh-my-pi writes them, header first. */
export function generateOmp(seed: number): Body[] {
  const random = new Random(seed);
  const w = new SessionWriter(random, { nullContent: random.chance(0.05), cycles: true });
  const table: [number, () => void][] = [
    [24, () => userMessage(w)],
    [36, () => assistantMessage(w, true)],
    [24, () => resultMessage(w)],
    [3, () => bashMessage(w)],
    [3, () => strangeMessage(w)],
    [9, () => compaction(w, (id) => compactionExtra(w, id))],
    [1, () => snapcompactPair(w)],
    [5, () => branchSummary(w)],
    [9, () => customMessage(w, CUSTOM_TYPES)],
    [8, () => sideEntry(w)],
    [3, () => thinkingChange(w, ['off', 'low', 'high', null, undefined])],
    [5, () => modelChange(w)],
    [3, () => w.add('service_tier_change', () => ({ serviceTier: random.pick(TIERS) }))],
    [3, () => w.add('mode_change', (id) => ({ mode: random.pick(['plan', 'none', 'goal']), ...modeData(w, id) }))],
    [2, () => w.add('ttsr_injection', () => ({ injectedRules: [random.pick(['a', 'b']), random.pick(['b', 'c'])] }))],
    [3, () => w.add('reset_boundary', () => ({}))],
    [2, () => contextNotes(w)],
    [3, () => ompSideEntry(w)],
    [3, () => interruption(w)],
    [1, () => repeatEntry(w)],
  ];
  for (let n = random.int(4, 70); n > 0; n--) random.weighted(table)();
  if (random.chance(0.04)) w.closeCircle();
  const header = { type: 'session', version: 3, id: `s-${String(seed)}`, timestamp: '2026-03-01T09:00:00.000Z', cwd: '/tmp/x' };
  return [header, ...w.entries];
}

/** A turn that was broken off, perhaps a failed try after it, and the note that keeps the turn in view. */
function interruption(w: SessionWriter): void {
  assistantMessage(w, true, 'aborted');
  if (w.random.chance(0.5)) assistantMessage(w, true, 'error');
  customMessage(w, ['interrupted-thinking']);
}

function repeatEntry(w: SessionWriter): void {
  if (w.entries.length > 0) w.repeat();
}

function modeData(w: SessionWriter, id: string): Body {
  return w.random.chance(0.5) ? { data: { planFile: id } } : {};
}

function modelChange(w: SessionWriter): void {
  const { provider, model } = anyModel(w);
  const role = w.random.pick(['default', 'smol', 'slow', undefined]);
  w.add('model_change', () => (w.random.chance(0.06) ? { provider, modelId: model } : { model: `${provider}/${model}`, role }));
}

function ompSideEntry(w: SessionWriter): void {
  const { random } = w;
  random.pick([
    () => w.add('title_change', () => ({ title: 'Title', source: 'user' })),
    () => w.add('credential_pin', () => ({ provider: 'acme', hash: 'abc' })),
    () => w.add('model_usage', () => ({ purpose: 'title', provider: 'acme', model: 'm', usage: USAGE, stopReason: 'stop' })),
    () => w.add('archive', () => ({ targetId: w.anyId(), archived: random.chance(0.7) })),
    () => w.add('mcp_tool_selection', () => ({ selectedToolNames: ['x'] })),
    () => w.add('session_init', () => ({ systemPrompt: 'p', task: 't', tools: [] })),
    () => w.add('context_edit', () => ({ targetId: w.anyId(), replacement: null })),
  ])();
}

/** The agent's notebook; what is not exactly a version 1 text is passed over. */
function contextNotes(w: SessionWriter): void {
  w.add('custom', (id) => ({
    customType: 'experimental_context_notes',
    data: w.random.pick<unknown>([
      { version: 1, text: `notes ${id}` },
      { version: 1, text: '' },
      { version: 2, text: 'x' },
      null,
    ]),
  }));
}

function compactionExtra(w: SessionWriter, id: string): Body {
  const { random } = w;
  const extra: Body = {};
  if (random.chance(0.3)) extra['shortSummary'] = `short ${id}`;
  if (random.chance(0.3)) extra['tokensAfter'] = random.int(1, 9);
  if (random.chance(0.3)) extra['method'] = random.pick(['handoff', 'remote', 'snapcompact']);
  if (random.chance(0.1)) extra['warning'] = 'cut';
  if (random.chance(0.15)) extra['details'] = { kind: random.pick(['experimental-context-rollover', 'other']) };
  const kind = random.weighted([
    [60, 'none'],
    [25, 'openai'],
    [10, 'anthropic'],
    [5, 'other'],
    [12, 'archive'],
  ] as const);
  if (kind === 'openai') extra['preserveData'] = { openaiRemoteCompaction: remote(w) };
  else if (kind === 'anthropic')
    extra['preserveData'] = { anthropicCompaction: { provider: 'acme', content: 'c', ...secret(w) } };
  else if (kind === 'archive') extra['preserveData'] = { snapcompact: archive(w, id) };
  else if (kind === 'other') extra['preserveData'] = random.pick<unknown>([{}, null, { other: 1 }]);
  if (random.chance(0.3)) extra['providerReplayThroughEntryId'] = random.chance(0.8) ? w.recentId(5) : w.anyId();
  return extra;
}

function remote(w: SessionWriter): unknown {
  return w.random.weighted<unknown>([
    [70, { provider: 'acme', replacementHistory: [{ type: 'message', n: 1 }] }],
    [10, { provider: 'acme', replacementHistory: [] }],
    [8, { provider: '', replacementHistory: [] }],
    [6, { provider: 'acme', replacementHistory: ['text'] }],
    [6, { provider: 'acme' }],
  ]);
}

/** Pictures of the history, now and then so many or so big that not all of them may be sent. */
function archive(w: SessionWriter, id: string): Body {
  const { random } = w;
  const shape = random.chance(0.5) ? { font: 'f' } : {};
  const big = random.chance(0.08);
  const frames: Body[] = [];
  for (let n = random.chance(0.1) ? 17 : random.int(0, 5); n > 0; n--) {
    const frame = {
      data: random.hex(1).repeat(big ? random.pick([5, 900_000, 1_600_000]) : 5),
      mimeType: 'image/png',
      cols: 1,
      rows: 1,
      chars: 1,
      ...shape,
    };
    frames.push(random.chance(0.05) ? { ...frame, data: '' } : random.chance(0.1) ? { ...frame, detail: 'high' } : frame);
  }
  const body: Body = { frames };
  if (random.chance(0.5)) body['textHead'] = `archived head ${id}\u2588archived \u000emore\u000f`;
  if (random.chance(0.5)) body['textTail'] = `archived tail ${id}`;
  if (random.chance(0.3)) body['text'] = 'archived text';
  if (random.chance(0.3)) body['truncatedChars'] = random.pick([0, 5, 2_000_000]);
  return body;
}

function secret(w: SessionWriter): Body {
  return w.random.chance(0.5) ? { encryptedContent: 'e', filesText: 'f' } : { encryptedContent: '' };
}

/** Two snapcompact compactions in a row, where the second replaces the first one when all fields agree. */
function snapcompactPair(w: SessionWriter): void {
  const firstKeptEntryId = w.recentId(5);
  const body = { firstKeptEntryId, tokensBefore: 1000, method: 'snapcompact' };
  w.add('compaction', (id) => ({ summary: `summary ${id}`, ...body }));
  w.add('compaction', (id) => ({ summary: `summary ${id}`, ...body, ...(w.random.chance(0.2) ? { tokensBefore: 2 } : {}) }));
}
