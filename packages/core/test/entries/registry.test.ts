import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { entryKind, ENTRY_TYPES, MESSAGE_ROLES, REASON_CODES, TRANSCRIPT_KINDS, type TranscriptItem } from '../../src/pure.ts';
import type { ItemPlace } from '../../src/entries/define-entry.ts';
import { decode } from '../support/decode.ts';

const PACKAGE = path.resolve(import.meta.dirname, '../..');
const FIXTURES = path.join(PACKAGE, 'fixtures/entries');
const FORMATS = path.resolve(PACKAGE, '../../docs/formats');

interface Stored {
  type: string;
  id: string;
  parentId: string | null;
  timestamp: string;
  message?: { role: string };
}

function examples(type: string): Stored[] {
  const text = readFileSync(path.join(FIXTURES, `${type}.jsonl`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Stored);
}

const place: ItemPlace = { entryId: 'x', row: 0, time: null, resultOf: () => null, callOnPath: () => false, logOf: () => null };
const itemsOf = (entry: Stored): TranscriptItem[] => entryKind(entry.type).items({ ...entry }, place);

describe('every entry type', () => {
  it('is named once', () => {
    expect(new Set(ENTRY_TYPES).size).toBe(ENTRY_TYPES.length);
    expect(ENTRY_TYPES.length).toBeGreaterThan(20);
  });

  it.each(ENTRY_TYPES)('%s has an example among the fixtures', (type) => {
    expect(existsSync(path.join(FIXTURES, `${type}.jsonl`))).toBe(true);
    for (const entry of examples(type)) {
      expect(entry).toMatchObject({ type, id: expect.stringMatching(/^[0-9a-f]{8}$/) as string });
      expect(Date.parse(entry.timestamp)).toBeGreaterThan(0);
    }
  });

  it.each(ENTRY_TYPES)('%s is read and shown from its example', (type) => {
    expect(entryKind(type).type).toBe(type);
    for (const entry of examples(type)) {
      const { outline } = decode(`${JSON.stringify({ type: 'session', version: 3, id: 's' })}\n${JSON.stringify(entry)}\n`);
      expect(outline.rowCount).toBe(1);
      expect([outline.type(0), outline.has(0, 'unknownType'), outline.time(0)]).toEqual([
        type,
        false,
        Date.parse(entry.timestamp),
      ]);
      const items = itemsOf(entry);
      expect(items.length).toBeGreaterThan(0);
      for (const [block, item] of items.entries()) {
        expect(item).toMatchObject({ id: `x#${String(block)}`, entryId: 'x', row: 0, time: null });
        expect(TRANSCRIPT_KINDS).toContain(item.kind);
        expect(item.kind).not.toBe('unknown');
      }
    }
  });

  it.each(ENTRY_TYPES)('%s says why it is never sent, or can be', (type) => {
    const { neverSent, category } = entryKind(type);
    if (neverSent === null) expect(['message', 'summary']).toContain(category);
    else expect(REASON_CODES).toContain(neverSent);
  });

  it.each(ENTRY_TYPES)('%s has a row in the description of a format', (type) => {
    const pages = readdirSync(FORMATS).map((name) => readFileSync(path.join(FORMATS, name), 'utf8'));
    expect(pages.some((page) => page.includes(`| \`${type}\` |`))).toBe(true);
  });

  it('is what the fixtures are named after', () => {
    const names = readdirSync(FIXTURES).map((name) => path.basename(name, '.jsonl'));
    expect(names.filter((name) => !ENTRY_TYPES.includes(name))).toEqual([]);
  });
});

describe('every message role', () => {
  it('has an example among the fixtures', () => {
    const roles = examples('message').map((entry) => entry.message?.role);
    expect([...roles].sort()).toEqual([...MESSAGE_ROLES].sort());
  });

  it('shows something', () => {
    for (const entry of examples('message')) {
      const shown = JSON.stringify(itemsOf(entry));
      expect(shown.length, entry.message?.role).toBeGreaterThan(80);
    }
  });
});

describe('an unknown entry type', () => {
  it('is kept, and shown as what it is', () => {
    const entry = { type: 'from_the_future', id: 'a', parentId: null, timestamp: 'x', payload: { deep: [1] } };
    expect(entryKind('from_the_future').category).toBe('opaque');
    expect(itemsOf(entry)).toMatchObject([
      { kind: 'unknown', type: 'from_the_future', json: expect.stringContaining('"deep"') as string },
    ]);
  });

  it('of a name that every object has is unknown too', () => {
    for (const type of ['constructor', '__proto__', 'toString']) expect(entryKind(type).category).toBe('opaque');
  });
});
