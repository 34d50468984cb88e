import { describe, expect, it } from 'vitest';

import { contextParts, emissionTokens, modelContext, shapesFor, type ContextParts, type ContextRules } from '../../src/pure.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

const x = (chars: number): string => 'x'.repeat(chars);
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };

function plan(builder: SessionBuilder, rules: ContextRules): { tokens: number[]; parts: ContextParts } {
  const { outline } = decode(builder);
  const found = modelContext(outline, outline.leafRow, shapesFor(rules));
  return { tokens: found.emissions.map((emission) => emissionTokens(outline, emission)), parts: contextParts(outline, found) };
}

const NONE: ContextParts = {
  system: 0,
  summaries: 0,
  prompts: 0,
  answers: 0,
  toolCalls: 0,
  toolResults: 0,
  images: 0,
  commands: 0,
  other: 0,
};

/** One message of each role and what it counts (characters / 4; figures of Pi 1.6.0's own estimate where it knows the role). */
describe('estimates', () => {
  const tools = [{ name: 'read', description: 'd', parameters: {} }];

  it.each<[string, SessionBuilder, Partial<ContextParts>]>([
    ['user, text', session().user(x(9)), { prompts: 3 }],
    ['user, text and image', session().user([{ type: 'text', text: x(8) }, image]), { prompts: 2, images: 1200 }],
    ['developer', session().message('developer', { content: x(4) }), { prompts: 1 }],
    ['file mention', session().message('fileMention', { files: [{ path: x(4), content: x(16) }] }), { prompts: 5 }],
    [
      'assistant, text and thinking',
      session().assistant([
        { type: 'text', text: x(8) },
        { type: 'thinking', thinking: x(8), thinkingSignature: x(999) },
      ]),
      { answers: 4 },
    ],
    ['tool result', session().result('c1', x(8)), { toolResults: 2 }],
    [
      'tool result with an image',
      session().message('toolResult', { content: [image], details: { diff: x(999) } }),
      { images: 1200 },
    ],
    ['bash', session().message('bashExecution', { command: x(4), output: x(12) }), { commands: 4 }],
    [
      'bash kept from the model',
      session().message('bashExecution', { command: x(4), output: x(12), excludeFromContext: true }),
      {},
    ],
    ['python', session().message('pythonExecution', { code: x(4), output: x(12) }), { commands: 4 }],
    ['custom', session().message('custom', { customType: 'k', content: x(8) }), { other: 2 }],
    ['custom_message', session().entry('custom_message', { customType: 'k', content: x(8), display: false }), { other: 2 }],
    ['branch summary', session().branchSummary(x(12), 'e0'), { summaries: 3 }],
    ['compaction', session().compaction(x(12)), { summaries: 3 }],
    [
      'system',
      session().message('system', { content: x(4), sections: { a: x(8), b: null }, toolsAdded: tools }),
      { system: Math.ceil((12 + JSON.stringify(tools).length) / 4) },
    ],
    ['unknown role', session().message('oracle', { content: x(8) }), { other: 2 }],
  ])('%s', (_, builder, expected) => {
    expect(plan(builder, 'pi').parts).toEqual({ ...NONE, ...expected });
  });

  it('a call counts its name and its arguments as JSON', () => {
    const args = { path: x(20), lines: [{ from: 'a', to: 'b' }], deep: { a: { b: { c: { d: { e: { f: { g: x(40) } } } } } } } };
    const { parts } = plan(session().call('c1', 'read', args), 'pi');
    const exact = Math.ceil((4 + JSON.stringify(args).length) / 4);
    expect(Math.abs(parts.toolCalls - exact)).toBeLessThanOrEqual(1);
    expect(parts.answers).toBe(0);
  });

  it('a checkpoint counts beside the summary that it comes with', () => {
    const builder = session()
      .user('go')
      .compaction(x(12), undefined, { systemMessage: { role: 'system', content: x(40) } });
    expect(plan(builder, 'pi')).toEqual({ tokens: [10, 3], parts: { ...NONE, system: 10, summaries: 3 } });
    expect(plan(builder, 'musepi').parts.system).toBe(0);
  });

  it('pictures of the history that a summary comes with count as images', () => {
    const frame = { data: 'AAAA', mimeType: 'image/png', cols: 1, rows: 1, chars: 9, font: 'mono' };
    const preserveData = { snapcompact: { frames: [frame, frame], textTail: x(40) } };
    const { parts } = plan(session().user('go').compaction(x(12), undefined, { preserveData }), 'musepi');
    expect(parts.images).toBe(2400);
    expect(parts.summaries).toBeGreaterThanOrEqual(13);
    expect(plan(session().user('go').compaction(x(12), undefined, { preserveData }), 'pi').parts).toEqual({
      ...NONE,
      summaries: 3,
    });
  });

  it('an edited message counts what it is replaced by', () => {
    const builder = session()
      .user(x(400))
      .entry('context_edit', { targetId: 'e1', replacement: { content: x(8) } });
    expect(plan(builder, 'pi').tokens).toEqual([2]);
    expect(plan(builder, 'musepi').tokens).toEqual([100]);
  });

  it('calls that are taken out of a turn do not count', () => {
    const call = (id: string): { type: 'toolCall'; id: string; name: string; arguments: object } => ({
      type: 'toolCall',
      id,
      name: 'read',
      arguments: { path: x(80) },
    });
    const turn = (): SessionBuilder =>
      session()
        .user('go')
        .assistant([{ type: 'text', text: x(40) }, call('c1'), call('c2')]);
    const both = plan(turn(), 'pi').parts;
    expect(both.answers).toBe(10);
    expect(plan(turn(), 'musepi').parts).toEqual({ ...NONE, prompts: 1, answers: 10 });
    const half = plan(turn().result('c1', 'x'), 'musepi').parts;
    expect(Math.abs(half.toolCalls - both.toolCalls / 2)).toBeLessThanOrEqual(1);
  });

  it('parts add up to the messages, rounded as they are', () => {
    const builder = session();
    for (let i = 1; i < 40; i++) {
      builder.user([{ type: 'text', text: x(i) }, ...(i % 3 === 0 ? [image] : [])]).call(`c${String(i)}`, x(i % 5), { a: x(i) });
      builder.result(`c${String(i)}`, x(i));
      if (i % 7 === 0) builder.branchSummary(x(i), 'e1');
    }
    for (const rules of ['pi', 'musepi'] as const) {
      const { tokens, parts } = plan(builder, rules);
      const sum = Object.values(parts).reduce((a: number, b: number) => a + b, 0);
      expect(sum).toBe(tokens.reduce((a, b) => a + b, 0));
      expect(sum).toBeGreaterThan(15_000);
    }
  });
});
