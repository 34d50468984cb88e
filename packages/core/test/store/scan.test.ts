import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import { openRoot } from '../../src/store/roots.ts';
import type { Disk } from '../../src/disk/disk.ts';
import { session } from '../../src/testing/index.ts';
import { temporaryFolder, writeFiles } from './node-fixture.ts';

const text = session().user('hi').text();

interface Scanned {
  /** Paths inside the root, sorted. */
  paths: string[];
  /** `path < parent` for those inside of another session's folder. */
  nested: string[];
  /** `code path`, sorted. */
  problems: string[];
}

async function scan(at: string, disk: Disk = new NodeDisk()): Promise<Scanned> {
  const root = await openRoot({ path: at }, disk);
  const { sessions, problems } = await root.scan();
  return {
    paths: sessions.map((file) => file.relativePath).sort(),
    nested: sessions
      .flatMap((file) => (file.parentRelativePath === null ? [] : `${file.relativePath} < ${file.parentRelativePath}`))
      .sort(),
    problems: problems.map((found) => `${found.code} ${path.relative(root.sessionsPath, found.path ?? '')}`).sort(),
  };
}

describe('scanning a root', () => {
  it('finds sessions in buckets, flat ones, and those inside of a session with their parents', async () => {
    const base = temporaryFolder();
    writeFiles(base, {
      'flat.jsonl': text,
      '--home-ann--/one.jsonl': text,
      '--home-ann--/one/task.jsonl': text,
      '--home-ann--/one/task/deeper.jsonl': text,
      '--home-ann--/one/0.bash.log': 'log',
      '--home-ann--/notes.txt': 'no session',
      '--home-bob--/orphaned/task.jsonl': text,
    });
    expect(await scan(base)).toEqual({
      paths: [
        '--home-ann--/one.jsonl',
        '--home-ann--/one/task.jsonl',
        '--home-ann--/one/task/deeper.jsonl',
        '--home-bob--/orphaned/task.jsonl',
        'flat.jsonl',
      ],
      nested: [
        '--home-ann--/one/task.jsonl < --home-ann--/one.jsonl',
        '--home-ann--/one/task/deeper.jsonl < --home-ann--/one/task.jsonl',
      ],
      problems: [],
    });
  });

  it('takes the sessions folder of an agent folder, and one file', async () => {
    const base = temporaryFolder();
    writeFiles(base, { 'agent/sessions/-tmp/one.jsonl': text, 'agent/stray.jsonl': text });
    expect((await scan(path.join(base, 'agent'))).paths).toEqual(['-tmp/one.jsonl']);
    expect((await scan(path.join(base, 'agent/sessions/-tmp/one.jsonl'))).paths).toEqual(['one.jsonl']);
  });

  it('follows no links: out of the root, into it, to files, to nothing, in circles', async () => {
    const base = temporaryFolder();
    writeFiles(base, { 'outside/secret.jsonl': text, 'root/bucket/one.jsonl': text });
    const root = path.join(base, 'root');
    symlinkSync(path.join(base, 'outside'), path.join(root, 'out'));
    symlinkSync(path.join(root, 'bucket'), path.join(root, 'in'));
    symlinkSync(path.join(base, 'outside/secret.jsonl'), path.join(root, 'file.jsonl'));
    symlinkSync(path.join(base, 'nothing'), path.join(root, 'dangling'));
    symlinkSync('loop', path.join(root, 'loop'));
    symlinkSync(root, path.join(root, 'bucket/up'));
    expect(await scan(root)).toEqual({
      paths: ['bucket/one.jsonl'],
      nested: [],
      problems: ['bucket/up', 'dangling', 'file.jsonl', 'in', 'loop', 'out'].map((at) => `link_skipped ${at}`),
    });
  });

  it('opens no file through a link that took its place after the scan', async () => {
    const base = temporaryFolder();
    writeFiles(base, { 'outside/secret.jsonl': text, 'root/one.jsonl': text });
    const disk = new NodeDisk();
    const root = await openRoot({ path: path.join(base, 'root') }, disk);
    const file = (await root.scan()).sessions[0]!;
    disk.unlinkSync(file.path);
    symlinkSync(path.join(base, 'outside/secret.jsonl'), file.path);
    await expect(root.openReader(file).ready).rejects.toMatchObject({ code: 'storage_io' });
    await expect(root.summarise(file)).rejects.toMatchObject({ code: 'storage_io' });
  });

  it('works from a root that is itself reached by a link', async () => {
    const base = temporaryFolder();
    writeFiles(base, { 'real/bucket/one.jsonl': text });
    symlinkSync(path.join(base, 'real'), path.join(base, 'alias'));
    const direct = await openRoot({ path: path.join(base, 'real') });
    const linked = await openRoot({ path: path.join(base, 'alias') });
    expect([linked.id, (await linked.scan()).sessions[0]?.key]).toEqual([direct.id, (await direct.scan()).sessions[0]?.key]);
  });

  it('lists a file once that has two names', async () => {
    const base = temporaryFolder();
    writeFiles(base, { 'one.jsonl': text });
    linkSync(path.join(base, 'one.jsonl'), path.join(base, 'two.jsonl'));
    const { paths, problems } = await scan(base);
    expect([paths.length, problems.length]).toEqual([1, 1]);
    expect(problems[0]).toMatch(/^link_skipped (one|two)\.jsonl$/);
  });

  it('names a folder that cannot be read, and lists the others', async () => {
    const base = temporaryFolder();
    writeFiles(base, { 'good/one.jsonl': text, 'locked/two.jsonl': text });
    const disk = new FaultDisk(new NodeDisk(), (operation, at) =>
      operation === 'readdir' && at.endsWith('locked') ? { error: 'EACCES' } : null,
    );
    expect(await scan(base, disk)).toEqual({ paths: ['good/one.jsonl'], nested: [], problems: ['unreadable locked'] });
  });

  it('names a file that cannot be looked at; one that just went away was never there', async () => {
    const base = temporaryFolder();
    writeFiles(base, { 'a.jsonl': text, 'b.jsonl': text, 'c.jsonl': text });
    const codes: Record<string, string> = { 'a.jsonl': 'EIO', 'b.jsonl': 'ENOENT' };
    const disk = new FaultDisk(new NodeDisk(), (operation, at) => {
      const error = operation === 'stat' ? codes[path.basename(at)] : undefined;
      return error === undefined ? null : { error };
    });
    expect(await scan(base, disk)).toEqual({ paths: ['c.jsonl'], nested: [], problems: ['unreadable a.jsonl'] });
  });

  it('stops when it is told to', async () => {
    const disk = new MemoryDisk();
    disk.mkdirSync('/sessions/a');
    const root = await openRoot({ path: '/sessions' }, disk);
    await expect(root.scan(AbortSignal.abort())).rejects.toThrow();
  });

  it('ends in folders nested without end', async () => {
    const base = temporaryFolder();
    const deep = Array.from({ length: 40 }, (_, i) => `d${String(i)}`).join('/');
    writeFiles(base, { [`${deep}/lost.jsonl`]: text, 'd0/found.jsonl': text });
    expect((await scan(base)).paths).toEqual(['d0/found.jsonl']);
  });

  it('gives sessions keys that are the same at every scan and say no path', async () => {
    const base = temporaryFolder();
    writeFiles(base, { 'b/one.jsonl': text, 'b/two.jsonl': text });
    const root = await openRoot({ path: base });
    const keys = (await root.scan()).sessions.map((file) => file.key).sort();
    expect((await root.scan()).sessions.map((file) => file.key).sort()).toEqual(keys);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toMatch(/^(musepi|pi)-[0-9a-f]{8}~[0-9a-f]{16}$/);
  });
});

