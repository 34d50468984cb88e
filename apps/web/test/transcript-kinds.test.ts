import type { TranscriptItem } from '@stemma/core/pure';
import { render } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '../src/lib/api/client.ts';
import { ApiError } from '../src/lib/api/errors.ts';
import { TranscriptState, type TranscriptStateOptions } from '../src/lib/transcript/state.svelte.ts';
import Wrapper from './transcript-wrapper.svelte';

const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)>';
const base = { id: 'e#0', entryId: 'e', row: 0, time: 0 };
const result = {
  entryId: 'r',
  row: 1,
  time: 1,
  isError: true,
  parts: [{ type: 'text' as const, text: HOSTILE }],
  details: { a: HOSTILE },
};
const turn = { model: HOSTILE, provider: HOSTILE, usage: null, stopReason: 'error', errorMessage: HOSTILE, durationMs: null };
const image = { index: 0, mimeType: 'image/png" onerror="alert(1)', bytes: 4, blob: null };

const ITEMS: TranscriptItem[] = [
  {
    ...base,
    kind: 'user',
    role: 'user',
    parts: [
      { type: 'text', text: HOSTILE },
      { type: 'image', image },
    ],
    skill: { name: HOSTILE, location: HOSTILE, text: HOSTILE },
  },
  {
    ...base,
    kind: 'assistant',
    turn,
    parts: [
      { type: 'thinking', text: HOSTILE },
      { type: 'other', name: HOSTILE, json: HOSTILE },
    ],
  },
  ...['bash', 'read', 'write', 'edit', 'grep', HOSTILE].map((name): TranscriptItem => ({
    ...base,
    kind: 'toolCall',
    callId: 'c',
    name,
    args: { command: HOSTILE, path: HOSTILE, content: HOSTILE, oldText: 'a', newText: HOSTILE, pattern: HOSTILE },
    result,
  })),
  { ...base, kind: 'toolCall', callId: 'c', name: 'bash', args: null, result: null },
  {
    ...base,
    kind: 'toolCall',
    callId: 'c',
    name: 'run_code',
    args: { code: HOSTILE },
    result: { ...result, details: { error: { code: HOSTILE } } },
    log: {
      begun: 0,
      approvals: [{ reason: HOSTILE, outcome: HOSTILE }],
      subCalls: [{ entryId: 's', row: 2, name: HOSTILE, args: { a: HOSTILE }, result, begun: 0 }],
    },
  },
  { ...base, kind: 'toolResult', callId: 'c', name: HOSTILE, result },
  {
    ...base,
    kind: 'bash',
    language: 'bash',
    command: HOSTILE,
    output: HOSTILE,
    exitCode: 1,
    cancelled: false,
    excluded: true,
    cutByAgent: true,
    fullOutputPath: HOSTILE,
  },
  { ...base, kind: 'custom', customType: HOSTILE, display: false, parts: [{ type: 'text', text: HOSTILE }], details: HOSTILE },
  {
    ...base,
    kind: 'system',
    sections: [
      { name: HOSTILE, text: HOSTILE },
      { name: 'gone', text: null },
    ],
    toolsAdded: [HOSTILE],
    toolsRemoved: [],
  },
  {
    ...base,
    kind: 'compaction',
    summary: HOSTILE,
    shortSummary: HOSTILE,
    tokensBefore: 5,
    tokensAfter: null,
    firstKeptEntryId: HOSTILE,
  },
  { ...base, kind: 'branchSummary', summary: HOSTILE, fromId: HOSTILE },
  { ...base, kind: 'settings', setting: 'model', value: HOSTILE, role: HOSTILE },
  { ...base, kind: 'notice', notice: 'label', value: HOSTILE, targetId: HOSTILE },
  { ...base, kind: 'notice', notice: 'subagent', value: HOSTILE, targetId: null, sessionId: HOSTILE, word: HOSTILE },
  { ...base, kind: 'unknown', type: HOSTILE, json: HOSTILE },
  { ...base, kind: 'fromTheFuture', type: HOSTILE, json: HOSTILE } as unknown as TranscriptItem,
];

