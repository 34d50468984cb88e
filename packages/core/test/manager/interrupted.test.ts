import { describe, expect, it } from 'vitest';

import { interruptedTurnClosers } from '../../src/context/interrupted.ts';
import { session, type SessionBuilder } from '../../src/testing/session-builder.ts';

const calls = (...ids: string[]): { type: string; id: string; name: string }[] =>
  ids.map((id) => ({ type: 'toolCall', id, name: `tool-${id}` }));
const turn = (...ids: string[]): SessionBuilder =>
  session()
    .user('go')
    .assistant([{ type: 'text', text: 'ok' }, ...calls(...ids)], { stopReason: 'toolUse' });

const CASES: { name: string; built: SessionBuilder; leaf?: string | null; unanswered: string[] }[] = [
  { name: 'a turn without calls', built: session().user('q').assistant('a'), unanswered: [] },
  { name: 'a turn whose calls were never answered', built: turn('1', '2'), unanswered: ['1', '2'] },
  { name: 'one call answered', built: turn('1', '2', '3').result('2', 'r'), unanswered: ['1', '3'] },
  { name: 'all calls answered', built: turn('1', '2').result('2', 'r').result('1', 'r'), unanswered: [] },
  {
    name: 'settings and labels behind the turn',
    built: turn('1').label('e1', 'l').entry('model_change', { model: 'p/m' }),
    unanswered: ['1'],
  },
  { name: 'somebody has spoken since', built: turn('1').user('never mind'), unanswered: [] },
  { name: 'a compaction since', built: turn('1').compaction('s', 'e1'), unanswered: [] },
  {
    name: 'a turn that was given up',
    built: session().assistant(calls('1') as never, { stopReason: 'aborted' }),
    unanswered: [],
  },
  { name: 'an earlier turn', built: turn('1').assistant('went on'), unanswered: [] },
  { name: 'a leaf before the turn', built: turn('1'), leaf: 'e1', unanswered: [] },
  { name: 'answers on another branch only', built: turn('1').result('1', 'r'), leaf: 'e2', unanswered: ['1'] },
  { name: 'no leaf', built: turn('1'), leaf: null, unanswered: [] },
  { name: 'an unknown leaf, which means the last entry', built: turn('1'), leaf: 'nobody', unanswered: ['1'] },
  {
    name: 'content that is null',
    built: session().message('assistant', { content: null, stopReason: 'toolUse' }),
    unanswered: [],
  },
  { name: 'no message in a message', built: session().entry('message', { message: null }), unanswered: [] },
];

describe('closers of an interrupted turn', () => {
  it.each(CASES)('$name', ({ built, leaf, unanswered }) => {
    const entries = built.entries();
    const before = structuredClone(entries);
    const closers = interruptedTurnClosers(entries, leaf === undefined ? built.leafId : leaf);
    expect(closers.map(({ role, toolCallId, toolName, isError }) => [role, toolCallId, toolName, isError])).toEqual(
      unanswered.map((id) => ['toolResult', id, `tool-${id}`, true]),
    );
    expect(entries).toEqual(before);
  });
});
