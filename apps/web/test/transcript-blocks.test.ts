import type { AssistantItem, ToolCallItem, ToolOutcome, TranscriptItem, Turn } from '@stemma/core/pure';
import { describe, expect, it } from 'vitest';

import { markedBlock } from '../src/lib/transcript/group-facts.ts';
import * as differ from '../src/lib/text/diff-compute.ts';
import { moveOf } from '../src/lib/transcript/keys.ts';
import { marginOf, marksStatus, sumKnown, toolTime } from '../src/lib/transcript/margin.ts';
import { longTexts } from '../src/lib/transcript/parts/whole-entry.svelte.ts';
import { plainText } from '../src/lib/transcript/plain.ts';
import { editDiff, toolLine, toolStyle } from '../src/lib/transcript/tools/summary.ts';

const turn = (usage: Turn['usage']): Turn => ({
  model: 'm-1',
  provider: 'p',
  usage,
  stopReason: 'stop',
  errorMessage: null,
  durationMs: null,
});
const answer = (usage: Turn['usage'] = null): AssistantItem => ({
  id: 'a#0',
  entryId: 'a',
  row: 1,
  time: 1_000,
  kind: 'assistant',
  parts: [
    { type: 'thinking', text: 'hm' },
    { type: 'text', text: 'one' },
    { type: 'text', text: 'two' },
  ],
  turn: turn(usage),
});
const outcome = (row: number, more: Partial<ToolOutcome> = {}): ToolOutcome => ({
  entryId: `r${row}`,
  row,
  time: 3_500,
  isError: false,
  parts: [{ type: 'text', text: 'out' }],
  ...more,
});
const call = (name: string, args: unknown, result: ToolOutcome | null = outcome(2)): ToolCallItem => ({
  id: `a#${name}`,
  entryId: 'a',
  row: 1,
  time: 1_000,
  kind: 'toolCall',
  callId: 'c',
  name,
  args,
  result,
});

describe('tool cards', () => {
  it.each([
    ['bash', { command: 'ls -la' }, 'ls -la'],
    ['Bash', { command: ['git', 'status'] }, 'git status'],
    ['shell', { cmd: 'pwd' }, 'pwd'],
    ['read', { path: 'src/a.ts', offset: 10, limit: 71 }, 'src/a.ts:10–80'],
    ['read', { path: 'src/a.ts', offset: 10 }, 'src/a.ts:10–'],
    ['read', { path: 'src/a.ts', limit: 5 }, 'src/a.ts:1–5'],
    ['Read', { file_path: 'src/a.ts' }, 'src/a.ts'],
    ['grep', { pattern: 'x+', path: 'src' }, 'x+  src'],
    ['todo', { items: [1] }, '{"items":[1]}'],
    ['read', null, ''],
    ['bash', { command: 5 }, '{"command":5}'],
  ])('%s %j says %s', (name, args, line) => {
    expect(toolLine(toolStyle(name), args)).toBe(line);
  });

  it('draws tools it does not know as JSON, whatever they are called', () => {
    for (const name of ['constructor', '__proto__', '', '<img>']) expect(toolStyle(name)).toBe('other');
  });

  it('prefers the diff that the tool reported', () => {
    const diff = '@@ -5 +5 @@\n-a\n+b\n';
    const item = call('edit', { oldText: 'x', newText: 'y' }, outcome(2, { details: { diff } }));
    expect(editDiff(item, differ)?.rows.map((row) => row.text)).toEqual(['a', 'b']);
  });

  it('computes a diff from one or several edits, also of one that failed', () => {
    const failed = outcome(2, { isError: true });
    expect(editDiff(call('edit', { old_string: 'x', new_string: 'y' }, failed), differ)).toMatchObject({ added: 1, removed: 1 });
    const edits = [
      { oldText: 'a', newText: 'b' },
      { oldText: 'c', newText: '' },
    ];
    expect(editDiff(call('edit', { edits }), differ)).toMatchObject({ added: 1, removed: 2 });
    expect(editDiff(call('edit', { path: 'x' }), differ)).toBeNull();
    expect(editDiff(call('edit', null), differ)).toBeNull();
  });

  it('shows a reported diff before the code that computes is there, and computes nothing', () => {
    const details = { diff: '@@ -5 +5 @@\n-let a\n+let b\n' };
    const reported = call('edit', {}, outcome(2, { details }));
    expect(editDiff(reported, null)?.rows.some((row) => row.parts)).toBe(false);
    expect(editDiff(reported, differ)?.rows.every((row) => row.parts)).toBe(true);
    expect(editDiff(call('edit', { oldText: 'x', newText: 'y' }), null)).toBeNull();
  });
});

