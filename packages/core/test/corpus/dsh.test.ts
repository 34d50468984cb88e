import { describe, expect, it } from 'vitest';

import { dshIdentity, generateDshSession, generateDshStore, type DshForm } from '../../src/corpus/index.ts';
import { readLog, sources, surface, type Event, type Log } from './dsh-records.ts';

const FORMS: readonly DshForm[] = [0, 2, 4];
const of = (log: Log, type: string): Event[] => log.events.filter((event) => event.type === type);
const LARGE = new Map(FORMS.map((form) => [form, readLog(generateDshSession({ seed: 5, form, bytes: 1_500_000 }))]));

describe.each(FORMS)('a generated log of form %i', (form) => {
  const log = LARGE.get(form) as Log;

  it('counts its events without a gap, and cites earlier ones only', () => {
    log.events.forEach(({ seq }, i) => expect(seq).toBe(i));
    for (const event of log.events) for (const source of sources(event)) expect(source).toBeLessThan(event.seq);
    expect(log.lines.join('\n').length).toBeGreaterThan(1_200_000);
  });

  it('has the header of its form', () => {
    const { version, createdAt, isSeeded, seedLength } = log.header;
    expect({ version, isSeeded, seedLength }).toEqual({
      version: form,
      isSeeded: form === 0 ? undefined : false,
      seedLength: undefined,
    });
    expect(Number.isSafeInteger(createdAt)).toBe(true);
  });

  it('ends every turn and step that it starts', () => {
    const open: string[] = [];
    for (const { type, data } of log.events) {
      const [what, word] = type.split('/') as [string, string];
      if (word === 'start' && (what === 'turn' || what === 'step')) open.push(`${what} ${String(data[what])}`);
      if (word === 'end' && (what === 'turn' || what === 'step')) expect(open.pop()).toBe(`${what} ${String(data[what])}`);
    }
    expect(open).toEqual([]);
    expect(of(log, 'turn/end').length).toBeGreaterThan(20);
  });

  it('answers every call once, after it was logged', () => {
    const calls = new Map(of(log, 'tool/call').map(({ data, seq }) => [data['callId'], seq]));
    const answered = of(log, 'tool/result').filter(({ surfaceOp }) => surfaceOp === 'append');
    expect(answered).toHaveLength(calls.size);
    for (const result of answered) {
      const { source } = result.data['message'] as { source: { callId: string } };
      expect(sources(result)).toEqual([calls.get(source.callId)]);
    }
  });

  it('has a surface that its replacements fit into', () => {
    expect(of(log, 'compaction/summary').length).toBeGreaterThan(0);
    expect(of(log, 'compaction/prune').length).toBeGreaterThan(0);
    expect(surface(log.events).length).toBeGreaterThan(3);
  });

  it('streams what its messages say', () => {
    const messages = of(log, 'assistant/message');
    const chunks = of(log, 'assistant/chunk');
    expect(chunks.length > 0).toBe(form === 0);
    for (const message of messages) {
      const { content } = message.data['message'] as { content: { type: string; text?: string; arguments?: string }[] };
      const said = content.map(({ text, arguments: args }) => text ?? args ?? '');
      expect(form === 0 ? joined(sources(message).map((seq) => log.events[seq] as Event)) : streamed(message)).toEqual(said);
    }
  });

  it('is the same at every call', () => {
    const one = [...generateDshSession({ seed: 9, form, turns: 2 })];
    expect([...generateDshSession({ seed: 9, form, turns: 2 })]).toEqual(one);
    expect(readLog(one).events.filter(({ type }) => type === 'turn/start')).toHaveLength(2);
  });

  it('begins as its original where it is a fork', () => {
    const original = { seed: 11, form, turns: 4 };
    const whole = readLog(generateDshSession(original));
    const fork = readLog(generateDshSession({ seed: 12, form, turns: 2, forkOf: { options: original, turns: 2 } }));
    expect(fork.header['parentSession']).toBe(dshIdentity(original).id);
    const isEnd = ({ type, data }: Event): boolean => type === 'session/end-seed' && data['inherited'] === true;
    const end = form === 0 ? fork.events[fork.header['seedLength'] as number] : fork.events.findLast(isEnd);
    if (end?.type !== 'session/end-seed') throw new Error('the seed has no end');
    expect(fork.header['isSeeded']).toBe(form === 0 ? undefined : true);
    expect(fork.events.slice(0, end.seq)).toEqual(whole.events.slice(0, end.seq));
    expect(of(fork, 'turn/start').at(-1)?.data['turn']).toBe(4);
  });

  it('stops in the middle where it was interrupted', () => {
    const ended = (ending: 'not-started' | 'outcome-unknown' | 'mid-answer'): string =>
      readLog(generateDshSession({ seed: 3, form, turns: 1, ending })).events.at(-1)?.type ?? '';
    expect(ended('not-started')).toBe('assistant/message');
    expect(ended('outcome-unknown')).toBe('tool/call');
    expect(ended('mid-answer')).toBe(form === 0 ? 'assistant/chunk' : 'user/message');
  });
});

