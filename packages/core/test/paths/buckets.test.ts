import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import type { Disk } from '../../src/disk/disk.ts';
import { lookBucket, lookBuckets, writeBucket } from '../../src/paths/buckets.ts';
import { absoluteBucket, type PathFacts } from '../../src/shapes/buckets.ts';
import { shapesFor } from '../../src/shapes/registry.ts';
import { lockPath } from '../../src/storage/owner-lock.ts';

const SESSIONS = '/agent/sessions';
const facts: PathFacts = { home: '/home/ann', temp: '/tmp', windows: false };
const musepi = shapesFor('musepi');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const header = (cwd?: string): string => `${JSON.stringify({ type: 'session', version: 3, id: 'x', cwd })}\n`;

/** A disk with these files below the sessions folder. */
function diskWith(files: Record<string, string>): MemoryDisk {
  const disk = new MemoryDisk();
  disk.mkdirSync(SESSIONS);
  for (const [name, text] of Object.entries(files)) disk.writeFile(`${SESSIONS}/${name}`, new TextEncoder().encode(text));
  return disk;
}

/** All files and empty folders below the sessions folder. */
function tree(disk: Disk, folder = SESSIONS): string[] {
  return disk
    .readdirSync(folder)
    .flatMap(({ name, kind }) => {
      const at = `${folder}/${name}`;
      const inner = kind === 'directory' ? tree(disk, at) : [];
      return inner.length > 0 ? inner : [at.slice(SESSIONS.length + 1)];
    })
    .sort();
}

const write = (disk: Disk, cwd: string): string => writeBucket(SESSIONS, cwd, { disk, shapes: musepi, facts });

/** oh-my-pi.md 4 and worked cases 2 to 4, 7, 8. */
describe('the folder for the sessions of a working directory', () => {
  it.each([
    ['/home/ann', '-'],
    ['/home/ann/src/app', '-src-app'],
    ['/home/ann/src-app', '-src-app'],
    ['/tmp', '-tmp'],
    ['/tmp/foo', '-tmp-foo'],
    ['/srv/x', '--srv-x--'],
  ])('%s', (cwd, name) => {
    const disk = new MemoryDisk();
    const options = { disk, shapes: musepi, facts };
    expect(lookBucket(SESSIONS, cwd, options)).toBe(`${SESSIONS}/${name}`);
    expect(() => disk.statSync('/agent')).toThrow('ENOENT');
    expect(write(disk, cwd)).toBe(`${SESSIONS}/${name}`);
    expect(disk.statSync(`${SESSIONS}/${name}`)).toMatchObject({ kind: 'directory' });
  });

  it('is one for all names of a folder (worked case 6)', () => {
    const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'stemma-buckets-')));
    onTestFinished(() => rmSync(base, { recursive: true }));
    for (const folder of ['home/real', 'sessions']) mkdirSync(path.join(base, folder), { recursive: true });
    symlinkSync(path.join(base, 'home/real'), path.join(base, 'alias'));
    symlinkSync(path.join(base, 'home'), path.join(base, 'other-home'));
    const sessions = path.join(base, 'sessions');
    const options = {
      disk: new NodeDisk(),
      shapes: musepi,
      facts: { home: path.join(base, 'other-home'), temp: '/nowhere', windows: false },
    };
    const bucket = path.join(sessions, '-real');
    for (const cwd of ['alias', 'home/real', 'home/../alias/.'])
      expect(lookBucket(sessions, path.join(base, cwd), options)).toBe(bucket);
    expect(writeBucket(sessions, path.join(base, 'alias'), options)).toBe(bucket);
    expect(statSync(bucket).mode & 0o777).toBe(0o700);
  });

  it('may have had other names', () => {
    const options = { disk: new MemoryDisk(), shapes: musepi, facts };
    expect(lookBuckets(SESSIONS, '/tmp/my repo', options)).toEqual(
      ['-tmp-my repo', `tmp-my-repo-${sha256('/tmp/my repo')}`, '--tmp-my repo--'].map((name) => `${SESSIONS}/${name}`),
    );
    expect(lookBuckets(SESSIONS, '/tmp/---', options)[1]).toBe(`${SESSIONS}/tmp-project-${sha256('/tmp/---')}`);
    expect(lookBuckets(SESSIONS, '/', options)[1]).toBe(`${SESSIONS}/abs-project-${sha256('/')}`);
    expect(lookBuckets(SESSIONS, '/home/ann', options)[1]).toBe(`${SESSIONS}/home-ann-${sha256('/home/ann')}`);
    expect(lookBuckets(SESSIONS, '/home/ann', { ...options, shapes: shapesFor('pi') })).toEqual([`${SESSIONS}/--home-ann--`]);
  });
});

