import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { chooseRecent, type RecentFacts } from '../../src/discovery/choose-recent.ts';

const place = fc.constantFrom('/a', '/b', '/c');
const identity = fc.record({ dev: fc.constantFrom(1n, 2n), ino: fc.constantFrom(1n, 2n) });
const facts: fc.Arbitrary<RecentFacts> = fc.record({
  cwd: place,
  windows: fc.boolean(),
  identity: fc.option(identity),
  breadcrumb: fc.option(
    fc.record({ cwd: place, sessionFile: fc.constant('/s/crumb.jsonl'), fresh: fc.boolean(), identity: fc.option(identity) }),
  ),
  isFileMissing: fc.boolean(),
  target: fc.option(
    fc.record({ path: fc.constant('/s/crumb.jsonl'), cwd: fc.oneof(place, fc.constant('')), cwdExists: fc.boolean() }),
  ),
  crumbCwdExists: fc.boolean(),
  newestHere: fc.option(fc.constant('/s/newest.jsonl')),
});

describe('chooseRecent', () => {
  it('never takes the session of another project that is there', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const choice = chooseRecent(given);
        const { target, breadcrumb } = given;
        if (choice.kind === 'open' && choice.path === '/s/crumb.jsonl') {
          expect(breadcrumb!.cwd).toBe(given.cwd);
          expect(target!.cwd === '' || target!.cwd === given.cwd || !target!.cwdExists).toBe(true);
        }
        if (choice.kind === 'move') {
          expect(given.crumbCwdExists).toBe(false);
          expect(given.newestHere).toBeNull();
          expect(given.identity).toEqual(breadcrumb!.identity);
          expect(given.identity).not.toBeNull();
          expect(['', breadcrumb!.cwd]).toContain(target!.cwd);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('starts anew only where nothing is here, or that was asked for', () => {
    fc.assert(
      fc.property(facts, (given) => {
        if (chooseRecent(given).kind !== 'new' || given.newestHere === null) return;
        expect(given.breadcrumb!.fresh && given.isFileMissing).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('compares folders of Windows without regard to case (oh-my-pi complaint 16)', () => {
    const given: RecentFacts = {
      cwd: 'd:\\work\\pi',
      windows: true,
      identity: null,
      breadcrumb: { cwd: 'D:\\Work\\pi', sessionFile: 'x.jsonl', fresh: false, identity: null },
      isFileMissing: false,
      target: { path: 'x.jsonl', cwd: 'D:/work/PI', cwdExists: true },
      crumbCwdExists: true,
      newestHere: null,
    };
    expect(chooseRecent(given)).toEqual({ kind: 'open', path: 'x.jsonl' });
    expect(chooseRecent({ ...given, windows: false })).toEqual({ kind: 'new' });
  });
});
