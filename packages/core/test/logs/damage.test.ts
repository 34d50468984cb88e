import { describe, expect, it } from 'vitest';

import { decode } from '../support/decode.ts';
import { session } from '../../src/testing/index.ts';

/** A small session with everything in it that a flipped byte could be mistaken for. */
const build = session()
  .user('Why does "a{b" fail?')
  .assistant([
    { type: 'thinking', thinking: '项目 \\ {"type":"text"}', thinkingSignature: 'c2ln' },
    { type: 'text', text: 'Let me look.' },
    { type: 'toolCall', id: 'call_1', name: 'read', arguments: { path: 'src/a.ts', nested: [{ type: 'x', id: 'y' }] } },
  ])
  .result('call_1', '{"type":"message","id":"fake","parentId":null}\nline two')
  .label('e1', 'start')
  .at('e1')
  .compaction('so far: 😀', 'e1')
  .user([{ type: 'text', text: 'go on' }]);
const source = build.bytes();
const lines = build.lines();

interface Found {
  /** JSON text of each entry as stored. */
  entries: string[];
  problemLines: Set<number>;
}

function read(bytes: Uint8Array): Found {
  const { outline, decoder } = decode(bytes);
  const entries: string[] = [];
  for (let row = 0; row < outline.rowCount; row++) {
    const slice = bytes.subarray(outline.offset(row), outline.offset(row) + outline.bytes(row));
    // A raw line feed in a text is read as if it were escaped.
    const text = new TextDecoder().decode(slice);
    entries.push(JSON.stringify(JSON.parse(text.replaceAll('\n', '\\n'))));
  }
  return { entries, problemLines: new Set(decoder.problems.map((found) => found.line ?? 0)) };
}

const whole = read(source);
const headerEnd = source.indexOf(10) + 1;

/** 0 for the header line, then 1, 2, … */
function lineOf(at: number): number {
  let line = 0;
  for (let i = 0; i < at; i++) if (source[i] === 10) line++;
  return line;
}

/** The entries around the damage, and whatever is left of the one that was hit (or of two, where an LF was). */
function check(damaged: Uint8Array, at: number): void {
  const { entries, problemLines } = read(damaged);
  const hit = lineOf(at) - 1;
  const hits = source[at] === 10 ? 2 : 1;
  const before = whole.entries.slice(0, hit);
  const after = whole.entries.slice(hit + hits);
  expect(entries.slice(0, hit)).toEqual(before);
  expect(entries.slice(entries.length - after.length)).toEqual(after);
  const left = entries.slice(hit, entries.length - after.length);
  // Nothing is made up: at most what was there is left, and where less is left a problem says so.
  expect(left.length).toBeLessThanOrEqual(hits);
  if (left.length < hits && hit + 1 < lines.length - 1)
    expect([...problemLines].some((line) => line === hit + 2 || line === hit + 3)).toBe(true);
  if (source[at] === 10) expect(left).toEqual(whole.entries.slice(hit, hit + hits));
}

function flip(at: number, mask: number): Uint8Array {
  const damaged = source.slice();
  damaged[at] = damaged[at]! ^ mask;
  return damaged;
}

function without(at: number): Uint8Array {
  return Uint8Array.from([...source.subarray(0, at), ...source.subarray(at + 1)]);
}

const places = Array.from({ length: source.length - headerEnd }, (_, i) => headerEnd + i);

describe('one damaged byte behind the header line', () => {
  it.each([1, 2, 4, 8, 16, 32, 64, 128, 255])('flipped by %d costs its own entry at most', (mask) => {
    for (const at of places) if ((source[at]! ^ mask) !== 10) check(flip(at, mask), at);
  });

  it('that is missing costs its own entry at most', () => {
    for (const at of places) check(without(at), at);
  });

  it('that became an LF costs its own entry at most', () => {
    for (const at of places) {
      if (source[at] === 10) continue;
      const { entries, problemLines } = read(flip(at, source[at]! ^ 10));
      const hit = lineOf(at) - 1;
      const others = [...whole.entries.slice(0, hit), ...whole.entries.slice(hit + 1)];
      // Nothing but blanks and the other entries: the halves of a record are no records.
      expect(entries.filter((entry) => others.includes(entry))).toEqual(others);
      if (entries.length === others.length)
        expect([...problemLines].some((line) => line === hit + 2 || line === hit + 3)).toBe(true);
    }
  });
});

describe('a file that ends anywhere', () => {
  it('has the entries of its whole lines, and a problem for the last one', () => {
    for (const at of places) {
      const { entries, problemLines } = read(source.subarray(0, at));
      const complete = lineOf(at) - 1 + (source[at] === 10 ? 1 : 0);
      expect(entries).toEqual(whole.entries.slice(0, complete));
      if (source[at] !== 10 && source[at - 1] !== 10) expect(problemLines.has(lineOf(at) + 1)).toBe(true);
    }
  });
});

describe('one damaged byte in the header line', () => {
  const damages = (at: number): Uint8Array[] => [without(at), ...[1, 2, 4, 8, 16, 32, 64, 128].map((mask) => flip(at, mask))];

  it('costs no entry: every one is there as it is stored', () => {
    for (let at = 0; at < headerEnd; at++) {
      for (const damaged of damages(at)) {
        const { entries, problemLines } = read(damaged);
        // The header may have become an entry of an unknown type itself.
        expect(entries.slice(entries.length - whole.entries.length)).toEqual(whole.entries);
        expect(entries.length - whole.entries.length).toBeLessThanOrEqual(1);
        if (entries.length > whole.entries.length) expect(problemLines.has(1)).toBe(true);
      }
    }
  });

  it('changes nothing but ids and parents of the outline', () => {
    const facts = (bytes: Uint8Array): unknown[] => {
      const { outline } = decode(bytes);
      const rows = Array.from({ length: outline.rowCount }, (_, row) => row).slice(-whole.entries.length);
      return rows.map((row) => [
        outline.type(row),
        outline.role(row),
        outline.title(row),
        outline.time(row),
        outline.calls(row),
        outline.bytes(row),
      ]);
    };
    const expected = facts(source);
    for (let at = 0; at < headerEnd; at++) for (const damaged of damages(at)) expect(facts(damaged)).toEqual(expected);
  });
});