describe('a generated store', () => {
  const files = [...generateDshStore({ seed: 4, sessions: 90, bytes: 3_000_000, encoding: 'mixed' })].map((file) => ({
    path: file.path,
    log: readLog(file.batches ?? []),
  }));

  it('has every log where its header says, in all forms and both encodings', () => {
    for (const { path, log } of files) {
      const { id, version } = log.header as { id: string; version: number };
      const [, folder = '', name = ''] = path.split('/');
      expect(folder).toBe(id);
      expect(name.replace(/\.zstd$/, '')).toBe(version === 0 ? 'session.jsonl' : `session.v${String(version)}.jsonl`);
    }
    const endings = new Set(files.map(({ path }) => path.split('/').at(-1)));
    expect(endings.size).toBe(6);
    expect(new Set(files.map(({ path }) => path.split('/')[0]))).toContain('--home-ada-work-~6587~6863--');
  });

  it('has sub-agents that their parents name, with the task that they were given', () => {
    const byId = new Map(files.map(({ log }) => [log.header['id'], log]));
    const children = files.filter(({ log }) => log.header['origin'] === 'subagent');
    expect(children.length).toBeGreaterThan(3);
    for (const { log } of children) {
      const parent = byId.get(log.header['parentSession']) as Log;
      const result = of(parent, 'tool/result').find(
        ({ data }) => (data['meta'] as { childId?: string } | undefined)?.childId === log.header['id'],
      );
      const task = (of(log, 'user/message')[0]?.data['content'] as { text: string }[])[0]?.text;
      expect(JSON.stringify(result?.data)).toContain(`Done: ${task ?? '?'}`);
    }
  });

  it('has forks and sessions that were interrupted', () => {
    expect(files.some(({ log }) => log.header['seedLength'] !== undefined)).toBe(true);
    expect(files.some(({ log }) => log.header['isSeeded'] === true)).toBe(true);
    expect(files.some(({ log }) => of(log, 'turn/start').length > of(log, 'turn/end').length)).toBe(true);
  });
});

/** Texts of the blocks by their deltas. */
function joined(events: readonly Event[]): string[] {
  const texts: string[] = [];
  for (const { data } of events) add(texts, data['chunk'] as Piece);
  return texts;
}

interface Piece {
  type: string;
  index: number;
  text?: string;
  argumentsDelta?: string;
  texts?: string[];
  args?: string[];
}

function streamed({ data }: Event): string[] {
  const texts: string[] = [];
  for (const record of data['stream'] as (Piece & { chunk?: Piece })[]) add(texts, record.chunk ?? record);
  return texts;
}

function add(texts: string[], { type, index, text, argumentsDelta, texts: many, args }: Piece): void {
  if (!/-(delta|chunks)$/.test(type)) return;
  texts[index] = (texts[index] ?? '') + (text ?? argumentsDelta ?? (many ?? args ?? []).join(''));
}
