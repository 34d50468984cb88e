import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { generateCorpus } from '../../src/corpus/index.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { findMostRecentSession, getRecentSessions, listSessions } from '../../src/discovery/listing.ts';
import { readHeaderSync } from '../../src/discovery/read-info.ts';
import type { SessionInfo } from '../../src/discovery/session-info.ts';
import { parseSessionEntries } from '../../src/pure.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';
import { INPUTS } from '../hostile/inputs.ts';

async function bothOf(
  bytes: Uint8Array,
): Promise<{ disk: MemoryDisk; ends: SessionInfo | undefined; whole: SessionInfo | undefined }> {
  const disk = new MemoryDisk();
  disk.writeFile('/s/one.jsonl', bytes, 1_780_000_000_000);
  const [ends] = await listSessions('/s', { disk });
  const [whole] = await listSessions('/s', { disk }, { full: true });
  return { disk, ends, whole };
}

/** What the ends of a file say must be true of the whole. */
function expectTrue(ends: SessionInfo, whole: SessionInfo): void {
  const { path, id, cwd, created, size, parentSessionPath } = whole;
  expect(ends).toMatchObject({ path, id, created, size });
  expect([cwd, ''].includes(ends.cwd)).toBe(true);
  expect(ends.parentSessionPath).toBe(parentSessionPath);
  expect(ends.messageCount).toBeLessThanOrEqual(whole.messageCount);
  expect([whole.status, 'unknown']).toContain(ends.status);
  expect(ends.allMessagesText.length).toBeLessThanOrEqual(whole.allMessagesText.length);
}

describe('the ends of a file say nothing that is not true of the whole', () => {
  const turn = fc.record({
    role: fc.constantFrom('user', 'assistant', 'call', 'result', 'custom', 'system'),
    size: fc.constantFrom(0, 10, 900, 3000, 5000, 20_000, 40_000, 70_000),
  });

  function built(turns: readonly { role: string; size: number }[]): SessionBuilder {
    const build = session({ cwd: '/app', title: 'T' });
    for (const [i, { role, size }] of turns.entries()) {
      const text = `${String(i)} é🙂 "${'x'.repeat(size)}`;
      if (role === 'user') build.user(text);
      else if (role === 'assistant') build.assistant(text);
      else if (role === 'call') build.call(`c${String(i)}`, 'read', { text });
      else if (role === 'result') build.result(`c${String(i)}`, text);
      else if (role === 'system') build.message('system', { sections: { prompt: text } });
      else build.entry('custom', { customType: 'state', data: text });
    }
    return build;
  }

  it('for sessions with entries of all sizes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 12 }), async (turns) => {
        const { disk, ends, whole } = await bothOf(built(turns).bytes());
        expectTrue(ends!, whole!);
        // The first prompt is found, or its beginning, or none; what stands in for it is told by a role of its own.
        const first = turns.findIndex(({ role }) => role === 'user');
        const prompt = whole!.firstMessage;
        if (ends!.firstMessage !== undefined && prompt !== undefined && ends!.firstMessage.startsWith(`${String(first)} `)) {
          expect(prompt.startsWith(ends!.firstMessage)).toBe(true);
        }
        if (prompt !== undefined && turns[0]!.role === 'user') expect(prompt.startsWith(ends!.firstMessage!)).toBe(true);
        expect(readHeaderSync(disk, '/s/one.jsonl')).toMatchObject({ id: 'session-1', cwd: '/app' });
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it.each(['pi', 'musepi'] as const)(
    'for sessions of the corpus (%s)',
    async (shapes) => {
      let sessions = 0;
      for (const { lines } of generateCorpus({ seed: 5, sessions: 25, shapes, bytes: 4_000_000 })) {
        if (lines === undefined) continue;
        const { ends, whole } = await bothOf(new TextEncoder().encode([...lines].map((line) => `${line}\n`).join('')));
        expectTrue(ends!, whole!);
        if (ends!.firstMessage !== undefined) expect(whole!.firstMessage!.startsWith(ends!.firstMessage)).toBe(true);
        sessions++;
      }
      expect(sessions).toBeGreaterThanOrEqual(25);
    },
    60_000,
  );
});

describe('what the ends of a file do not hold', () => {
  it('no talk in the end: Pi’s sessions are dated by their file, not by what was said long before', async () => {
    const build = session().user('q').assistant('a');
    for (let i = 0; i < 50; i++) build.entry('custom', { customType: 'state', data: 'x'.repeat(900) });
    const disk = new MemoryDisk();
    disk.writeFile('/s/one.jsonl', build.bytes(), 1_780_000_000_000);
    const options = { dialect: 'pi' as const };
    expect(await listSessions('/s', { disk }, options)).toMatchObject([{ modified: 1_780_000_000_000, status: 'unknown' }]);
    expect(await listSessions('/s', { disk }, { ...options, full: true })).toMatchObject([
      { modified: Date.parse('2026-01-01T00:00:02.000Z'), status: 'complete' },
    ]);
  });

  it('no prompt in the beginning: the last one does not stand in for the first', async () => {
    const build = session().entry('custom', { customType: 'state', data: 'x'.repeat(80_000) });
    for (let i = 0; i < 50; i++) build.assistant('x'.repeat(900));
    const { ends, whole } = await bothOf(build.user('last').bytes());
    expect(ends).not.toHaveProperty('firstMessage');
    expect(whole!.firstMessage).toBe('last');
  });

  it('a line without its beginning: what it quotes is nothing that was said', async () => {
    const quoted = session().user('quoted').entries()[0];
    const build = session()
      .user('q')
      .entry('custom', { customType: 'copy', data: Array.from({ length: 1000 }, () => quoted) });
    const { ends } = await bothOf(build.bytes());
    expect(ends).toMatchObject({ messageCount: 1, allMessagesText: 'q', status: 'unknown' });
  });
});

describe('files of any kind', () => {
  // Those of tens of thousands of entries are ordinary to a list.
  const inputs = INPUTS.filter(({ name }) => !/\d0,000 (?!nested)|million lines/.test(name)).map(({ name, bytes }) => ({
    name,
    bytes,
  }));

  it.each(inputs)('$name: listed when it begins with a header, and never an error', { timeout: 60_000 }, async ({ bytes }) => {
    const content = bytes();
    const { disk, ends, whole } = await bothOf(content);
    const header = content.length > 4_000_000 ? undefined : (parseSessionEntries(new TextDecoder().decode(content))[0] ?? null);
    if (header !== undefined) {
      expect(whole?.id ?? null).toBe(header?.['id'] ?? null);
      expect(readHeaderSync(disk, '/s/one.jsonl')?.id ?? null).toBe(header?.['id'] ?? null);
    }
    if (ends !== undefined && whole !== undefined) expectTrue(ends, whole);
    expect(await findMostRecentSession('/s', { disk })).toBe(ends === undefined ? null : '/s/one.jsonl');
    expect(await getRecentSessions('/s', 4, { disk })).toHaveLength(ends === undefined ? 0 : 1);
  });
});
