import { describe, expect, it } from 'vitest';

import { resolveLabels } from '../../src/pure.ts';
import { session } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

const v1 = { version: undefined };
const bare = { id: undefined, parentId: undefined };

describe('ids of version 1', () => {
  it('are record numbers as 8 hex digits, in a chain, and the same at every reading', () => {
    const build = session(v1);
    for (let i = 0; i < 20; i++) build.user(`text ${String(i)}`, bare);
    const { ids, parents, problems } = decode(build);
    expect(ids.slice(0, 2)).toEqual(['00000001', '00000002']);
    expect(ids.slice(-2)).toEqual(['00000013', '00000014']);
    expect(parents.slice(0, 3)).toEqual(['00000001: -', '00000002: 00000001', '00000003: 00000002']);
    expect(problems).toEqual([]);
    expect(decode(build).ids).toEqual(ids);
  });

  it('replace ids that such a file may hold', () => {
    const { ids, parents } = decode(session(v1).user('a', { id: 'own', parentId: 'nobody' }).user('b'));
    expect([ids, parents[1]]).toEqual([['00000001', '00000002'], '00000002: 00000001']);
  });

  it('turn the kept index of a compaction, the header being 0, into an id', () => {
    const { outline, problems } = decode(
      session(v1)
        .user('a', bare)
        .user('b', bare)
        .compaction('s', undefined, { ...bare, firstKeptEntryIndex: 2 })
        .user('c', bare),
    );
    expect([outline.kept(2), problems]).toEqual(['00000002', []]);
  });

  it.each([0, -1, 1.5, '2'])('know no kept entry for the index %j', (firstKeptEntryIndex) => {
    const { outline } = decode(
      session(v1)
        .user('a', bare)
        .compaction('s', undefined, { ...bare, firstKeptEntryIndex }),
    );
    expect(outline.kept(1)).toBeNull();
  });

  it('name a kept index behind the end', () => {
    const { problems } = decode(
      session(v1)
        .user('a', bare)
        .compaction('s', undefined, { ...bare, firstKeptEntryIndex: 99 }),
    );
    expect(problems).toEqual(['kept_entry_missing@3']);
  });
});

describe('ids without a header', () => {
  it('are those of the file where it has some, record numbers elsewhere', () => {
    const { ids, parents, problems } = decode(
      session(null).user('a', bare).user('b', { id: 'x', parentId: null }).user('c', bare),
    );
    expect(ids).toEqual(['00000001', 'x', '00000003']);
    expect(parents).toEqual(['00000001: -', 'x: -', '00000003: x']);
    expect(problems).toEqual(['header_missing@1']);
  });
});

describe('missing ids', () => {
  it.each([undefined, null, '', 7])('are made from the record number for %j, and named', (id) => {
    const { ids, parents, problems, outline } = decode(
      session().user('a').user('b', { id, parentId: 'e1' }).user('c', { parentId: 'e1' }),
    );
    expect(ids).toEqual(['e1', '00000002', 'e3']);
    expect(parents[1]).toBe('00000002: e1');
    expect(problems).toEqual(['missing_id@3']);
    expect(outline.has(1, 'generatedId')).toBe(true);
  });
});

describe('repeated ids', () => {
  const twice = session().user('first', { id: 'a' }).user('child', { id: 'b' }).user('second', { id: 'a', parentId: null });

  it('get ~2, ~3 in the outline, are named, and references mean the last one', () => {
    const { ids, parents, problems, outline } = decode(
      twice.at('a').user('third', { id: 'a', parentId: null }).user('later', { id: 'c' }),
    );
    expect(ids).toEqual(['a', 'b', 'a~2', 'a~3', 'c']);
    expect(parents).toEqual(['a: -', 'b: a~3', 'a~2: -', 'a~3: -', 'c: a~3']);
    expect(problems).toEqual(['duplicate_id@4', 'duplicate_id@5']);
    expect([outline.resolve('a'), outline.rowOf('a'), outline.rowOf('a~2'), outline.resolve('nobody')]).toEqual([3, 0, 2, -1]);
    expect([outline.has(0, 'duplicateId'), outline.has(2, 'duplicateId')]).toEqual([false, true]);
  });

  it('decide what labels and compactions are about', () => {
    const { outline } = decode(session().user('1', { id: 'a' }).user('2', { id: 'a' }).label('a', 'here').compaction('s', 'a'));
    expect([...resolveLabels(outline).keys()]).toEqual([1]);
    expect(outline.resolve(outline.kept(3) ?? '')).toBe(1);
  });

  it('do not clash with an id that looks like a made one', () => {
    const { ids } = decode(
      session().user('1', { id: 'a' }).user('2', { id: 'a~2' }).user('3', { id: 'a' }).user('4', { id: 'a~2' }),
    );
    expect(ids).toEqual(['a', 'a~2', 'a~3', 'a~2~2']);
    expect(new Set(ids).size).toBe(4);
  });

  it('take an entry that is its own parent for a cycle of its first and second record', () => {
    const { parents, problems } = decode(session().user('1', { id: 'a', parentId: null }).user('2', { id: 'a', parentId: 'a' }));
    expect(parents).toEqual(['a: -', 'a~2: -']);
    expect(problems).toContain('parent_cycle@3');
  });

  it('cost a constant each: looking for a free number from 2 on would take minutes here', { timeout: 10_000 }, () => {
    const line = '{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"x"}}\n';
    const { outline } = decode(`${session().text()}${line.repeat(60_000)}`);
    expect(outline.id(59_999)).toBe('a~60000');
  });
});

describe('parents', () => {
  it('that stand later in the file are found', () => {
    const { parents, problems } = decode(
      session()
        .user('c', { id: 'c', parentId: 'b' })
        .user('b', { id: 'b', parentId: 'a' })
        .user('a', { id: 'a', parentId: null }),
    );
    expect([parents, problems]).toEqual([['c: b', 'b: a', 'a: -'], []]);
  });

  it('that are not there make roots, and are named', () => {
    const { parents, problems, outline } = decode(session().user('a', { parentId: 'nobody' }).user('b'));
    expect([parents, problems]).toEqual([['e1: -', 'e2: e1'], ['missing_parent@2']]);
    expect(outline.has(0, 'orphan')).toBe(true);
  });

  it.each([null, '', undefined, 5])('given as %j make roots without a word', (parentId) => {
    const { parents, problems } = decode(
      session()
        .user('a')
        .raw(JSON.stringify({ type: 'custom', id: 'x', parentId })),
    );
    expect([parents[1], problems]).toEqual(['x: -', []]);
  });

  it('that are the entry itself are cut', () => {
    const { parents, problems, outline } = decode(session().user('a', { id: 'a', parentId: 'a' }).user('b', { id: 'b' }));
    expect([parents, problems]).toEqual([['a: -', 'b: a'], ['parent_cycle@2']]);
    expect([outline.has(0, 'cycleCut'), outline.cutParent(0), outline.hasCuts]).toEqual([true, 0, true]);
  });

  it('in a circle are cut at the first entry of the file', () => {
    const { parents, problems, outline } = decode(
      session()
        .user('1', { id: 'x', parentId: 'z' })
        .user('2', { id: 'y', parentId: 'x' })
        .user('3', { id: 'z', parentId: 'y' })
        .user('4', { id: 'tail', parentId: 'y' }),
    );
    expect([parents, problems]).toEqual([['x: -', 'y: x', 'z: y', 'tail: y'], ['parent_cycle@2']]);
    expect(outline.cutParent(0)).toBe(2);
  });
});
