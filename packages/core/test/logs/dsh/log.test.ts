import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { interruptedTurnClosers, SessionDecoder, type ProblemCode, type SessionEntry } from '../../../src/index.ts';
import { SessionContentDecoder } from '../../../src/logs/read-entries.ts';
import { loadBodies } from '../../../src/store/bodies.ts';
import { columnsOf } from '../../support/decode.ts';

const HEADER = { type: 'session', version: 0, id: 's', createdAt: 1_000, cwd: '/w', delegationDepth: 0 };

interface Event {
  type: string;
  [key: string]: unknown;
}

const event = (seq: number, type: string, data: object = {}, more: object = {}): Event => ({
  type,
  seq,
  time: 1_000 + seq,
  data,
  ...more,
});
const turnStart = (seq: number, turn = 1): Event => event(seq, 'turn/start', { turn });
const turnEnd = (seq: number, kind = 'completed', turn = 1): Event => event(seq, 'turn/end', { turn, reason: { kind } });
const prompt = (seq: number, text: string): Event =>
  event(
    seq,
    'user/message',
    { role: 'user', id: `m${String(seq)}`, source: { kind: 'user' }, content: [{ type: 'text', text }] },
    { surfaceOp: 'append' },
  );
const answer = (seq: number, text: string, more: object = {}, step = 1): Event =>
  event(
    seq,
    'assistant/message',
    {
      turn: 1,
      step,
      message: {
        role: 'assistant',
        id: `m${String(seq)}`,
        source: { kind: 'model', provider: 'p', model: 'm' },
        content: [{ type: 'text', text }],
      },
      ...more,
    },
    { surfaceOp: 'append' },
  );
const packed = (seq0: number, texts: string[], dt: number[], step = 1): Event => ({
  type: 'text-chunks',
  seq0,
  time0: 1_000 + seq0,
  data: { turn: 1, step, index: 0, dt, texts },
});

function text(...rows: (object | string)[]): string {
  return rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('');
}

function read(log: string): { entries: SessionEntry[]; codes: ProblemCode[]; decoder: SessionDecoder } {
  const content = new SessionContentDecoder();
  content.push(Buffer.from(log));
  const { entries, problems } = content.finish();
  return { entries, codes: problems.map(({ code }) => code), decoder: content.decoder };
}

/** `id<parent` and what it is, in file order. */
function brief(log: string): string[] {
  return read(log).entries.map((entry) => {
    const { id, parentId, type } = entry;
    const name = (entry as { event?: string }).event ?? (entry as { message?: { role: string } }).message?.role ?? '';
    return `${id}<${parentId ?? ''} ${type}${name === '' ? '' : ` ${name}`}`;
  });
}

// The numbers are those of the worked cases of the format's description.
describe('headers', () => {
  it.each([
    ['10', { createdAt: 1.5 }],
    ['10', { createdAt: -1 }],
    ['10', { createdAt: 2 ** 53 }],
    ['11', { delegationDepth: '1' }],
    ['11', { delegationDepth: 1.5 }],
    ['11', { delegationDepth: undefined }],
    ['13', { sandboxMode: 'off' }],
  ])('%s: what is not as the format asks is named, and the rest is read: %j', (_case, fields) => {
    const { codes, entries, decoder } = read(text({ ...HEADER, ...fields }, turnStart(0)));
    expect(codes).toEqual(['header_invalid']);
    expect(entries).toHaveLength(1);
    expect(decoder.header).toMatchObject({ id: 's', cwd: '/w' });
  });

  it('10: minus zero is no time either', () => {
    expect(read(text(JSON.stringify(HEADER).replace('1000', '-0'))).codes).toEqual(['header_invalid']);
  });

  it('15: a first line that is no object is damage of that line, and the events are read', () => {
    const { codes, entries } = read(text('42', turnStart(0)));
    expect(codes).toEqual(['not_an_object', 'header_missing']);
    expect(entries).toHaveLength(1);
  });

  it('17: a newer version is named with the id, whatever that is', () => {
    const content = new SessionContentDecoder();
    content.push(Buffer.from(text({ ...HEADER, version: 42, id: 123 }, turnStart(0))));
    const { problems, entries, header } = content.finish();
    expect(problems.find(({ code }) => code === 'newer_version')?.message).toContain('123');
    expect([entries.length, header?.id]).toEqual([1, '123']);
  });

  it('its time is that of the session', () => {
    expect(read(text(HEADER)).decoder.header).toMatchObject({
      timestamp: '1970-01-01T00:00:01.000Z',
      createdAt: 1_000,
      version: 0,
    });
  });
});