describe('plainText', () => {
  it('copies what was said, without thinking', () => {
    expect(plainText(answer())).toBe('one\n\ntwo');
  });

  it('copies command and output of a tool', () => {
    expect(plainText(call('bash', { command: 'ls' }))).toBe('ls\n\nout');
    expect(plainText(call('todo', { a: 1 }, null))).toBe('{\n  "a": 1\n}');
  });
});

describe('margin', () => {
  it('adds up everything that was sent', () => {
    const usage = { input: 1_000, output: 180, cacheRead: 200, cacheWrite: null, cost: 0.006 };
    expect(marginOf(answer(usage))).toMatchObject({
      model: 'm-1',
      modelTitle: 'p/m-1',
      time: 1_000,
      usage: { up: 1_200, output: 180 },
    });
  });

  it('says nothing of usage that is unknown or all zero', () => {
    const none = { input: null, output: null, cacheRead: null, cacheWrite: null, cost: null };
    expect(marginOf(answer(none)).usage).toBeNull();
    expect(marginOf(answer({ ...none, input: 0, output: 0, cost: 0 })).usage).toBeNull();
    expect(sumKnown(null, null)).toBeNull();
    expect(sumKnown(null, 0)).toBe(0);
  });

  it('knows how long a tool ran', () => {
    expect(toolTime(call('bash', {}))).toBe(2_500);
    expect(toolTime(call('bash', {}, null))).toBeNull();
    expect(toolTime({ ...call('bash', {}), time: 9_000 })).toBeNull();
  });

  it('marks what is dropped, and never-sent blocks that look as if they were sent', () => {
    const setting: TranscriptItem = {
      id: 's',
      entryId: 's',
      row: 0,
      time: null,
      kind: 'settings',
      setting: 'mode',
      value: 'x',
      role: null,
    };
    expect(marksStatus(answer(), 'dropped')).toBe(true);
    expect(marksStatus(answer(), 'neverSent')).toBe(true);
    expect(marksStatus(setting, 'neverSent')).toBe(false);
    expect(marksStatus(answer(), 'notYet')).toBe(true);
  });
});

describe('markedBlock', () => {
  const items = [answer(), call('bash', {}, outcome(2)), call('read', {}, outcome(3))];

  it('is the card of a selected result', () => {
    expect(markedBlock(items, 3)).toBe('a#read');
  });

  it('is the whole entry when it has several blocks, and the block when it has one', () => {
    expect(markedBlock(items, 1)).toBeNull();
    expect(markedBlock([answer()], 1)).toBe('a#0');
    expect(markedBlock(items, 9)).toBeNull();
  });
});

describe('keys', () => {
  const press = (key: string, more = {}) =>
    moveOf({ key, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, ...more });

  it('walks and jumps', () => {
    expect([press('j'), press('ArrowUp'), press(']'), press('End'), press('Enter')]).toEqual([
      'next',
      'previous',
      'nextPrompt',
      'last',
      'toggle',
    ]);
    expect(press('ArrowDown', { altKey: true })).toBe('nextPrompt');
  });

  it('takes brackets that are typed with AltGr, and leaves the browser its own', () => {
    expect(press('[', { altKey: true, ctrlKey: true })).toBe('previousPrompt');
    expect(press('ArrowDown', { ctrlKey: true })).toBeNull();
    expect(press('[', { metaKey: true })).toBeNull();
    expect(press('j', { altKey: true })).toBeNull();
  });
});

describe('longTexts', () => {
  it('finds the texts that were cut, with their places, in order', () => {
    const entry = {
      type: 'message',
      message: { content: [{ text: 'a'.repeat(20) }, { data: 'b'.repeat(50) }, { text: 'c'.repeat(30) }] },
    };
    expect(longTexts(entry, 10).map(({ place, text }) => [place, text.length])).toEqual([
      ['message.content.0.text', 20],
      ['message.content.2.text', 30],
    ]);
  });

  it('does not fall over very deep values', () => {
    let value: unknown = 'x'.repeat(20);
    for (let i = 0; i < 50_000; i++) value = [value];
    expect(longTexts(value, 10)).toHaveLength(1);
  });
});
