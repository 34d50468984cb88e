import { describe, expect, it } from 'vitest';

import {
  SessionContentDecoder,
  shapesFor,
  transcriptPage,
  transcriptView,
  type History,
  type TranscriptItem,
} from '../../src/pure.ts';

interface Event {
  type: string;
  data: object;
  [key: string]: unknown;
}

/** Writes a log, numbers its events, reads it, and answers what people see of it. One second lies between two events. */
async function seen(
  events: readonly Event[],
  { header = {}, history = 'full' }: { header?: object; history?: History } = {},
): Promise<TranscriptItem[]> {
  const lines = [
    { type: 'session', version: 0, id: 's', createdAt: 0, cwd: '/w', delegationDepth: 0, ...header },
    ...events.map((event, seq) => ({ seq, time: seq * 1000, ...event })),
  ];
  const content = new SessionContentDecoder();
  content.push(new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
  const { entries } = content.finish();
  const { outline } = content.decoder;
  const view = transcriptView(outline, outline.leafRow, history, shapesFor('dsh'));
  const load = (rows: readonly number[]): Promise<typeof entries> => Promise.resolve(rows.map((row) => entries[row]!));
  return (await transcriptPage(outline, view, load, { limit: 500 })).items;
}

const place = { turn: 1, step: 1 };
const words = (text: string): object[] => [{ type: 'text', text }];
const start: Event = { type: 'turn/start', data: { turn: 1 } };
const said = (text: string, source: object = { kind: 'user' }, surfaceOp: unknown = 'append'): Event => ({
  type: 'user/message',
  data: { role: 'user', id: text, source, content: words(text) },
  surfaceOp,
});
const calls = (...ids: string[]): Event => ({
  type: 'assistant/message',
  data: {
    ...place,
    message: {
      role: 'assistant',
      id: 'm',
      source: { kind: 'model', provider: 'p', model: 'm' },
      content: ids.map((id) => ({ type: 'tool-call', id, name: 'run_code', arguments: '{"code":"x"}' })),
    },
  },
  surfaceOp: 'append',
});
const begun = (callId: string): Event => ({
  type: 'tool/call',
  data: { ...place, callId, name: 'run_code', arguments: '{}' },
});
const result = (callId: string, text: string, more: object = {}): Event => ({
  type: 'tool/result',
  data: {
    ...place,
    message: {
      role: 'user',
      id: text,
      source: { kind: 'tool', callId },
      content: [{ type: 'tool-result', toolCallId: callId, content: words(text) }],
    },
    ...more,
  },
  surfaceOp: 'append',
});
const asked = (callId: string): Event => ({
  type: 'approval/asked',
  data: { id: `ask ${callId}`, toolName: 'run_code', callId, reason: 'outside' },
});
const decided = (callId: string, outcome: string): Event => ({
  type: 'approval/decided',
  data: { id: `ask ${callId}`, outcome },
});
const sub = (callId: string, n: number) => ({
  rootCallId: callId,
  parentCallId: callId,
  subCallId: `${callId}:code:${String(n)}`,
  name: 'read',
  arguments: { path: `/f${String(n)}` },
});

/** The calls among the items. */
function callsIn(items: readonly TranscriptItem[]) {
  return items.filter((item) => item.kind === 'toolCall');
}

/** Kinds of the items, notices by what they are about and their word. */
function kindsOf(items: readonly TranscriptItem[]): string[] {
  return items.map((item) =>
    item.kind === 'notice' ? [item.notice, item.word, item.value].filter(Boolean).join(' ') : item.kind,
  );
}

describe('what a log says of a call', () => {
  it('is part of the call, and stands nowhere else', async () => {
    const items = await seen([
      start,
      said('go'),
      calls('a'),
      begun('a'),
      asked('a'),
      decided('a', 'rejected'),
      result('a', 'no', { error: { name: 'Rejected', code: 'REJECTED' } }),
    ]);
    expect(kindsOf(items)).toEqual(['turn 1', 'user', 'toolCall']);
    const [call] = callsIn(items);
    expect(call!.log).toEqual({ begun: 3000, approvals: [{ reason: 'outside', outcome: 'rejected' }], subCalls: [] });
    expect(call!.result).toMatchObject({ isError: true, time: 6000, details: { error: { code: 'REJECTED' } } });
  });

  it.each(['code', 'ptc'])('holds the calls that its code made: tool/%s-dispatch', async (word) => {
    const items = await seen([
      start,
      calls('a'),
      begun('a'),
      { type: `tool/${word}-dispatch-start`, data: sub('a', 1) },
      { type: `tool/${word}-dispatch`, data: { ...sub('a', 1), isError: true, content: words('gone') } },
      { type: `tool/${word}-dispatch-start`, data: sub('a', 2) },
      asked('a:code:2'),
    ]);
    expect(kindsOf(items)).toEqual(['turn 1', 'toolCall']);
    const { log } = callsIn(items)[0]!;
    expect(log!.subCalls).toMatchObject([
      { name: 'read', args: { path: '/f1' }, begun: 3000, result: { isError: true, time: 4000, parts: [{ text: 'gone' }] } },
      { name: 'read', args: { path: '/f2' }, begun: 5000, result: null },
    ]);
    expect(log!.approvals).toEqual([{ reason: 'outside', outcome: null }]);
  });

  it('tells calls that were begun from those that were not', async () => {
    const items = await seen([start, calls('a', 'b'), begun('a')]);
    expect(callsIn(items).map(({ callId, log }) => [callId, log?.begun])).toEqual([
      ['a', 2000],
      ['b', null],
    ]);
  });

  it('goes to the latest call of that id', async () => {
    const items = await seen([start, calls('a'), begun('a'), result('a', 'one'), calls('a'), begun('a')]);
    expect(callsIn(items).map(({ log }) => log?.begun)).toEqual([2000, 5000]);
  });

  it('is shown by itself where the call is not there', async () => {
    const items = await seen([start, asked('x'), decided('x', 'allowed-once')]);
    expect(kindsOf(items)).toEqual(['turn 1', 'approvalAsked run_code: outside', 'approval allowed-once']);
  });

  it('is empty for calls of which nothing is said', async () => {
    expect(callsIn(await seen([calls('a')]))[0]!.log).toEqual({ begun: null, approvals: [], subCalls: [] });
  });
});

describe('where a session begins', () => {
  const head = [start, said('of the parent')];
  const seedEnd = (data: object = {}): Event => ({ type: 'session/end-seed', data });

  it('is told once, at the end of what it took over', async () => {
    const items = await seen([...head, seedEnd(), said('own')], { header: { seedLength: 2 } });
    expect(kindsOf(items)).toEqual(['turn 1', 'user', 'inherited', 'user']);
    const later = await seen([...head, seedEnd({ inherited: true }), said('own')], { header: { version: 3, isSeeded: true } });
    expect(kindsOf(later)).toEqual(['turn 1', 'user', 'inherited', 'user']);
  });

  it('is no place to say that it was taken up again; later ones are', async () => {
    expect(kindsOf(await seen([seedEnd(), ...head]))).toEqual(['turn 1', 'user']);
    const child: Event = { type: 'subagent/descriptor', data: { label: 'task' } };
    expect(kindsOf(await seen([child, seedEnd(), ...head]))).toEqual(['subagentTask task', 'turn 1', 'user']);
    expect(kindsOf(await seen([...head, seedEnd(), said('more')]))).toEqual(['turn 1', 'user', 'resumed', 'user']);
  });
});

it('people read what was said, the model sees what took its place', async () => {
  const events = [
    start,
    said('long ago'),
    said('lately'),
    { type: 'compaction/start', data: { compactionId: 'c', turn: null } },
    {
      type: 'compaction/summary',
      data: { compactionId: 'c', summary: words('in short'), shadowedRange: { start: 1, end: 1 }, shadowedSeqs: [1] },
    },
    said('checkpoint: in short', { kind: 'plugin', plugin: 'compact' }, { op: 'replace', start: 1, end: 1 }),
    { type: 'compaction/end', data: { compactionId: 'c', turn: null } },
  ];
  expect(kindsOf(await seen(events))).toEqual(['turn 1', 'user', 'user', 'compaction']);
  expect(kindsOf(await seen(events, { history: 'model' }))).toEqual(['custom', 'user']);
});

it('a command is shown with what it says', async () => {
  const run: Event = { type: 'command/run', data: { commandId: 'c', name: 'cost', args: 'all' } };
  const done = (data: object): Event => ({ type: 'command/done', data: { commandId: 'c', ...data } });
  expect(kindsOf(await seen([run, done({ kind: 'success', text: '5 tokens' })]))).toEqual([
    'command cost all',
    'commandDone 5 tokens',
  ]);
  expect(kindsOf(await seen([run, done({ kind: 'success' })]))).toEqual(['command cost all']);
  expect(kindsOf(await seen([run, done({ kind: 'error', text: 'no' })]))).toEqual(['command cost all', 'commandDone error no']);
});

it.each([
  [{ kind: 'completed' }, []],
  [{ kind: 'aborted', reason: { kind: 'user' } }, ['turnEnd aborted-user']],
  [{ kind: 'aborted', reason: { kind: 'hook', reason: 'policy' } }, ['turnEnd aborted-hook policy']],
  [{ kind: 'max-tokens' }, ['turnEnd max-tokens']],
  [{ kind: 'error', error: { message: 'Busy', code: 'SERVER', status: 503 } }, ['turnEnd error Busy · SERVER · 503']],
  [{ kind: 'of-a-later-time' }, ['turnEnd of-a-later-time']],
])('the end of a turn: %j', async (reason, shown) => {
  expect(kindsOf(await seen([start, { type: 'turn/end', data: { turn: 1, reason } }]))).toEqual(['turn 1', ...shown]);
});
