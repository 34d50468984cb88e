import { describe, expect, it } from 'vitest';

import { SessionDecoder } from '../../src/pure.ts';
import { session } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

const HEADER = { type: 'session', version: 3, id: 'h', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' };

function slot(fields: Record<string, unknown>): string {
  return JSON.stringify({ type: 'title', v: 1, title: 'Slot', updatedAt: '2026-01-01T00:00:00.000Z', pad: '  ', ...fields });
}

describe('the header', () => {
  it('is the first record with type session and a string id; unknown fields are kept', () => {
    const { decoder, problems } = decode(session({ id: 'x', later: { a: 1 } }).user('hi'));
    expect(decoder.header).toMatchObject({ id: 'x', cwd: '/home/ann/app', version: 3, later: { a: 1 } });
    expect(problems).toEqual([]);
  });

  it.each([{ id: 5 }, { id: undefined }, { type: 'sessions' }])('is missing where it has %j', (fields) => {
    const { decoder, problems, ids } = decode(session({ ...HEADER, ...fields }).user('hi'));
    expect(decoder.header).toBeNull();
    expect(problems[0]).toBe('header_missing@1');
    expect(ids.at(-1)).toBe('e1');
  });

  it('needs nothing else: other versions, wrong cwd and no time are accepted', () => {
    const { decoder, problems } = decode('{"type":"session","id":"","cwd":5}\n');
    expect(decoder.header).toEqual({ type: 'session', id: '', cwd: 5 });
    expect(problems).toEqual([]);
  });

  it('may stand behind blank and damaged lines', () => {
    const { decoder, problems, ids } = decode(`\n   \nnot json\n${session().user('hi').text()}`);
    expect(decoder.header?.id).toBe('session-1');
    expect([problems, ids]).toEqual([['bad_json@3'], ['e1']]);
  });

  it('is the first one where there are two; entries of both are read', () => {
    const text = `${session({ id: 'one' }).user('a').text()}${session({ id: 'two' }).user('b', { id: 'x' }).text()}`;
    const { decoder, problems, ids } = decode(text);
    expect(decoder.header?.id).toBe('one');
    expect([problems, ids]).toEqual([['header_repeated@3'], ['e1', 'x']]);
  });

  it('may come late: entries before it are read, and it is kept', () => {
    const late = session(null).user('a').raw(JSON.stringify(HEADER)).user('b');
    const { decoder, problems, ids } = decode(late);
    expect(decoder.header?.id).toBe('h');
    expect([problems, ids]).toEqual([['header_missing@1'], ['e1', 'e2']]);
  });

  it('of a newer version is read and named', () => {
    const { decoder, problems, ids } = decode(session({ version: 99 }).user('a'));
    expect([decoder.version, problems, ids]).toEqual([99, ['newer_version@1'], ['e1']]);
  });

  it('counts as version 1 without a figure', () => {
    for (const version of [undefined, null, '3']) expect(decode(session({ version }).user('a')).decoder.version).toBe(1);
  });
});

describe('the title line', () => {
  const titleOf = (line: string, header: Record<string, unknown> = {}): unknown => {
    const { decoder } = decode(`${line}\n${JSON.stringify({ ...HEADER, ...header })}\n`);
    return [decoder.header?.title, decoder.header?.titleSource];
  };

  it('gives the header its title and source', () => {
    expect(titleOf(slot({ source: 'user' }))).toEqual(['Slot', 'user']);
    expect(titleOf(slot({}), { title: 'Header', titleSource: 'auto' })).toEqual(['Slot', undefined]);
  });

  it('takes the title away where it is empty', () => {
    expect(titleOf(slot({ title: '' }), { title: 'Header' })).toEqual([undefined, undefined]);
  });

  it('may lack its time and padding', () => {
    expect(titleOf('{"type":"title","v":1,"title":"T"}')).toEqual(['T', undefined]);
  });

  it.each([{ v: 2 }, { title: 5 }, { source: 'robot' }, { pad: 3 }])(
    'is none with %j, and then no header stands first',
    (fields) => {
      const { decoder, problems } = decode(`${slot(fields)}\n${JSON.stringify(HEADER)}\n`);
      expect(problems).toEqual(['header_missing@1']);
      // The record is an entry of an unknown type, and the header behind it is still found.
      expect([decoder.outline.rowCount, decoder.outline.type(0), decoder.header?.id]).toEqual([1, 'title', 'h']);
    },
  );

  it('counts once only, and only before the header', () => {
    const { outline, problems } = decode(`${slot({})}\n${JSON.stringify(HEADER)}\n${slot({ title: 'Two' })}\n`);
    expect([outline.rowCount, outline.type(0), problems]).toEqual([1, 'title', ['missing_id@3']]);
  });
});

describe('records that are no entries', () => {
  it('are named, and cost only themselves', () => {
    const { ids, problems } = decode(session().user('a').raw('{"no":"type"}').raw('{"type":7,"id":"x"}').raw('[]').user('b'));
    expect(ids).toEqual(['e1', 'e2']);
    expect(problems).toEqual(['missing_type@3', 'missing_type@4', 'not_an_object@5']);
  });
});

describe('growing', () => {
  const all = session().user('a').assistant('b').at('e1').user('c').bytes();

  it('says that nothing changed while lines are only appended', () => {
    const decoder = new SessionDecoder();
    decoder.push(all.subarray(0, 300));
    expect(decoder.settle()).toEqual({ changed: false });
    decoder.push(all.subarray(300));
    expect(decoder.settle()).toEqual({ changed: false });
    expect(decoder.problems).toEqual([]);
  });

  it('says so where a later entry takes over the id of an earlier one that has children', () => {
    const decoder = new SessionDecoder();
    decoder.push(session().user('a').assistant('b').bytes());
    expect(decoder.settle().changed).toBe(false);
    decoder.push(session(null).user('again', { id: 'e1' }).bytes());
    expect(decoder.settle().changed).toBe(true);
    expect(decoder.outline.parent(1)).toBe(2);
  });

  it('says so where an entry turns up that others waited for', () => {
    const decoder = new SessionDecoder();
    decoder.push(session().user('a', { id: 'a', parentId: 'late' }).bytes());
    decoder.settle();
    expect(decoder.problems).toMatchObject([{ code: 'missing_parent', entryId: 'a' }]);
    decoder.push(session(null).user('late', { id: 'late' }).bytes());
    expect(decoder.settle().changed).toBe(true);
    expect(decoder.problems).toEqual([]);
    expect([decoder.outline.parent(0), decoder.outline.has(0, 'orphan')]).toEqual([1, false]);
  });

  it('forgets the problem of a torn line once the line is complete', () => {
    const decoder = new SessionDecoder();
    decoder.push(all.subarray(0, all.length - 20));
    decoder.settle();
    expect(decoder.problems).toMatchObject([{ code: 'torn_tail' }]);
    decoder.push(all.subarray(all.length - 20));
    decoder.settle();
    expect([decoder.problems, decoder.outline.rowCount]).toEqual([[], 3]);
  });

  it('tells every entry as it is stored, with its row', () => {
    const told: [unknown, number][] = [];
    const decoder = new SessionDecoder({ onEntry: (value, row) => told.push([value['id'], row]) });
    decoder.push(all);
    expect(told).toEqual([
      ['e1', 0],
      ['e2', 1],
      ['e3', 2],
    ]);
  });
});

describe('very many problems', () => {
  it('are counted; the first ones are kept', () => {
    const { decoder } = decode(`${session().text()}${'x\n'.repeat(5000)}`);
    expect(decoder.problemsTotal).toBe(5000);
    // The last lines are held back as long as they may be the beginning of one record.
    expect(decoder.problems.length).toBeLessThanOrEqual(2016);
    expect(decoder.problems[1999]?.line).toBe(2001);
  });
});
