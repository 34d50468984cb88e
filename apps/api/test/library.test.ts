import { SessionStoreError } from '@stemma/core';
import { describe, expect, it } from 'vitest';

import { Library } from '../src/library/library.ts';
import { countedOf, fakeRoot, sessionFile as file, sliceSummary } from './fakes.ts';

function setUp() {
  const { root, state } = fakeRoot();
  let now = 1_000_000;
  const library = new Library({ roots: [{ root, demo: false, home: '' }], now: () => now });
  const keys = (): string[] => [...library.rows.values()].map(({ row }) => row.key).sort();
  return { library, state, read: state.read, keys, pass: (ms: number) => (now += ms) };
}

describe('a scan', () => {
  it('reads slices of new and changed files only', async () => {
    const { library, state, read } = setUp();
    state.files = [file('a'), file('b')];
    await library.scan();
    await library.scan();
    expect(read.sort()).toEqual(['a', 'b']);
    state.files = [file('a'), file('b', { fingerprint: 'f2' }), file('c')];
    await library.scan();
    expect(read.slice(2).sort()).toEqual(['b', 'c']);
  });

  it('forgets what has gone', async () => {
    const { library, state, keys } = setUp();
    state.files = [file('a'), file('b')];
    await library.scan();
    state.files = [file('b')];
    await library.scan();
    expect(keys()).toEqual(['b']);
  });

  it('keeps what it knew when a root cannot be listed, and says so', async () => {
    const { library, state, keys } = setUp();
    state.files = [file('a')];
    await library.scan();
    state.failing = true;
    await library.scan();
    expect(keys()).toEqual(['a']);
    expect(library.rootRows()[0]!.problems).toMatchObject([{ code: 'unreadable', path: '/r1' }]);
    state.failing = false;
    await library.scan();
    expect(library.rootRows()[0]!.problems).toEqual([]);
  });

  it('lets one bad file hide no other, and looks at it again', async () => {
    const { library, state, keys, read } = setUp();
    state.files = [file('bad'), file('none'), file('good')];
    state.slices['bad'] = () => {
      throw new SessionStoreError('storage_io', 'EACCES', { errno: 'EACCES' });
    };
    state.slices['none'] = () => sliceSummary({ isSession: false });
    await library.scan();
    expect(keys()).toEqual(['good']);
    expect(
      library
        .rootRows()[0]!
        .problems.map(({ code, path }) => [code, path])
        .sort(),
    ).toEqual([
      ['not_a_session', '/r1/none'],
      ['unreadable', '/r1/bad'],
    ]);
    delete state.slices['bad'];
    read.length = 0;
    await library.scan();
    expect(read).toEqual(['bad']);
    expect(keys()).toEqual(['bad', 'good']);
  });

  it('joins those who ask while it runs', async () => {
    const { library, state } = setUp();
    await Promise.all([library.scan(), library.scan(), library.freshen()]);
    expect(state.scans).toBe(1);
  });

  it('is repeated behind a page when the last one is some seconds old', async () => {
    const { library, state, pass } = setUp();
    await library.scan();
    await library.freshen();
    expect(state.scans).toBe(1);
    pass(6_000);
    await library.freshen();
    expect(state.scans).toBe(2);
  });

  it('finds a session that has come since', async () => {
    const { library, state, pass } = setUp();
    await library.scan();
    state.files = [file('new')];
    pass(6_000);
    expect((await library.find('new'))?.row.key).toBe('new');
    expect(await library.find('nope')).toBeUndefined();
  });

  it('names the parents of sub-sessions', async () => {
    const { library, state } = setUp();
    state.files = [
      file('k2', { relativePath: 'p/sub.jsonl', parentRelativePath: 'p.jsonl' }),
      file('k1', { relativePath: 'p.jsonl' }),
    ];
    await library.scan();
    expect(library.rows.get('k2')!.row.parentKey).toBe('k1');
    expect(library.rows.get('k1')!.row.parentKey).toBeNull();
  });
});

describe('counts', () => {
  it('stay while a file grows, until it is counted again', async () => {
    const { library, state } = setUp();
    state.files = [file('a')];
    await library.scan();
    expect(library.rows.get('a')!.row.entryCount).toBeNull();
    library.rows.setCounts('a', 'f1', countedOf(7), 0);
    expect(library.rows.get('a')!).toMatchObject({ countedAt: 'f1', row: { entryCount: 7 } });
    state.files = [file('a', { fingerprint: 'f2', sizeBytes: 1_500 })];
    await library.scan();
    expect(library.rows.get('a')!).toMatchObject({ countedAt: 'f1', row: { entryCount: 7, sizeBytes: 1_500 } });
  });

  it('are void when a file has become smaller', async () => {
    const { library, state } = setUp();
    state.files = [file('a')];
    await library.scan();
    library.rows.setCounts('a', 'f1', countedOf(7), 0);
    state.files = [file('a', { fingerprint: 'f2', sizeBytes: 50 })];
    await library.scan();
    expect(library.rows.get('a')!).toMatchObject({ countedAt: null, row: { entryCount: null } });
  });

  it('are there at once where slices are the whole file', async () => {
    const { library, state } = setUp();
    state.files = [file('a')];
    state.slices['a'] = () => sliceSummary({ whole: true, entryCount: 3 });
    await library.scan();
    expect(library.rows.get('a')!).toMatchObject({ countedAt: 'f1', row: { entryCount: 3, problemCount: 0, labelCount: 0 } });
  });

  it('show that a file is no session after all', async () => {
    const { library, state } = setUp();
    state.files = [file('a')];
    await library.scan();
    library.rows.setCounts('a', 'f1', countedOf(0, { isSession: false }), 0);
    expect(library.rows.get('a')).toBeUndefined();
    expect(library.rootRows()[0]!.problems).toMatchObject([{ code: 'not_a_session', path: '/r1/a' }]);
    await library.scan();
    expect(state.read).toEqual(['a']);
  });
});
