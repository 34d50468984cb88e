import type { Case } from './client-process.ts';
import type { Client } from './clients.ts';
import type { Body } from './writer.ts';

/** A small session in which we once answered otherwise than the client, or nearly would have. */
export interface Finding {
  name: string;
  client: Client['key'];
  entries: Body[];
  case?: Case;
}

let clock = 0;

/** An entry; each stands one second after the one before, under it unless the body says otherwise. */
function chain(...bodies: [type: string, id: string, body: Body][]): Body[] {
  clock = Date.parse('2026-01-01T09:00:00.000Z');
  let parentId: string | null = null;
  return bodies.map(([type, id, body]) => {
    const entry = { type, id, parentId, timestamp: new Date((clock += 1000)).toISOString(), ...body };
    parentId = id;
    return entry;
  });
}

type Link = [type: string, id: string, body: Body];

const talk = (id: string, message: Body): Link => ['message', id, { message: { ...message, mark: id } }];
const user = (id: string): Link => talk(id, { role: 'user', content: id });
const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total: 0 } };
const turn = (id: string, content: unknown, extra: Body = {}): Link =>
  talk(id, { role: 'assistant', provider: 'acme', model: 'm-1', stopReason: 'stop', usage: USAGE, content, ...extra });
const says = (id: string, extra: Body = {}): Link => turn(id, [{ type: 'text', text: id }], extra);
const call = (id: string): Body => ({ type: 'toolCall', id, name: 'bash', arguments: {} });
const result = (id: string, toolCallId: string): Link =>
  talk(id, { role: 'toolResult', toolCallId, toolName: 'bash', isError: false, content: [{ type: 'text', text: id }] });
const compaction = (id: string, firstKeptEntryId: string, extra: Body = {}): Link => [
  ...(['compaction', id] as const),
  { summary: `summary ${id}`, firstKeptEntryId, tokensBefore: 900, ...extra },
];
const custom = (id: string, customType: unknown, extra: Body = {}): Link => [
  ...(['custom_message', id] as const),
  { customType, content: id, display: true, details: { mark: id }, ...extra },
];
const notes = (id: string, data: unknown): Link => ['custom', id, { customType: 'experimental_context_notes', data }];

const REMOTE = { openaiRemoteCompaction: { provider: 'acme', replacementHistory: [{ type: 'message' }] } };
const ROLLOVER = { details: { kind: 'experimental-context-rollover' } };
const FULL: Case = { options: { transcript: true } };
const COLLAPSED: Case = { options: { transcript: true, collapseCompactedHistory: true } };

const pi = (name: string, ...links: Link[]): Finding => ({ name: `pi-${name}`, client: 'pi', entries: chain(...links) });
const omp = (name: string, ...links: Link[]): Finding => ({ name: `omp-${name}`, client: 'oh-my-pi', entries: chain(...links) });

const PI: Finding[] = [
  pi('custom-message-of-anything', custom('x1', 'note', { content: 42 }), custom('x2', 'note', { content: null })),
  pi('custom-message-without-attribution', custom('x1', 'note', { attribution: 'agent', details: { a: 1 } })),
  pi('custom-message-without-fields', ['custom_message', 'x1', { content: 'x1' }]),
  pi('later-compaction-keeps-more', user('u1'), compaction('c1', 'none'), user('u2'), compaction('c2', 'u1'), user('u3')),
  pi('edit-drops-a-compaction', user('u1'), compaction('c1', 'u1'), [
    'context_edit',
    'e1',
    { targetId: 'c1', replacement: null },
  ]),
  pi('system-message-without-content', talk('s1', { role: 'system', sections: { base: 'text' } }), user('u1')),
];

