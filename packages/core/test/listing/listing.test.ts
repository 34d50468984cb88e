import { describe, expect, it } from 'vitest';

import {
  lineageOf,
  liveness,
  SESSION_STATUSES,
  shapesFor,
  type ContextRules,
  type LineageSource,
  type Live,
  type SessionStatus,
} from '../../src/pure.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { sessionTitle } from '../../src/outline/summary.ts';
import { openRoot } from '../../src/store/roots.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

describe('liveness', () => {
  const NOW = Date.UTC(2026, 5, 1, 12);
  const second = 1000;
  const minute = 60 * second;

  it.each<[SessionStatus, number, Live | null]>([
    ['pending', 0, 'running'],
    ['pending', 2 * minute, 'running'],
    ['pending', 2 * minute + 1, 'paused'],
    ['interrupted', 30 * second, 'running'],
    ['interrupted', 60 * minute, 'paused'],
    ['interrupted', 60 * minute + 1, null],
    ['complete', 0, 'waiting'],
    ['complete', 15 * minute, 'waiting'],
    ['complete', 15 * minute + 1, null],
    ['aborted', minute, 'waiting'],
    ['error', minute, 'waiting'],
    ['unknown', 0, null],
    // The clock of a network drive runs ahead.
    ['pending', -10 * minute, 'running'],
    ['complete', -10 * minute, 'waiting'],
  ])('%s, written %d ms ago: %s', (status, age, expected) => {
    expect(liveness(status, NOW - age, NOW)).toBe(expected);
  });

  it('says nothing of a session that rests, however it ended', () => {
    expect(SESSION_STATUSES.map((status) => liveness(status, NOW - 86_400_000, NOW))).toEqual(SESSION_STATUSES.map(() => null));
  });
});

describe('sessionTitle', () => {
  const titleOf = (builder: SessionBuilder, rules: ContextRules): string | null => {
    const { decoder, outline } = decode(builder);
    return sessionTitle([outline], decoder.header, shapesFor(rules));
  };
  const compacted = (header: Record<string, unknown> = {}): SessionBuilder =>
    session(header)
      .user('go')
      .compaction('a long one', 'e1', { shortSummary: 'first' })
      .compaction('another', 'e1', { shortSummary: '  last\none ' });

  it.each<[string, SessionBuilder, ContextRules, string | null]>([
    // oh-my-pi.md 11: the title, else the last short summary of a compaction.
    ['musepi: the header', compacted({ title: 'Named' }), 'musepi', 'Named'],
    [
      'musepi: a rename where the header says nothing',
      compacted().entry('title_change', { title: 'Renamed' }),
      'musepi',
      'Renamed',
    ],
    ['musepi: the last short summary', compacted(), 'musepi', 'last one'],
    ['musepi: a compaction without one is no name', session().user('go').compaction('a long one', 'e1'), 'musepi', null],
    ['musepi: nor is a blank one', session().user('go').compaction('a long one', 'e1', { shortSummary: ' ' }), 'musepi', null],
    ['musepi: session_info is not its way', session().entry('session_info', { name: 'x' }), 'musepi', null],
    // pi.md 1.12: the last session_info of the file, trimmed; an empty one clears.
    [
      'pi: the last name',
      session().entry('session_info', { name: 'old' }).user('go').entry('session_info', { name: '  new\r\nname ' }),
      'pi',
      'new name',
    ],
    ['pi: on whatever branch', session().user('go').entry('session_info', { name: 'side' }).at('e1').user('on'), 'pi', 'side'],
    [
      'pi: cleared, though an older name exists',
      session().entry('session_info', { name: 'old' }).entry('session_info', { name: '  ' }),
      'pi',
      null,
    ],
    ['pi: short summaries are no names', compacted(), 'pi', null],
  ])('%s', (_, builder, rules, expected) => {
    expect(titleOf(builder, rules)).toBe(expected);
  });

  it('is the same from the ends of a large file', async () => {
    const large = session({ title: undefined }).user('go').compaction('s', 'e1', { shortSummary: 'early' });
    for (let i = 0; i < 200; i++) large.assistant('x'.repeat(1000));
    const disk = new MemoryDisk();
    disk.writeFile('/sessions/-app/early.jsonl', large.bytes(), 1);
    disk.writeFile('/sessions/-app/late.jsonl', large.compaction('s', 'e1', { shortSummary: 'late' }).bytes(), 1);
    const root = await openRoot({ path: '/sessions', dialect: 'musepi' }, disk);
    const titles = await Promise.all(
      (await root.scan()).sessions.map(async (file) => [file.relativePath, (await root.summarise(file)).title]),
    );
    expect(titles.sort()).toEqual([
      ['-app/early.jsonl', 'early'],
      ['-app/late.jsonl', 'late'],
    ]);
  });
});