class NoObserver {
  observe(): void {}
  disconnect(): void {}
}

function state(more: Partial<TranscriptStateOptions> = {}): TranscriptState {
  return new TranscriptState({
    key: 'k',
    api: { ...api, image: () => Promise.reject(new ApiError('blob_missing', 'gone', 404)) },
    jump: () => undefined,
    raw: () => undefined,
    linkTo: (id) => id,
    kin: () => [],
    isRunning: () => false,
    ...more,
  });
}

function openAll(container: HTMLElement): void {
  for (let round = 0; round < 3; round++) {
    for (const button of container.querySelectorAll<HTMLButtonElement>('[data-toggle][aria-expanded="false"]')) button.click();
    flushSync();
  }
}

beforeEach(() => vi.stubGlobal('IntersectionObserver', NoObserver));

describe('every kind of item', () => {
  it.each(ITEMS.map((item) => [item.kind, item] as const))('%s shows hostile text as text', (_, item) => {
    const { container } = render(Wrapper, { item, transcript: state() });
    openAll(container);
    expect(container.querySelectorAll('script, iframe, img[src="x"], [onerror], [onload], [style*="url"]')).toHaveLength(0);
    for (const svg of container.querySelectorAll('svg')) expect(svg.classList).toContain('icon');
    if (!(item.kind === 'toolCall' && item.result === null))
      expect(container.textContent).toContain('<img src=x onerror=alert(1)>');
  });

  it('tells by words, not by colour alone, that a tool failed or has no result', () => {
    const failed = render(Wrapper, { item: ITEMS[2]!, transcript: state() });
    expect(failed.container.querySelector('button')?.textContent).toContain('error');
    const pending = render(Wrapper, {
      item: ITEMS.find((item) => item.kind === 'toolCall' && item.result === null)!,
      transcript: state(),
    });
    expect(pending.container.querySelector('button')?.textContent).toContain('no result');
  });

  it.each([
    [undefined, false, 'no result'],
    [null, false, 'not started'],
    [5, false, 'outcome unknown'],
    [5, true, 'running'],
    [null, true, 'no result'],
  ])('says what is known of a call without a result: begun %s, running %s', (begun, isRunning, said) => {
    const log = begun === undefined ? {} : { log: { begun, approvals: [], subCalls: [] } };
    const item: TranscriptItem = { ...base, kind: 'toolCall', callId: 'c', name: 'x', args: null, result: null, ...log };
    const { container } = render(Wrapper, { item, transcript: state({ isRunning: () => isRunning }) });
    expect(container.querySelector('button')?.textContent).toContain(said);
  });

  it('links the sessions that a call or its result names', () => {
    const kin = [
      { key: 'k1', id: 'child-1', title: 'The child', isParent: false },
      { key: 'k2', id: 'child-2', title: 'Another', isParent: false },
    ];
    const item: TranscriptItem = {
      ...base,
      kind: 'toolCall',
      callId: 'c',
      name: 'subagent',
      args: {},
      result: { ...result, parts: [{ type: 'text', text: 'started subagent child-1' }] },
    };
    const { container } = render(Wrapper, { item, transcript: state({ kin: () => kin }) });
    expect([...container.querySelectorAll('a')].map((a) => [a.getAttribute('href'), a.textContent])).toEqual([
      ['/s/k1', 'The child'],
    ]);
  });

  it('keeps blocks open when their rows come and go', () => {
    const transcript = state();
    const item = ITEMS.find((one) => one.kind === 'compaction')!;
    const first = render(Wrapper, { item, transcript });
    openAll(first.container);
    first.unmount();
    const second = render(Wrapper, { item, transcript });
    expect(second.container.querySelector('[data-toggle]')?.getAttribute('aria-expanded')).toBe('true');
  });
});
