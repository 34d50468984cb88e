import { describe, expect, it } from 'vitest';

import {
  migrateSessionEntries,
  parseSessionEntries,
  SessionContentDecoder,
  type FileEntry,
  type SessionContent,
} from '../../src/pure.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';

const bare = { id: undefined, parentId: undefined };

function old(): SessionBuilder {
  return session({ version: undefined })
    .message('hookMessage', { ...bare, customType: 'memo', content: 'note' })
    .user('one', bare)
    .compaction('s', undefined, { ...bare, firstKeptEntryIndex: 2 })
    .assistant('two', bare);
}

function read(build: SessionBuilder): SessionContent {
  const decoder = new SessionContentDecoder();
  decoder.push(build.bytes());
  return decoder.finish();
}

function migrate(build: SessionBuilder): FileEntry[] {
  return migrateSessionEntries(parseSessionEntries(build.text())).entries;
}

describe('migration', () => {
  it('leaves what it is given as it is', () => {
    const entries = parseSessionEntries(old().text());
    const before = structuredClone(entries);
    const frozen = Object.freeze(entries.map((entry) => Object.freeze(entry))) as FileEntry[];
    expect(migrateSessionEntries(frozen).migrated).toBe(true);
    expect(entries).toEqual(before);
  });

  it('gives a new array even where nothing is to be done', () => {
    const entries = parseSessionEntries(session().user('a').text());
    const result = migrateSessionEntries(entries);
    expect(result).toEqual({ entries, migrated: false });
    expect(result.entries).not.toBe(entries);
  });

  it('done twice changes nothing more', () => {
    const once = migrateSessionEntries(parseSessionEntries(old().text())).entries;
    expect(migrateSessionEntries(once)).toEqual({ entries: once, migrated: false });
  });

  it('of nothing is nothing', () => {
    expect(migrateSessionEntries([])).toMatchObject({ entries: [] });
  });

  it('gives what the reader answers', () => {
    expect(migrate(old()).slice(1)).toEqual(read(old()).entries);
  });

  it('gives what the reader answers also with damaged and blank lines between', () => {
    const build = session({ version: 1 })
      .user('a', bare)
      .raw('')
      .raw('damaged')
      .user('b', bare)
      .compaction('s', undefined, { ...bare, firstKeptEntryIndex: 2 });
    const { entries } = read(build);
    expect(entries.map((entry) => entry.id)).toEqual(['00000001', '00000002', '00000003']);
    expect(entries[2]).toMatchObject({ firstKeptEntryId: '00000002' });
    expect(migrate(build).slice(1)).toEqual(entries);
  });

  it('numbers entries only: neither records without a type nor second headers count, as in the reader', () => {
    const build = session({ version: 1 })
      .user('a', bare)
      .raw('{"no":"type"}')
      .raw('{"type":"session","id":"again"}')
      .user('b', bare);
    expect(migrate(build).slice(1)).toEqual(read(build).entries);
  });
});

describe('reading with bodies', () => {
  it('keeps every field of every entry of the current version', () => {
    const build = session({ later: true })
      .user('a')
      .entry('odd', { deep: { list: [1, null] } })
      .label('e1', 'x');
    const { header, entries, problems } = read(build);
    expect(entries).toEqual(build.entries());
    expect([header?.['later'], problems]).toEqual([true, []]);
  });

  it('keeps a parent that is not there as it is stated', () => {
    expect(read(session().user('a', { parentId: 'nobody' })).entries[0]?.parentId).toBe('nobody');
  });

  it('parses no entries where the file does not begin with a header', () => {
    for (const build of [session(null).user('a'), session({ id: 5 }).user('a')])
      expect(parseSessionEntries(build.text())).toEqual([]);
  });

  it('parses no second header and no record without a type for entries', () => {
    const build = session().user('a').raw('{"no":"type"}').raw('{"type":"session","id":"again"}').user('b');
    expect(parseSessionEntries(build.text()).map((entry) => entry.type)).toEqual(['session', 'message', 'message']);
  });
});