describe('events', () => {
  it('18: a header alone is a session without entries', () => {
    expect(brief(text(HEADER))).toEqual([]);
  });

  it('19: a last line without its end that is not whole waits', () => {
    const { entries, codes } = read(text(HEADER, turnStart(0)) + '{"type":"turn/e');
    expect([entries.length, codes]).toEqual([1, ['torn_tail']]);
  });

  it('21: a gap is named; nothing is hidden', () => {
    const log = text(HEADER, turnStart(0), prompt(2, 'x'), turnEnd(3));
    expect(brief(log)).toEqual(['0< event turn/start', '2<0 message user', '3<2 event turn/end']);
    expect(read(log).codes).toEqual(['seq_gap']);
  });

  it('22, 23: a line that is no JSON costs itself only', () => {
    expect(read(text(HEADER, '{not json', turnEnd(0))).codes).toEqual(['bad_json']);
    expect(brief(text(HEADER, turnStart(0), '{not json'))).toEqual(['0< event turn/start']);
  });

  it('25: a packed row counts as the events that it stands for', () => {
    const log = text(HEADER, turnStart(0), packed(1, ['a', 'b', 'c'], [1, 1]), turnEnd(4));
    expect(read(log).codes).toEqual([]);
    expect(brief(log)).toEqual(['0< event turn/start', '1<0 event assistant/partial', '4<1 event turn/end']);
  });

  it('26: a packed row that is not whole is passed over, and named', () => {
    const log = text(HEADER, turnStart(0), packed(1, ['a', 'b', 'c'], [1]), turnEnd(4));
    expect(read(log).codes).toEqual(['bad_row', 'seq_gap']);
    expect(brief(log)).toEqual(['0< event turn/start', '4<0 event turn/end']);
  });

  it('pieces give nothing when their answer comes, single ones and packed ones alike', () => {
    const delta = (seq: number): Event =>
      event(seq, 'assistant/chunk', { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: 'a' } });
    const log = text(HEADER, turnStart(0), delta(1), packed(2, ['b', 'c', 'd'], [0, 0]), answer(5, 'abcd'), turnEnd(6));
    expect(brief(log)).toEqual(['0< event turn/start', '5<0 message assistant', '6<5 event turn/end']);
    expect(read(log).codes).toEqual([]);
  });

  it('an answer that broke off is what came of it', () => {
    const call = {
      type: 'tool-call-chunks',
      seq0: 3,
      time0: 0,
      data: { turn: 1, step: 1, index: 1, id: 'c', name: 'bash', dt: [0], args: ['{"a"', ':1}'] },
    };
    const log = text(HEADER, turnStart(0), packed(1, ['He', 'y'], [0]), call, turnEnd(5, 'interrupted'));
    expect(read(log).entries[1]).toMatchObject({
      event: 'assistant/partial',
      content: [
        { type: 'text', text: 'Hey' },
        { type: 'toolCall', id: 'c', name: 'bash', arguments: { a: 1 } },
      ],
    });
  });

  it('what a retry gave up is an answer of its own', () => {
    const log = text(
      HEADER,
      packed(0, ['x', 'y'], [0]),
      event(2, 'llm/retry', { attempt: 1 }),
      packed(3, ['z', 'w'], [0]),
      answer(5, 'zw'),
    );
    expect(brief(log)).toEqual(['0< event assistant/partial', '2<0 event llm/retry', '5<2 message assistant']);
  });

  it('two writers are two branches, and each goes on where it was', () => {
    const log = text(
      HEADER,
      prompt(0, 'a'),
      answer(1, 'b'),
      prompt(2, 'one'),
      prompt(1, 'other'),
      answer(3, 'to one'),
      answer(2, 'to other'),
    );
    expect(brief(log)).toEqual([
      '0< message user',
      '1<0 message assistant',
      '2<1 message user',
      '1~2<0 message user',
      '3<2 message assistant',
      '2~2<1~2 message assistant',
    ]);
    expect(read(log).codes).toEqual(['seq_repeated']);
  });

  it('unknown ones and those of plugins are kept whole', () => {
    const log = text(HEADER, event(0, 'weather/asked', { city: 'Oslo' }, { ignorable: true }));
    expect(read(log).entries).toMatchObject([{ type: 'event', event: 'weather/asked', data: { city: 'Oslo' }, ignorable: true }]);
  });
});

