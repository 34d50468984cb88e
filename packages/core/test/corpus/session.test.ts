import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { generateSession, type SessionOptions } from '../../src/corpus/index.ts';
import { ancestors, byteLength, leaves, parse, type Entry } from './records.ts';

const SHAPES = ['musepi', 'pi'] as const;

function hash(options: SessionOptions): string {
  const sum = createHash('sha256');
  for (const line of generateSession(options)) sum.update(line).update('\n');
  return sum.digest('hex');
}

/** Bytes of heap that are in use after a collection. */
function retained(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe.each(SHAPES)('a generated session (%s)', (shapes) => {
  const { header, entries, lines } = parse(generateSession({ seed: 11, shapes, entries: 4000 }));

  it('is the same for the same seed and another for another seed', () => {
    expect(hash({ seed: 5, shapes, entries: 300 })).toBe(hash({ seed: 5, shapes, entries: 300 }));
    expect(hash({ seed: 6, shapes, entries: 300 })).not.toBe(hash({ seed: 5, shapes, entries: 300 }));
  });

  it('has a header of version 3 and exactly as many entries as asked', () => {
    expect(header).toMatchObject({ type: 'session', version: 3 });
    expect(header.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(entries).toHaveLength(4000);
    for (const n of [1, 2, 3, 7, 50]) expect(parse(generateSession({ seed: n, shapes, entries: n })).entries).toHaveLength(n);
  });

  it('has unique ids, and each parent stands before its child', () => {
    const seen = new Set<string>();
    for (const { id, parentId } of entries) {
      expect(id).toMatch(/^[0-9a-f]{8}$/);
      expect(seen.has(id)).toBe(false);
      if (parentId !== null) expect(seen.has(parentId)).toBe(true);
      seen.add(id);
    }
    expect(entries.filter((entry) => entry.parentId === null)).toHaveLength(1);
  });

  it('moves forward in time', () => {
    const times = entries.map((entry) => entry.timestamp);
    expect(times).toEqual([...times].sort());
    expect(Date.parse(times.at(-1) ?? '') - Date.parse(times[0] ?? '')).toBeGreaterThan(86_400_000);
  });

  it('answers only calls that were made, and most calls', () => {
    const calls = new Map<string, string>();
    let answered = 0;
    for (const { message } of entries) {
      if (message?.role === 'assistant' && typeof message.content !== 'string') {
        for (const block of message.content) if (block.type === 'toolCall') calls.set(block.id ?? '', block.name ?? '');
      }
      if (message?.role !== 'toolResult') continue;
      expect(calls.get(message.toolCallId ?? '')).toBe(message.toolName);
      answered++;
    }
    expect(answered).toBeGreaterThan(calls.size * 0.98);
  });

  it('keeps from an entry of the own path in every compaction', () => {
    const compactions = entries.filter((entry) => entry.type === 'compaction');
    expect(compactions.length).toBeGreaterThan(3);
    for (const { parentId, firstKeptEntryId } of compactions) {
      expect(ancestors(entries, parentId).has(firstKeptEntryId ?? '')).toBe(true);
    }
  });

  it('labels entries that exist, and clears some labels', () => {
    const ids = new Set(entries.map((entry) => entry.id));
    const labels = entries.filter((entry) => entry.type === 'label');
    expect(labels.every((entry) => ids.has(entry.targetId ?? ''))).toBe(true);
    expect(labels.some((entry) => entry['label'] === undefined)).toBe(true);
  });

  it('has usage whose parts add up', () => {
    for (const { message } of entries) {
      const usage = message?.usage;
      if (usage === undefined) continue;
      const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage;
      expect(usage['totalTokens']).toBe(input + output + cacheRead + cacheWrite);
      const { total, ...parts } = usage.cost;
      expect(total).toBeCloseTo(
        Object.values(parts).reduce((a, b) => a + b, 0),
        10,
      );
    }
  });

  it('has the size of real sessions: about 2.4 KB an entry', () => {
    const average = byteLength(lines) / lines.length;
    expect(average).toBeGreaterThan(1700);
    expect(average).toBeLessThan(3200);
  });

  it.each([{ bytes: 200_000 }, { bytes: 3_000_000 }, { entries: 2000, bytes: 2_000_000 }, { entries: 1000, bytes: 12_000_000 }])(
    'comes out within 5 % of the asked size (%o)',
    (size) => {
      const bytes = byteLength(generateSession({ seed: 21, shapes, ...size }));
      expect(Math.abs(bytes / size.bytes - 1)).toBeLessThan(0.05);
    },
  );

  it('has exactly the asked number of leaves, or is a chain', () => {
    expect(leaves(parse(generateSession({ seed: 3, shapes, entries: 20_000, bytes: 12_000_000, branches: 500 })).entries)).toBe(
      500,
    );
    const chain = parse(generateSession({ seed: 3, shapes, entries: 3000, chain: true })).entries;
    expect(chain.every((entry, i) => entry.parentId === (chain[i - 1]?.id ?? null))).toBe(true);
  });

  it('starts a fork with the entries of its original', () => {
    const original: SessionOptions = { seed: 31, shapes, bytes: 150_000 };
    const fork: SessionOptions = {
      seed: 32,
      shapes,
      bytes: 200_000,
      time: Date.UTC(2026, 5, 1),
      forkOf: { options: original, after: 20 },
    };
    const before = parse(generateSession(original)).entries;
    const after = parse(generateSession(fork));
    const shared = after.entries.findIndex((entry, i) => entry.id !== before[i]?.id);
    expect(shared).toBeGreaterThanOrEqual(20);
    expect(after.entries.slice(0, shared)).toEqual(before.slice(0, shared));
    const known = new Set(before.map((entry) => entry.id));
    expect(after.entries.slice(shared).some((entry) => known.has(entry.id))).toBe(false);
    expect(after.entries[shared]?.timestamp.startsWith('2026-06')).toBe(true);
  });
});

describe('generateSession', () => {
  it('is lazy: 100,000 entries pass through without being held', { timeout: 30_000 }, () => {
    let count = 0;
    let worst = 0;
    const start = retained();
    for (const line of generateSession({ seed: 9, shapes: 'pi', entries: 100_000, bytes: 60_000_000 })) {
      count += line.length > 0 ? 1 : 0;
      if (count % 20_000 === 0) worst = Math.max(worst, retained() - start);
    }
    expect(count).toBe(100_001);
    // The vocabulary takes about 12 MB, all lines would take 60.
    expect(worst).toBeLessThan(25_000_000);
  });

  it('refuses sizes that cannot be', () => {
    expect(() => [...generateSession({ seed: 1, shapes: 'pi', entries: 0 })]).toThrow(RangeError);
    expect(() => [...generateSession({ seed: 1, shapes: 'pi', entries: 100, branches: 50 })]).toThrow(RangeError);
  });

  it('draws on more than 100,000 words when there is room', { timeout: 30_000 }, () => {
    const words = new Set<string>();
    for (const line of generateSession({ seed: 2, shapes: 'pi', entries: 6000, bytes: 40_000_000 })) {
      for (const word of line.match(/[A-Za-z_]{3,}/g) ?? []) words.add(word);
    }
    expect(words.size).toBeGreaterThan(100_000);
  });

  it('has the happenings of real work', () => {
    const found = new Set<string>();
    const edits: unknown[] = [];
    const note = (entry: Entry): void => {
      found.add(entry.type);
      if (entry.type === 'context_edit') edits.push(entry['replacement']);
      if (entry.message !== undefined)
        found
          .add(entry.message.role)
          .add(entry.message.stopReason ?? '')
          .add(entry.message.toolName ?? '');
    };
    for (const shapes of SHAPES) {
      const found1 = parse(generateSession({ seed: 40, shapes, entries: 12_000, bytes: 15_000_000 }));
      found1.entries.forEach(note);
      const text = found1.lines.join('\n');
      expect(text).toContain('\\u001b[3');
      expect(text).toMatch(/"diff":/);
      expect(text).toMatch(/"type":"image"/);
      expect(text).toMatch(/"thinkingSignature":/);
    }
    const types =
      'message thinking_level_change model_change service_tier_change compaction branch_summary custom custom_message label ' +
      'ttsr_injection mode_change session_info title_change credential_pin model_usage archive usage context_edit mcp_tool_selection ' +
      'user assistant toolResult bashExecution stop toolUse error aborted read bash edit write grep find ls';
    expect(edits.length).toBeGreaterThan(1);
    for (const edit of edits) expect(edit === null || typeof (edit as { content?: unknown }).content === 'string').toBe(true);
    expect(types.split(' ').filter((type) => !found.has(type))).toEqual([]);
  });
});
