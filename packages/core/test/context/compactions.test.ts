import { describe, expect, it } from 'vitest';

import { compactionFacts, type CompactionFacts } from '../../src/pure.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

function factsOf(build: SessionBuilder): CompactionFacts[] {
  return compactionFacts(decode(build).outline);
}

const stretch = (firstRow: number, lastRow: number, entries: number): object => ({ firstRow, lastRow, entries });
const NOTHING = stretch(-1, -1, 0);

describe('what a compaction folded and kept', () => {
  it('is nothing to say without one', () => {
    expect(factsOf(session().user('a'))).toEqual([]);
  });

  it('is the path before what it keeps, and that up to itself', () => {
    const [facts] = factsOf(session().user('1').user('2').user('3').user('4').compaction('s', 'e3').user('6'));
    expect(facts).toMatchObject({ row: 4, keptRow: 2, folded: stretch(0, 1, 2), kept: stretch(2, 3, 2) });
  });

  it.each([
    ['its own id', 'e3'],
    ['an id that is not there', 'nobody'],
    ['no id', undefined],
    ['an entry that comes after it', 'e4'],
  ])('is the whole path where it keeps from %s', (_, kept) => {
    const [facts] = factsOf(session().user('1').user('2').compaction('s', kept).user('4'));
    expect(facts).toMatchObject({ keptRow: -1, folded: stretch(0, 1, 2), kept: NOTHING });
  });

  it('is the whole path where the kept entry is on another branch', () => {
    const [facts] = factsOf(session().user('1').user('side').at('e1').user('3').compaction('s', 'e2'));
    expect(facts).toMatchObject({ keptRow: -1, folded: { firstRow: 0, lastRow: 2, entries: 2 }, kept: NOTHING });
  });

  it('does not count again what an earlier one folded', () => {
    const facts = factsOf(session().user('1').user('2').compaction('one', 'e2').user('4').user('5').compaction('two', 'e5'));
    expect(facts).toMatchObject([
      { row: 2, folded: stretch(0, 0, 1), kept: stretch(1, 1, 1) },
      { row: 5, folded: stretch(1, 3, 3), kept: stretch(4, 4, 1) },
    ]);
  });

  it('is nothing folded where a later one keeps more than the earlier one did', () => {
    const facts = factsOf(session().user('1').user('2').compaction('one', 'e2').user('4').compaction('two', 'e1'));
    expect(facts[1]).toMatchObject({ keptRow: 0, folded: NOTHING, kept: stretch(0, 3, 4) });
  });

  it('is told for each branch by its own path', () => {
    const facts = factsOf(session().user('1').user('2').compaction('one', 'e2').at('e2').user('4').compaction('two', 'e4'));
    expect(facts).toMatchObject([
      { row: 2, folded: stretch(0, 0, 1) },
      { row: 4, folded: stretch(0, 1, 2), kept: stretch(3, 3, 1) },
    ]);
  });

  it('adds up the estimates of its entries', () => {
    const [facts] = factsOf(session().user('x'.repeat(400)).user('y'.repeat(40)).user('z'.repeat(80)).compaction('s', 'e3'));
    expect([facts?.folded.tokens, facts?.kept.tokens]).toEqual([110, 20]);
  });
});