describe('messages', () => {
  it('results before and since format 4 are the same', () => {
    const content = [{ type: 'text', text: 'done' }];
    const old = {
      role: 'user',
      source: { kind: 'tool', callId: 'c' },
      content: [{ type: 'tool-result', toolCallId: 'c', content, isError: true }],
    };
    const now = { role: 'tool', toolCallId: 'c', content, isError: true };
    for (const message of [old, now]) {
      const { entries } = read(
        text(HEADER, event(0, 'tool/result', { turn: 1, step: 1, message, error: { name: 'E', code: 'X' } })),
      );
      expect(entries).toMatchObject([
        {
          turn: 1,
          step: 1,
          message: { role: 'toolResult', toolCallId: 'c', content, isError: true, details: { error: { code: 'X' } } },
        },
      ]);
    }
  });

  it('usage is that of the message, in disjoint parts', () => {
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 4, cacheWriteTokens: 8 };
    const chunk = event(0, 'assistant/chunk', { turn: 1, step: 1, chunk: { type: 'usage', usage } });
    const { decoder } = read(text(HEADER, chunk, answer(1, 'x', { usage })));
    expect(decoder.outline.usage(0)).toEqual({ input: 1, output: 2, cacheRead: 4, cacheWrite: 8, cost: null });
    expect(decoder.outline.model(0)).toBe('p/m');
  });

  it('the stream of an attempt is what it said', () => {
    const stream = [
      { type: 'reasoning-chunks', time0: 0, index: 0, dt: [1], texts: ['hm', 'm'] },
      { type: 'chunk', time: 2, chunk: { type: 'text-delta', index: 1, text: 'no' } },
    ];
    const { entries } = read(text({ ...HEADER, version: 2 }, event(0, 'assistant/attempt', { turn: 1, step: 1, stream })));
    expect(entries).toMatchObject([
      {
        content: [
          { type: 'thinking', thinking: 'hmm' },
          { type: 'text', text: 'no' },
        ],
      },
    ]);
  });

  it('what a session was begun with is known by its number, or by its mark', () => {
    expect(
      read(text({ ...HEADER, seedLength: 2 }, prompt(0, 'a'), answer(1, 'b'), prompt(2, 'c'))).decoder.outline.inheritedRows,
    ).toBe(2);
    const marked = text(
      { ...HEADER, version: 3, isSeeded: true },
      prompt(0, 'a'),
      event(1, 'session/end-seed', { inherited: true }),
      prompt(2, 'c'),
    );
    expect(read(marked).decoder.outline.inheritedRows).toBe(1);
  });
});

describe('a turn that its process left', () => {
  const call = (id: string): object => ({ type: 'tool-call', id, name: 'bash', arguments: '{}' });
  const asked = answer(0, 'x', {
    message: { role: 'assistant', source: { kind: 'model' }, content: [call('a'), call('b'), call('c')] },
  });
  const begun = event(1, 'tool/call', { turn: 1, step: 1, callId: 'a', name: 'bash', arguments: '{}' });
  const result = event(2, 'tool/result', { turn: 1, step: 1, message: { role: 'tool', toolCallId: 'b', content: [] } });
  const closed = (...rows: Event[]): unknown[] => {
    const { entries } = read(text(HEADER, ...rows));
    return interruptedTurnClosers(entries, entries.at(-1)!.id).map((message) => [
      message['toolCallId'],
      (message['details'] as { error: { code: string } }).error.code,
    ]);
  };

  it('53: has a result for each call that has none, which says whether it was begun', () => {
    expect(closed(asked, begun, result)).toEqual([
      ['a', 'TOOL_OUTCOME_UNKNOWN'],
      ['c', 'TOOL_NOT_STARTED'],
    ]);
  });

  it('53: has one for each call where the log ends with the answer that asks', () => {
    const none = ['a', 'b', 'c'].map((id) => [id, 'TOOL_NOT_STARTED']);
    expect(closed(asked)).toEqual(none);
  });

  it('54: has none where the step has come to its end', () => {
    expect(closed(asked, begun, result, event(3, 'step/end', { turn: 1, step: 1 }))).toEqual([]);
  });
});

