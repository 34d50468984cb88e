import { describe, expect, it } from 'vitest';

import { shapesFor, transcriptPage, transcriptView } from '../../src/pure.ts';
import type { SessionEntry } from '../../src/entries/entry.ts';
import { SessionDecoder } from '../../src/logs/session-decoder.ts';
import { SessionBuilder } from '../../src/testing/session-builder.ts';

/** A call, many prompts, then its result. */
function distant(between: number): SessionDecoder {
  const bodies: SessionEntry[] = [];
  const session = new SessionBuilder();
  session.message('assistant', { content: [{ type: 'toolCall', id: 'far', name: 'wait', arguments: {} }] });
  for (let i = 0; i < between; i++) session.message('user', { content: 'still there?' });
  session.message('toolResult', { toolCallId: 'far', toolName: 'wait', content: [{ type: 'text', text: 'done' }] });
  const decoder = new SessionDecoder({ onEntry: (value) => bodies.push(value as unknown as SessionEntry) });
  decoder.push(new TextEncoder().encode(session.text()));
  decoder.settle();
  return Object.assign(decoder, { bodies });
}

describe.each([0, 10, 63, 64, 65, 500])('a result %i entries behind its call', (between) => {
  it('rides with the call and is no item of its own', async () => {
    const decoder = distant(between);
    const { bodies } = decoder as unknown as { bodies: SessionEntry[] };
    const view = transcriptView(decoder.outline, decoder.outline.leafRow, 'full', shapesFor('pi'));
    const load = (rows: readonly number[]): Promise<SessionEntry[]> => Promise.resolve(rows.map((row) => bodies[row]!));
    const first = await transcriptPage(decoder.outline, view, load, { around: 0, limit: 2 });
    expect(first.items[0]).toMatchObject({ kind: 'toolCall', result: { row: between + 1, isError: false } });
    const last = await transcriptPage(decoder.outline, view, load, { around: between + 1, limit: 1 });
    expect(last.items).toEqual([]);
  });
});