const OMP: Finding[] = [
  omp(
    'empty-error-turn-goes-first',
    says('a1', { stopReason: 'aborted' }),
    turn('a2', [], { stopReason: 'error' }),
    custom('x1', 'interrupted-thinking'),
  ),
  omp(
    'blank-error-turn',
    user('u1'),
    turn(
      'a1',
      [
        { type: 'text', text: ' ' },
        { type: 'thinking', thinking: '' },
      ],
      { stopReason: 'error' },
    ),
  ),
  omp('empty-error-turn-leaves-results', turn('a1', [], { stopReason: 'error' }), result('r1', 'k1')),
  omp('provider-replay', user('u1'), user('u2'), compaction('c1', 'u2', { preserveData: REMOTE }), user('u3')),
  omp(
    'provider-replay-through',
    user('u1'),
    user('u2'),
    user('u3'),
    compaction('c1', 'u1', { preserveData: REMOTE, providerReplayThroughEntryId: 'u2' }),
  ),
  omp(
    'provider-replay-through-before-the-kept',
    user('u1'),
    user('u2'),
    user('u3'),
    compaction('c1', 'u3', { preserveData: REMOTE, providerReplayThroughEntryId: 'u1' }),
  ),
  omp(
    'replay-of-wrong-items',
    user('u1'),
    compaction('c1', 'u1', { preserveData: { openaiRemoteCompaction: { provider: 'acme', replacementHistory: ['text'] } } }),
  ),
  omp(
    'provider-summary-predates-what-is-kept',
    user('u1'),
    user('u2'),
    compaction('c1', 'u2', { preserveData: { anthropicCompaction: { provider: 'acme', content: 'text' } } }),
    user('u3'),
  ),
  omp(
    'rollover-repeats-the-request',
    user('u1'),
    custom('x1', 'skill-prompt', { attribution: 'user' }),
    says('a1'),
    says('a2'),
    compaction('c1', 'a2', ROLLOVER),
  ),
  omp('rollover-not-across-a-reset', user('u1'), ['reset_boundary', 'b1', {}], says('a1'), compaction('c1', 'a1', ROLLOVER)),
  omp(
    'notes-come-first',
    user('u1'),
    notes('n1', { version: 1, text: 'notes n1' }),
    notes('n2', { version: 2, text: 'x' }),
    says('a1'),
  ),
  omp('notes-cleared', user('u1'), notes('n1', { version: 1, text: 'notes n1' }), notes('n2', { version: 1, text: '' })),
  omp('notes-before-a-reset', notes('n1', { version: 1, text: 'notes n1' }), ['reset_boundary', 'b1', {}], user('u1')),
  omp(
    'summary-says-how-it-went',
    user('u1'),
    compaction('c1', 'u1', { shortSummary: 's', tokensAfter: 9, method: 'handoff', warning: 'cut' }),
  ),
  omp('custom-message-without-a-type', custom('x1', ''), custom('x2', 'prewalk-plan'), [
    'custom_message',
    'x3',
    { content: 'x3', attribution: 'else' },
  ]),
  omp(
    'empty-signature-stays',
    turn('a1', [{ type: 'thinking', thinking: 'a', thinkingSignature: '' }, { type: 'redactedThinking', data: 'x' }, call('k1')]),
  ),
  {
    ...omp(
      'transcript-counts-calls',
      turn('a1', [{ type: 'text', text: 'a' }, call('k1'), call('k2')]),
      turn('a2', [call('k3')]),
      result('r1', 'k2'),
    ),
    case: FULL,
  },
  {
    ...omp(
      'transcript-shows-the-last-snapcompact',
      user('u1'),
      compaction('c1', 'u1', { method: 'snapcompact' }),
      compaction('c2', 'u1', { method: 'snapcompact' }),
    ),
    case: FULL,
  },
  {
    ...omp(
      'transcript-keeps-another-snapcompact',
      user('u1'),
      compaction('c1', 'u1', { method: 'snapcompact' }),
      compaction('c2', 'c1', { method: 'snapcompact' }),
    ),
    case: FULL,
  },
  {
    ...omp(
      'transcript-elides-older-summaries',
      user('u1'),
      compaction('c1', 'u1', { shortSummary: 's', method: 'handoff' }),
      compaction('c2', 'u1'),
    ),
    case: FULL,
  },
  {
    ...omp(
      'collapsed-begins-with-a-turn',
      user('u1'),
      says('a1'),
      ['model_change', 'm1', { model: 'acme/m-2' }],
      says('a2'),
      user('u2'),
      says('a3'),
      compaction('c1', 'a1'),
      says('a4'),
    ),
    case: COLLAPSED,
  },
  { ...omp('collapsed-without-a-turn-start', user('u1'), says('a1'), says('a2'), compaction('c1', 'a2')), case: COLLAPSED },
  {
    ...omp(
      'cache-miss-after-a-first-model-change',
      ['model_change', 'm1', { model: 'acme/m-1' }],
      user('u1'),
      says('a1'),
      says('a2'),
    ),
    case: FULL,
  },
  {
    ...omp(
      'cache-miss-collapsed-after-a-reset',
      ['model_change', 'm1', { model: 'acme/m-1' }],
      user('u1'),
      ['reset_boundary', 'b1', {}],
      says('a1'),
    ),
    case: COLLAPSED,
  },
];

const frame = (data: string, extra: Body = {}): Body => ({
  data,
  mimeType: 'image/png',
  cols: 1,
  rows: 1,
  chars: 1,
  font: 'f',
  ...extra,
});
const archived = (snapcompact: Body): Link => compaction('c1', 'u1', { method: 'snapcompact', preserveData: { snapcompact } });
const TEXTS = { textHead: 'archived head', textTail: 'archived\u2588archived tail' };

const ARCHIVES: Finding[] = [
  omp(
    'archive-goes-with-the-summary',
    user('u1'),
    archived({ ...TEXTS, frames: [frame('AA', { detail: 'high' }), frame('BB'), frame('')] }),
  ),
  omp(
    'archive-of-many-old-frames',
    user('u1'),
    archived({ ...TEXTS, frames: Array.from({ length: 16 }, () => frame('AA', { font: undefined })) }),
  ),
  omp('archive-without-anything', user('u1'), archived({ frames: [], text: '' })),
  { ...omp('archive-in-a-transcript', user('u1'), archived({ frames: [frame('AA')] }), compaction('c2', 'u1')), case: FULL },
  { ...omp('archive-not-in-a-collapsed-transcript', user('u1'), archived({ frames: [frame('AA')] })), case: COLLAPSED },
];

export const FINDINGS: readonly Finding[] = [...PI, ...OMP, ...ARCHIVES];

/** The records of a finding's file. */
export function recordsOf(finding: Finding): Body[] {
  const header = { type: 'session', version: 3, id: 's1', timestamp: '2026-01-01T09:00:00.000Z', cwd: '/home/ann/app' };
  return [header, ...finding.entries];
}
