import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import {
  foldedSegment,
  idOfSegment,
  logName,
  logsAmong,
  NO_CWD,
  plainSegment,
  projectKey,
  segmentsOf,
  sessionSegment,
} from '../../src/shapes/projects.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Worked by hand from the rule of DeepSeek Harness for project directories. */
const KEYS: readonly [cwd: string | undefined, key: string | null][] = [
  ['/Users/qyj/work/app', '--Users-qyj-work-app--'],
  ['C:\\work\\agent', '--C-work-agent--'],
  ['C:/work/agent', '--C-work-agent--'],
  ['c:\\Work', '--c-Work--'],
  ['/', '--root--'],
  ['//', '--root--'],
  ['-', '--root--'],
  ['---', '--root--'],
  ['/开发/~agent', '--~5F00~53D1-~007Eagent--'],
  ['/a/b-c', '--a-b-c--'],
  ['/a-b/c', '--a-b-c--'],
  ['/a/-b', '--a--b--'],
  ['/a/--b', '--a---b--'],
  ['///a//b///', '--a-b---'],
  ['/a/b/', '--a-b---'],
  ['\\\\server\\share\\p', '--server-share-p--'],
  ['\\\\?\\C:\\x', '--~003F-C-x--'],
  ['/home/u/my project', '--home-u-my~0020project--'],
  ['/tmp/😀', '--tmp-~D83D~DE00--'],
  ['/a/.', '--a-.--'],
  ['/a/..', '--a-..--'],
  ['/a/.hidden', '--a-.hidden--'],
  ['/a/b.', '--a-b.--'],
  ['/a/b ', '--a-b~0020--'],
  ['/home/CON', '--home-CON--'],
  ['C:\\nul', '--C-nul--'],
  ['~', '--~007E--'],
  ['/\u00e9', '--~00E9--'],
  ['/e\u0301', '--e~0301--'],
  ['/a%20b', '--a~002520b--'],
  ['/a@b+c=d,e', '--a~0040b~002Bc~003Dd~002Ce--'],
  [`/${'x'.repeat(1000)}`, `--${'x'.repeat(251)}--`],
  [`/${'开'.repeat(60)}`, `--${'~5F00'.repeat(50)}~--`],
  ['relative/dir', '--relative-dir--'],
  [undefined, NO_CWD],
  ['', null],
];

/** The same for the folders of sessions; the third column where ours is another name, which every file system takes. */
const SEGMENTS: readonly [id: string, plain: string, ours?: string][] = [
  ['plain-ID_1.2', 'plain-ID_1.2'],
  ['session-01989ed2-35b4-7d9e-b0a3-0e2d8b1f6a55', 'session-01989ed2-35b4-7d9e-b0a3-0e2d8b1f6a55'],
  ['a/b', 'a~002Fb'],
  ['../x', '..~002Fx'],
  ['/etc/passwd', '~002Fetc~002Fpasswd'],
  ['a\0b', 'a~0000b'],
  ['a~b', 'a~007Eb'],
  ['~002F', '~007E002F'],
  ['/', '~002F'],
  ['名', '~540D'],
  ['😀', '~D83D~DE00'],
  ['\ud800', '~D800'],
  ['\udc00', '~DC00'],
  ['.', '~002E'],
  ['..', '~002E~002E'],
  ['.a', '.a'],
  ['a b', 'a~0020b'],
  ['C:x', 'C~003Ax'],
  ['A', 'A'],
  ['a', 'a'],
  ['...', '...', '..~002E'],
  ['a.', 'a.', 'a~002E'],
  ['CON', 'CON', '~0043ON'],
  ['nul.txt', 'nul.txt', '~006Eul.txt'],
  ['com1.', 'com1.', 'com1~002E'],
  ['Lpt9', 'Lpt9', '~004Cpt9'],
  ['console', 'console'],
  ['a.con', 'a.con'],
];

describe('names of project directories', () => {
  it.each(KEYS)('the key of %j is %j', (cwd, key) => {
    expect(projectKey(cwd)).toBe(key);
    expect(Buffer.byteLength(key ?? '')).toBeLessThanOrEqual(255);
  });
});

describe('names of session directories', () => {
  it.each(SEGMENTS)('the id %j has %j', (id, plain, ours = plain) => {
    expect(plainSegment(id)).toBe(plain);
    expect(sessionSegment(id, sha256)).toBe(ours);
    expect(segmentsOf(id, sha256)[0]).toBe(ours);
    expect(segmentsOf(id, sha256)).toContain(plain);
    for (const name of [plain, ours, foldedSegment(id, sha256)]) expect(idOfSegment(name)).toBe(id);
  });

  it('an id that is too long has its beginning and its hash', () => {
    const id = 'n'.repeat(300);
    const name = sessionSegment(id, sha256);
    expect(name).toBe(`${'n'.repeat(189)}~~${sha256(id)}`);
    expect(name).toHaveLength(255);
    expect(idOfSegment(name)).toBeNull();
    // Names that no file system takes are not looked for.
    expect(segmentsOf(id, sha256).every((each) => each.length <= 255)).toBe(true);
    expect(sessionSegment(`${id}x`, sha256)).not.toBe(name);
    expect(sessionSegment('n'.repeat(255), sha256)).toBe('n'.repeat(255));
  });

  it('ids that differ in case alone can have different names on every disk', () => {
    const names = ['Ab', 'aB', 'ab', 'AB'].map((id) => foldedSegment(id, sha256).toLowerCase());
    expect(new Set([...names, 'ab']).size).toBe(5);
  });

  it.each(['a~', 'a~00e9', 'a~00E', 'a b', '', '.', '..', 'ä'])('%j is the name of no id', (segment) => {
    expect(idOfSegment(segment)).toBeNull();
  });
});

describe('names of logs', () => {
  it.each([
    ['session.jsonl', { version: 0, encoding: 'raw' }],
    ['session.jsonl.zstd', { version: 0, encoding: 'zstd' }],
    ['session.v1.jsonl', { version: 1, encoding: 'raw' }],
    ['session.v12.jsonl.zstd', { version: 12, encoding: 'zstd' }],
    ['session.v0.jsonl', null],
    ['session.V1.jsonl', null],
    ['session.v01.jsonl', null],
    ['session.v9007199254740993.jsonl', null],
    ['session.jsonl.zst', null],
    ['session.jsonl.zstd.0123456789ab.tmp', null],
    ['metadata.json', null],
  ])('%s', (name, expected) => {
    expect(logName(name)).toEqual(expected);
  });

  it.each([
    [[], []],
    [['README', 'session.lock'], []],
    [
      ['session.jsonl', 'session.jsonl.zstd'],
      ['session.jsonl', 'session.jsonl.zstd'],
    ],
    [['session.v2.jsonl.zstd', 'session.v10.jsonl', 'session.jsonl'], ['session.v10.jsonl']],
    [
      ['session.v3.jsonl.zstd', 'session.v03.jsonl', 'session.v3.jsonl', 'session.jsonl'],
      ['session.v3.jsonl', 'session.v3.jsonl.zstd'],
    ],
  ])('of %j the log is %j', (names, expected) => {
    expect(logsAmong(names)).toEqual(expected);
  });
});