describe('lineageOf', () => {
  const source = (key: string, over: Partial<LineageSource> = {}): LineageSource => ({
    key,
    rootId: 'r1',
    id: `id-${key}`,
    path: `/home/ann/sessions/-app/${key}.jsonl`,
    parentSession: null,
    ownerKey: null,
    ...over,
  });
  const parentOf = (child: LineageSource, ...others: LineageSource[]): string | null =>
    lineageOf([child, ...others]).get(child.key) ?? null;

  it.each<[string, string | null, string | null]>([
    ['by id', 'id-a', 'a'],
    ['by path', '/home/ann/sessions/-app/a.jsonl', 'a'],
    ['by a path of Windows', '\\home\\ann\\sessions\\-app\\a.jsonl', 'a'],
    ['by a path of another machine, when the name is there once', '/mnt/old/sessions/-app/a.jsonl', 'a'],
    ['by a bare file name', 'a.jsonl', 'a'],
    ['a file that has gone', '/home/ann/sessions/-app/gone.jsonl', null],
    ['an id that nobody has', 'id-gone', null],
    ['the beginning of an id is none', 'id', null],
    ['nothing', null, null],
    ['an empty text', '', null],
    ['itself', 'id-child', null],
  ])('%s', (_, parentSession, expected) => {
    expect(parentOf(source('child', { parentSession }), source('a'), source('b'))).toBe(expected);
  });

  it('the folder that it lies in says more than its header', () => {
    expect(parentOf(source('child', { parentSession: 'id-a', ownerKey: 'b' }), source('a'), source('b'))).toBe('b');
  });

  it('looks in its own root first, then anywhere', () => {
    const child = source('child', { rootId: 'r2', parentSession: 'id-a' });
    const copy = source('copy', { rootId: 'r2', id: 'id-a', path: '/copy/a.jsonl' });
    expect(parentOf(child, source('a'), copy)).toBe('copy');
    expect(parentOf(child, source('a'))).toBe('a');
  });

  it.each<[string, string, string | null]>([
    ['by its path before it was compressed', '/data/--app--/s1/session.jsonl', 's1'],
    ['by a path of another machine: its directory names it', '/mnt/old/--app--/s2/session.v3.jsonl', 's2'],
    ['another directory is another session', '/mnt/old/--app--/gone/session.jsonl.zstd', null],
    ['by an id that looks like a path', 'a/b.jsonl', 's2'],
  ])('in project directories: %s', (_, parentSession, expected) => {
    const one = source('s1', { path: '/data/--app--/s1/session.jsonl.zstd' });
    const two = source('s2', { path: '/data/--app--/s2/session.jsonl.zstd', id: 'a/b.jsonl' });
    expect(parentOf(source('child', { parentSession }), one, two)).toBe(expected);
  });

  it('a name that several files have is nobody’s', () => {
    const twins = ['x', 'y'].map((folder) => source(folder, { path: `/home/ann/sessions/-${folder}/same.jsonl` }));
    expect(parentOf(source('child', { parentSession: '/old/same.jsonl' }), ...twins)).toBeNull();
  });

  it('is null for sessions without an id that somebody means by an empty one', () => {
    expect(parentOf(source('child', { parentSession: '' }), source('a', { id: '' }), source('b', { id: null }))).toBeNull();
  });

  it('cuts circles at their first session', () => {
    const ring = ['a', 'b', 'c'].map((key, i) => source(key, { parentSession: `id-${'bca'[i]!}` }));
    expect(Object.fromEntries(lineageOf([source('d', { parentSession: 'id-a' }), ...ring]))).toEqual({
      d: 'a',
      a: null,
      b: 'c',
      c: 'a',
    });
  });

  it('walks a line of 50,000 forks', () => {
    const line = Array.from({ length: 50_000 }, (_, i) =>
      source(String(i), { parentSession: i === 0 ? null : `id-${String(i - 1)}` }),
    );
    expect(lineageOf(line.reverse()).get('49999')).toBe('49998');
  });
});