describe('opening a root', () => {
  it.each([
    ['does not exist', '/none'],
    ['is not a session file', '/root/notes.txt'],
  ])('says that it %s', async (why, at) => {
    const disk = new MemoryDisk();
    disk.writeFile('/root/notes.txt', new Uint8Array(1));
    await expect(openRoot({ path: at }, disk)).rejects.toMatchObject({ code: 'invalid_root', message: `The root ${at} ${why}.` });
  });

  it.each([
    ['/home/ann/.pi/agent', '/home/ann/.pi/agent/sessions/x', 'pi'],
    ['/home/ann/.musepi/agent', '/home/ann/.musepi/agent/sessions/x', 'musepi'],
    ['/home/ann/.omp/agent', '/home/ann/.omp/agent/sessions/--x--', 'musepi'],
    ['/data', '/data/--home-ann-app--', 'pi'],
    ['/data', '/data/-home-ann-app', 'musepi'],
  ])('guesses from %s with %s that %s wrote it', async (at, folder, dialect) => {
    const disk = new MemoryDisk();
    disk.mkdirSync(folder);
    expect((await openRoot({ path: at }, disk)).dialect).toBe(dialect);
  });

  it('guesses nothing from folders of both kinds', async () => {
    const disk = new MemoryDisk();
    disk.mkdirSync('/data/--home-ann--');
    disk.mkdirSync('/data/-home-ann');
    expect((await openRoot({ path: '/data' }, disk)).hint).toBeNull();
  });

  it('believes what it is told over what it sees', async () => {
    const disk = new MemoryDisk();
    disk.mkdirSync('/home/ann/.pi/agent/sessions');
    expect((await openRoot({ path: '/home/ann/.pi/agent', dialect: 'musepi' }, disk)).dialect).toBe('musepi');
  });

  it('of an empty folder lists nothing', async () => {
    const base = temporaryFolder();
    mkdirSync(path.join(base, 'empty'));
    expect(await scan(path.join(base, 'empty'))).toEqual({ paths: [], nested: [], problems: [] });
  });
});