/** Any log: events of all kinds, gaps, repeats, pieces of answers with anything between them, damage. */
const anyPiece = fc
  .tuple(
    fc.nat(30),
    fc.nat(2),
    fc.nat(2),
    fc.constantFrom('text-delta', 'reasoning-delta', 'tool-call-delta', 'block-end', 'usage'),
  )
  .map(([seq, step, index, type]): object => {
    const said = { text: 'ö', argumentsDelta: '{', id: 'c1', name: 'bash', block: { type: 'text', text: 'whole' } };
    return event(seq, 'assistant/chunk', { turn: 1, step, chunk: { type, index, ...said } });
  });
const anySpan = fc.oneof(
  fc.constant('append'),
  fc.tuple(fc.nat(30), fc.nat(30)).map(([start, end]): object => ({ op: 'replace', start, end })),
);
const call = { type: 'tool-call', id: 'c1', name: 'bash', arguments: '{"a":1}' };
const picture = { type: 'image', attachment: { attachmentId: 'ab'.repeat(32), mediaType: 'image/png' } };
const anyRow = fc.oneof(
  fc.nat(30).map((seq): object => turnStart(seq)),
  fc.nat(30).map((seq): object => turnEnd(seq)),
  fc.tuple(fc.nat(30), fc.string({ maxLength: 6 })).map(([seq, words]): object => prompt(seq, words)),
  fc.tuple(fc.nat(30), fc.nat(2)).map(([seq, step]): object => answer(seq, 'x', {}, step)),
  fc
    .nat(30)
    .map((seq): object =>
      answer(seq, 'x', { message: { role: 'assistant', source: { kind: 'model', provider: 'p', model: 'm' }, content: [call] } }),
    ),
  fc.tuple(fc.nat(30), anySpan).map(([seq, surfaceOp]): object => ({
    ...event(seq, 'tool/result', { turn: 1, step: 1, message: { role: 'tool', toolCallId: 'c1', content: [picture] } }),
    surfaceOp,
  })),
  fc.tuple(fc.nat(30), anySpan).map(([seq, surfaceOp]): object => ({ ...prompt(seq, 'S'), surfaceOp })),
  fc
    .tuple(fc.nat(30), fc.nat(30))
    .map(([seq, end]): object => event(seq, 'compaction/summary', { summary: [], shadowedRange: { start: 0, end } })),
  fc.nat(30).map((seq): object => event(seq, 'session/title', { title: 'T' })),
  fc.nat(30).map((seq): object => event(seq, 'llm/retry', { turn: 1, step: 1 })),
  fc.nat(30).map((seq): object => event(seq, 'session/end-seed', { inherited: true })),
  fc.tuple(fc.nat(30), fc.nat(2)).map(([seq, step]): object => packed(seq, ['a', 'ü'], [0], step)),
  anyPiece,
  fc.constant({ type: 'turn/start', data: {} }),
  fc.constant({ type: 'text-chunks' }),
  fc.constant('{broken'),
);

describe('any log', () => {
  it('reads the same in pieces, over threads, and body by body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { maxLength: 30 }), fc.array(fc.nat(6_000), { maxLength: 6 }), async (rows, cuts) => {
        const bytes = Buffer.from(text(HEADER, ...rows));
        const { entries, decoder } = read(bytes.toString());
        let other = new SessionDecoder();
        const ends = [...new Set(cuts.filter((cut) => cut < bytes.length))].sort((a, b) => a - b);
        let at = 0;
        for (const end of [...ends, bytes.length]) {
          other.push(bytes.subarray(at, end));
          at = end;
          other.settle();
          if (end % 3 !== 0 || end === bytes.length) continue;
          const next = new SessionDecoder();
          next.restore(structuredClone(other.state()));
          other = next;
        }
        other.settle();
        const whole = new SessionDecoder();
        whole.push(bytes);
        whole.settle();
        expect(columnsOf(other.outline)).toEqual(columnsOf(whole.outline));
        expect(other.problems).toEqual(whole.problems);
        expect(other.outline.inheritedRows).toBe(whole.outline.inheritedRows);
        expect(decoder.outline.rowCount).toBe(whole.outline.rowCount);
        const source = {
          outline: other.outline,
          version: 3,
          isHarness: true,
          read: async (from: number, length: number) => bytes.subarray(from, from + length),
        };
        expect(await loadBodies([...entries.keys()], source)).toEqual(entries);
      }),
      { numRuns: 300 },
    );
  });
});
