import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { completeCut } from '../../src/discovery/cut-record.ts';

describe('completeCut', () => {
  it.each<[string, unknown, unknown]>([
    ['{"a":1,"b":"tex', { a: 1, b: 'tex' }, { a: 1 }],
    ['{"a":1,"b":"te\\', { a: 1, b: 'te' }, { a: 1 }],
    ['{"a":1,"b":"te\\u00', { a: 1, b: 'te' }, { a: 1 }],
    ['{"a":1,"b":"te\\u00e9', { a: 1, b: 'teé' }, { a: 1 }],
    ['{"a":1,"b":"te\\\\', { a: 1, b: 'te\\' }, { a: 1 }],
    ['{"a":1,"b":"say \\"', { a: 1, b: 'say "' }, { a: 1 }],
    ['{"a":1,"b":', { a: 1 }, { a: 1 }],
    ['{"a":1,"b', { a: 1 }, { a: 1 }],
    ['{"a":1,', { a: 1 }, { a: 1 }],
    // A figure may go on.
    ['{"a":1', {}, {}],
    ['{"a":tru', {}, {}],
    ['{"a":{"b":[1,{"c":"x', { a: { b: [1, { c: 'x' }] } }, { a: { b: [1, {}] } }],
    ['{"a":["x","y', { a: ['x', 'y'] }, { a: ['x'] }],
    ['{"a":1}', { a: 1 }, { a: 1 }],
    ['{"a":"} ] , : \\" {","b":2}', { a: '} ] , : " {', b: 2 }, { a: '} ] , : " {', b: 2 }],
    ['{', {}, {}],
    ['', null, null],
    ['[1,2', null, null],
    ['text', null, null],
    ['{"a":1}{"b":2', null, null],
    ['{"a" 1,', null, null],
    [']', null, null],
  ])('%s', (text, kept, dropped) => {
    expect(completeCut(text, 'keep')).toEqual(kept);
    expect(completeCut(text, 'drop')).toEqual(dropped);
  });

  it('answers a part of the object, wherever the cut is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (record, at) => {
        const text = JSON.stringify(record);
        const cut = text.slice(0, 1 + (at % text.length));
        const dropped = completeCut(cut, 'drop');
        expect(isPart(dropped, record, (part, whole) => part === whole)).toBe(true);
        const kept = completeCut(cut, 'keep');
        expect(isPart(kept, record, (part, whole) => part === whole || isBeginning(part, whole))).toBe(true);
      }),
    );
  });

  it('is fast on hostile nesting', () => {
    const deep = `{"a":${'['.repeat(30_000)}`;
    expect(completeCut(deep, 'drop')).not.toBeNull();
    expect(completeCut(`${deep}${']'.repeat(40_000)}`, 'drop')).toBeNull();
  });
});

function isBeginning(part: unknown, whole: unknown): boolean {
  return typeof part === 'string' && typeof whole === 'string' && whole.startsWith(part);
}

function isPart(part: unknown, whole: unknown, isLeaf: (part: unknown, whole: unknown) => boolean): boolean {
  if (typeof part !== 'object' || part === null) return isLeaf(part, whole);
  if (typeof whole !== 'object' || whole === null || Array.isArray(part) !== Array.isArray(whole)) return false;
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && isPart(value, (whole as Record<string, unknown>)[key], isLeaf),
  );
}