describe('folders of earlier versions', () => {
  const hashed = `tmp-foo-${sha256('/tmp/foo')}`;

  it.each<[string, string, Record<string, string>, string[]]>([
    [
      'an absolute name (worked case 7)',
      '/tmp/foo',
      { '--tmp-foo--/carried.jsonl': header('/tmp/foo') },
      ['-tmp-foo/carried.jsonl'],
    ],
    [
      'sessions that do not say where they belong',
      '/tmp/foo',
      { '--tmp-foo--/carried.jsonl': '{}\n' },
      ['-tmp-foo/carried.jsonl'],
    ],
    ['a hashed name (worked case 8)', '/tmp/foo', { [`${hashed}/stranded.jsonl`]: 'x' }, ['-tmp-foo/stranded.jsonl']],
    [
      'all at once; what is of a session goes along, a name that is taken stays with all its own',
      '/tmp/foo',
      {
        [`${hashed}/a.jsonl`]: header('/elsewhere'),
        [`${hashed}/a/0.read.log`]: '',
        [`${hashed}/b.jsonl`]: 'old',
        [`${hashed}/b/0.read.log`]: 'old',
        [`${hashed}/note.txt`]: '',
        '--tmp-foo--/c.jsonl': header('/tmp/foo'),
        '--tmp-foo--/c.jsonl.before-01234567': 'c',
        '-tmp-foo/b.jsonl': 'new',
      },
      [
        ...[
          '-tmp-foo/a.jsonl',
          '-tmp-foo/a/0.read.log',
          '-tmp-foo/b.jsonl',
          '-tmp-foo/c.jsonl',
          '-tmp-foo/c.jsonl.before-01234567',
        ],
        ...['-tmp-foo/note.txt', `${hashed}/b.jsonl`, `${hashed}/b/0.read.log`],
      ],
    ],
    [
      'sessions of another folder with the same name stay, and so does what nobody claims',
      '/tmp/foo',
      {
        '--tmp-foo--/mine.jsonl': header('/tmp/foo'),
        '--tmp-foo--/mine/x': '',
        '--tmp-foo--/theirs.jsonl': header('/tmp-foo'),
        '--tmp-foo--/silent.jsonl': header(),
        '--tmp-foo--/note': '',
      },
      ['--tmp-foo--/note', '--tmp-foo--/silent.jsonl', '--tmp-foo--/theirs.jsonl', '-tmp-foo/mine.jsonl', '-tmp-foo/mine/x'],
    ],
    [
      'other buckets of the home folder',
      '/srv/x',
      {
        '--home-ann--/a.jsonl': header('/home/ann'),
        '--home-ann-src-app--/b.jsonl': header('/home/ann/src/app'),
        '--home-ann-lee-x--/c.jsonl': header('/home/ann-lee/x'),
        '--home-ann-none--/d.jsonl': header(),
        '--home-ann-empty--/note': '',
        '--home-anna-x--/e.jsonl': header('/home/anna/x'),
        '--home-ann-moved--/f.jsonl': header('/home/ann/else'),
      },
      [
        ...['--home-ann-empty--/note', '--home-ann-lee-x--/c.jsonl', '--home-ann-moved--/f.jsonl', '--home-ann-none--/d.jsonl'],
        ...['--home-anna-x--/e.jsonl', '--srv-x--', '-/a.jsonl', '-src-app/b.jsonl'],
      ],
    ],
  ])('%s', (_, cwd, files, expected) => {
    const disk = diskWith(files);
    write(disk, cwd);
    expect(tree(disk)).toEqual(expected);
    const read = (at: string): number => disk.statSync(`${SESSIONS}/${at}`).size;
    if (files['-tmp-foo/b.jsonl'] !== undefined)
      expect([read('-tmp-foo/b.jsonl'), read(`${hashed}/b/0.read.log`)]).toEqual([3, 3]);
  });

  it('both halves of a mixed bucket find their way, whoever comes first', () => {
    const files = {
      '--home-ann-lee-x--/c.jsonl': header('/home/ann-lee/x'),
      '--home-ann-lee-x--/d.jsonl': header('/home/ann/lee/x'),
    };
    const disk = diskWith(files);
    write(disk, '/home/ann-lee/x');
    expect(tree(disk)).toEqual(['--home-ann-lee-x--/c.jsonl', '-lee-x/d.jsonl']);
    write(disk, '/home/ann/lee/x');
    expect(tree(disk)).toEqual(['--home-ann-lee-x--/c.jsonl', '-lee-x/d.jsonl']);
  });

  it('keep sessions with a relative working directory: nobody knows where that is', () => {
    const here = process.cwd();
    const bucket = absoluteBucket(`${here}/relative`);
    const disk = diskWith({ [`${bucket}/a.jsonl`]: header('relative') });
    writeBucket(SESSIONS, '/srv/x', { disk, shapes: musepi, facts: { ...facts, home: here } });
    expect(tree(disk)).toEqual([`${bucket}/a.jsonl`, '--srv-x--'].sort());
  });

  it('keep what somebody has open', () => {
    const disk = diskWith({ '--tmp-foo--/a.jsonl': header('/tmp/foo'), '--tmp-foo--/b.jsonl': header('/tmp/foo') });
    disk.writeFile(lockPath(`${SESSIONS}/--tmp-foo--/a.jsonl`), new Uint8Array(1));
    write(disk, '/tmp/foo');
    expect(tree(disk)).toEqual(['--tmp-foo--/.a.jsonl.owner', '--tmp-foo--/a.jsonl', '-tmp-foo/b.jsonl']);
  });

  it('are left alone by looking, and by dialects that never had them', () => {
    const disk = diskWith({ '--tmp-foo--/a.jsonl': header('/tmp/foo') });
    lookBuckets(SESSIONS, '/tmp/foo', { disk, shapes: musepi, facts });
    writeBucket(SESSIONS, '/tmp/bar', { disk, shapes: shapesFor('pi'), facts });
    expect(tree(disk)).toEqual(['--tmp-bar--', '--tmp-foo--/a.jsonl']);
  });

  it('a file that has the name of the folder is kept under another', () => {
    const disk = diskWith({ '-tmp-foo': 'what?', '--tmp-foo--/a.jsonl': header('/tmp/foo') });
    write(disk, '/tmp/foo');
    expect(tree(disk)).toEqual([`-tmp-foo.damaged-${sha256('what?').slice(0, 8)}`, '-tmp-foo/a.jsonl']);
  });

  it('lose nothing whatever the disk refuses, and say so', () => {
    const files = {
      '--tmp-foo--/a.jsonl': header('/tmp/foo'),
      '--tmp-foo--/a/x': '',
      '--tmp-foo--/b.jsonl': header('/tmp-foo'),
      [`${hashed}/c.jsonl`]: 'c',
      '--home-ann-y--/d.jsonl': header('/home/ann/y'),
    };
    const names = (disk: Disk): string[] =>
      tree(disk)
        .map((at) => at.replace(/^[^/]*\//, ''))
        .filter((name) => name !== '-tmp-foo')
        .sort();
    const all = names(diskWith(files));
    let ran = 0;
    for (let failing = 1; failing < 500; failing++) {
      const inner = diskWith(files);
      const disk = new FaultDisk(inner, (_operation, _path, count) => (count === failing ? { error: 'EACCES' } : null));
      const warnings: unknown[] = [];
      const bucket = writeBucket(SESSIONS, '/tmp/foo', {
        disk,
        shapes: musepi,
        facts,
        warn: (_, data) => warnings.push(data.errno),
      });
      expect(bucket).toBe(`${SESSIONS}/-tmp-foo`);
      expect(names(inner), `operation ${String(failing)}`).toEqual(all);
      expect(warnings.length).toBeLessThan(2);
      if (warnings.length === 1) expect(warnings).toEqual(['EACCES']);
      // The next process does what is left.
      const again = new FaultDisk(inner, () => null);
      writeBucket(SESSIONS, '/tmp/foo', { disk: again, shapes: musepi, facts });
      expect(tree(inner)).toEqual(['--tmp-foo--/b.jsonl', '-tmp-foo/a.jsonl', '-tmp-foo/a/x', '-tmp-foo/c.jsonl', '-y/d.jsonl']);
      ran = disk.count;
      if (failing > ran) break;
    }
    expect(ran).toBeGreaterThan(20);
  });
});
