import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { type Disk, type DiskFile } from '../../src/disk/disk.ts';
import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import { findRecent } from '../../src/discovery/continue-recent.ts';
import { findMostRecentSession, getRecentSessions, listAllSessions, listSessions } from '../../src/discovery/listing.ts';
import { resolveResumableSession } from '../../src/discovery/resolve.ts';
import type { Problem } from '../../src/problems.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';
import { put, temporaryFolder, writeFiles } from '../store/node-fixture.ts';

/** Counts what is read of files. */
class Watched {
  open = 0;
  mostOpen = 0;
  reads = 0;
  bytes = 0;
  readonly disk: Disk;

  constructor(disk: Disk) {
    this.disk = new Proxy(disk, {
      get: (target, name: keyof Disk) => {
        if (name === 'openNoFollow') return async (at: string) => this.#file(await target.openNoFollow(at));
        const member: unknown = target[name];
        return typeof member === 'function' ? (member as () => unknown).bind(target) : member;
      },
    });
  }

  #file(file: DiskFile): DiskFile {
    this.mostOpen = Math.max(this.mostOpen, ++this.open);
    return new Proxy(file, {
      get: (target, name: keyof DiskFile) => {
        if (name === 'read') {
          return async (buffer: Uint8Array, offset: number, length: number, position: number) => {
            const got = await target.read(buffer, offset, length, position);
            this.reads++;
            this.bytes += got;
            return got;
          };
        }
        if (name === 'closeSync') {
          return () => {
            this.open--;
            target.closeSync();
          };
        }
        const member: unknown = target[name];
        return typeof member === 'function' ? (member as () => unknown).bind(target) : member;
      },
    });
  }
}

function long(build: SessionBuilder = session().user('q')): SessionBuilder {
  for (let i = 0; i < 300; i++) build.assistant('x'.repeat(900));
  return build;
}

describe('what is read', () => {
  it('4 KiB of the beginning and 32 KiB of the end of a file', async () => {
    const memory = new MemoryDisk();
    put(memory, long().text(), '/s/a.jsonl');
    const watched = new Watched(memory);
    expect(await listSessions('/s', watched)).toMatchObject([{ firstMessage: 'q', status: 'complete' }]);
    expect(watched.bytes).toBe(4096 + 32_768);
  });

  it('at most 64 KiB more where the beginning holds no prompt', async () => {
    const memory = new MemoryDisk();
    put(memory, long(session()).text(), '/s/a.jsonl');
    const watched = new Watched(memory);
    expect(await listSessions('/s', watched)).toMatchObject([{ id: 'session-1', messageCount: expect.any(Number) as number }]);
    expect(watched.bytes).toBeLessThanOrEqual(4096 + 32_768 + 65_536);
  });

  it('nothing of a file that has not changed, be it a session or not; the changed one alone', async () => {
    const memory = new MemoryDisk();
    for (const name of ['a', 'b', 'c']) put(memory, session({ id: name }).user('q').text(), `/s/${name}.jsonl`);
    put(memory, 'no session\n', '/s/d.jsonl');
    const watched = new Watched(memory);
    const first = await listSessions('/s', watched);
    const { reads } = watched;
    expect(await listSessions('/s', watched)).toEqual(first);
    expect(watched.reads).toBe(reads);
    put(memory, session({ id: 'b' }).user('q').user('another').text(), '/s/b.jsonl');
    expect((await listSessions('/s', watched)).find(({ id }) => id === 'b')).toMatchObject({ messageCount: 2 });
    expect(watched.reads).toBe(reads + 1);
  });

  it('what callers do to an answer stays with them', async () => {
    const memory = new MemoryDisk();
    put(memory, session().user('q').text(), '/s/a.jsonl');
    (await listSessions('/s', { disk: memory }))[0]!.name = 'changed';
    expect((await listSessions('/s', { disk: memory }))[0]).not.toHaveProperty('name');
  });

  it('ends and whole files are remembered apart', async () => {
    const memory = new MemoryDisk();
    put(memory, long().text(), '/s/a.jsonl');
    const [ends] = await listSessions('/s', { disk: memory });
    const [whole] = await listSessions('/s', { disk: memory }, { full: true });
    expect(whole!.messageCount).toBe(301);
    expect(ends!.messageCount).toBeLessThan(301);
    expect(whole!.allMessagesText.length).toBeGreaterThan(ends!.allMessagesText.length);
    expect(await listSessions('/s', { disk: memory })).toEqual([ends]);
  });

  it('few files at the same time', async () => {
    const memory = new MemoryDisk();
    for (let i = 0; i < 200; i++)
      put(
        memory,
        session({ id: String(i) })
          .user('q')
          .text(),
        `/s/b${String(i % 5)}/${String(i)}.jsonl`,
      );
    const watched = new Watched(memory);
    expect(await listAllSessions(watched, { sessionsDir: '/s' })).toHaveLength(200);
    expect(watched.mostOpen).toBeGreaterThan(1);
    expect(watched.mostOpen).toBeLessThanOrEqual(16);
    expect(watched.open).toBe(0);
  });

  it('no more of the newest ones than are wanted', async () => {
    const memory = new MemoryDisk();
    for (let i = 0; i < 50; i++)
      put(
        memory,
        session({ id: String(i) })
          .user('q')
          .text(),
        `/s/${String(i)}.jsonl`,
      );
    const watched = new Watched(memory);
    expect(await getRecentSessions('/s', 3, watched)).toHaveLength(3);
    expect(watched.reads).toBe(3);
    await findMostRecentSession('/s', watched);
    expect(watched.reads).toBe(3);
  });
});

describe('a disk that refuses', () => {
  function refusing(operation: string, at: string, code = 'EACCES'): Disk {
    const memory = new MemoryDisk();
    for (const name of ['a', 'b']) put(memory, session({ id: name }).user('q').text(), `/s/${name}/${name}.jsonl`);
    return new FaultDisk(memory, (done, where) => (done === operation && where === at ? { error: code } : null));
  }

  it.each(['open', 'read', 'lstat'])('one file at %s hides no other, and is told', async (operation) => {
    const problems: Problem[] = [];
    const disk = refusing(operation, '/s/a/a.jsonl', 'EIO');
    const onProblem = (found: Problem): unknown => problems.push(found);
    expect(await listAllSessions({ disk }, { sessionsDir: '/s', onProblem })).toMatchObject([{ id: 'b' }]);
    expect(problems).toMatchObject([{ code: 'unreadable', path: '/s/a/a.jsonl' }]);
  });

  it('a file that has gone since is not told', async () => {
    const problems: Problem[] = [];
    const disk = refusing('open', '/s/a/a.jsonl', 'ENOENT');
    expect(await listSessions('/s/a', { disk }, { onProblem: (found) => problems.push(found) })).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('a failed look is not remembered', async () => {
    const memory = new MemoryDisk();
    put(memory, session().user('q').text(), '/s/a.jsonl');
    let isBad = true;
    const disk = new FaultDisk(memory, (operation) => (isBad && operation === 'read' ? { error: 'EIO' } : null));
    expect(await listSessions('/s', { disk })).toEqual([]);
    isBad = false;
    expect(await listSessions('/s', { disk })).toHaveLength(1);
  });

  it('a bucket is told, the folder that was asked for is an error', async () => {
    const problems: Problem[] = [];
    const disk = refusing('readdir', '/s/a');
    expect(await listAllSessions({ disk }, { sessionsDir: '/s', onProblem: (found) => problems.push(found) })).toHaveLength(1);
    expect(problems).toMatchObject([{ code: 'unreadable', path: '/s/a' }]);
    for (const ask of [listSessions, findMostRecentSession]) {
      await expect(ask('/s/a', { disk })).rejects.toMatchObject({ code: 'storage_io', data: { errno: 'EACCES' } });
    }
    await expect(getRecentSessions('/s/a', 4, { disk })).rejects.toMatchObject({ code: 'storage_io' });
    expect(() => findRecent(disk, '/x', null, '/s/a')).toThrow('EACCES');
  });

  it('what is no session is told', async () => {
    const memory = new MemoryDisk();
    put(memory, 'no session\n', '/s/a.jsonl');
    for (let round = 0; round < 2; round++) {
      const problems: Problem[] = [];
      await listSessions('/s', { disk: memory }, { onProblem: (found) => problems.push(found) });
      expect(problems).toMatchObject([{ code: 'header_missing', path: '/s/a.jsonl' }]);
    }
  });

  it('the folder of a breadcrumb that cannot be looked at has not gone', () => {
    const memory = new MemoryDisk();
    put(memory, session({ cwd: '/away' }).user('q').text(), '/s/a.jsonl');
    memory.mkdirSync('/here');
    const breadcrumb = { cwd: '/away', sessionFile: '/s/a.jsonl', fresh: false, identity: memory.statSync('/here') };
    expect(findRecent(memory, '/here', breadcrumb, '/s')).toEqual({ kind: 'move', path: '/s/a.jsonl' });
    const unmounted = new FaultDisk(memory, (_, at) => (at === '/away' ? { error: 'EIO' } : null));
    expect(findRecent(unmounted, '/here', breadcrumb, '/s')).toEqual({ kind: 'new' });
  });
});

describe('progress and an end', () => {
  const memory = new MemoryDisk();
  for (let i = 0; i < 20; i++)
    put(
      memory,
      session({ id: String(i) })
        .user('q')
        .text(),
      `/s/${String(i)}.jsonl`,
    );

  it('is told after each file', async () => {
    const told: [number, number][] = [];
    await listSessions('/s', { disk: memory }, { onProgress: (done, total) => told.push([done, total]) });
    expect(told).toEqual(Array.from({ length: 20 }, (_, i) => [i + 1, 20]));
  });

  it('ends with the reason of the signal', async () => {
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    await expect(listSessions('/s', { disk: memory }, { signal })).rejects.toBe(reason);
    await expect(findMostRecentSession('/s', { disk: memory }, { signal })).rejects.toBe(reason);
  });
});

describe('the real disk', () => {
  const disk = new NodeDisk();

  it('is the default', async () => {
    const base = temporaryFolder();
    writeFiles(base, { '1_a.jsonl': session({ id: 'a' }).user('q').text() });
    expect(await listSessions(base)).toMatchObject([{ id: 'a', path: path.join(base, '1_a.jsonl') }]);
    expect(await findMostRecentSession(base)).toBe(path.join(base, '1_a.jsonl'));
    expect(await getRecentSessions(base)).toMatchObject([{ name: 'q' }]);
    expect(await listAllSessions(undefined, { sessionsDir: base })).toHaveLength(1);
    expect(await resolveResumableSession('A', base, base)).toMatchObject({ kind: 'one' });
  });

  it('follows no links to files; an explicit path may be one', async () => {
    const base = temporaryFolder();
    writeFiles(base, { 'else/1_a.jsonl': session({ id: 'a' }).user('q').text() });
    mkdirSync(path.join(base, 's'));
    symlinkSync(path.join(base, 'else/1_a.jsonl'), path.join(base, 's/2_link.jsonl'));
    expect(await listSessions(path.join(base, 's'))).toEqual([]);
    expect(await resolveResumableSession('s/2_link.jsonl', base)).toMatchObject({
      kind: 'one',
      session: { id: 'a', path: path.join(base, 's/2_link.jsonl') },
    });
  });

  it('takes a project for itself under each of its names (oh-my-pi worked case 6, complaint 17)', async () => {
    const base = temporaryFolder();
    const facts = { home: path.join(base, 'home'), temp: path.join(base, 'tmp'), windows: false };
    mkdirSync(path.join(base, 'home/src/app'), { recursive: true });
    symlinkSync(path.join(base, 'home/src/app'), path.join(base, 'link'));
    const bucket = path.join(base, 'home/.musepi/agent/sessions/-src-app');
    const file = path.join(bucket, '1_a.jsonl');
    writeFiles(bucket, {
      '1_a.jsonl': session({ id: 'a', cwd: path.join(base, 'link') })
        .user('q')
        .text(),
    });
    for (const cwd of ['link', 'home/src/app'].map((name) => path.join(base, name))) {
      expect(findRecent(disk, cwd, null, undefined, { facts })).toEqual({ kind: 'open', path: file });
      expect(await resolveResumableSession('a', cwd, undefined, { facts })).toMatchObject({ kind: 'one', scope: 'project' });
      expect(await listSessions(bucket, { disk }, { cwd })).toHaveLength(1);
    }
  });

  it('moves a session after the folder of its project, as it is renamed', () => {
    const base = temporaryFolder();
    const facts = { home: base, temp: path.join(base, 'tmp'), windows: false };
    mkdirSync(path.join(base, 'old'));
    const { dev, ino } = disk.statSync(path.join(base, 'old'));
    writeFiles(base, {
      '.musepi/agent/sessions/-old/1_a.jsonl': session({ cwd: path.join(base, 'old') })
        .user('q')
        .text(),
    });
    const sessionFile = path.join(base, '.musepi/agent/sessions/-old/1_a.jsonl');
    const breadcrumb = { cwd: path.join(base, 'old'), sessionFile, fresh: false, identity: { dev, ino } };
    renameSync(path.join(base, 'old'), path.join(base, 'new'));
    expect(findRecent(disk, path.join(base, 'new'), breadcrumb, undefined, { facts })).toEqual({
      kind: 'move',
      path: sessionFile,
    });
    mkdirSync(path.join(base, 'other'));
    expect(findRecent(disk, path.join(base, 'other'), breadcrumb, undefined, { facts })).toEqual({ kind: 'new' });
  });

  it('sees that a file of the same size and time has been replaced', async () => {
    const base = temporaryFolder();
    const at = path.join(base, '1_a.jsonl');
    const write = (name: string, text: string): void => {
      writeFiles(base, { [name]: session().user(text).text() });
      utimesSync(path.join(base, name), 1000, 1000);
    };
    write('1_a.jsonl', 'one');
    expect(await listSessions(base)).toMatchObject([{ firstMessage: 'one' }]);
    write('new', 'two');
    renameSync(path.join(base, 'new'), at);
    expect(await listSessions(base)).toMatchObject([{ firstMessage: 'two' }]);
    appendFileSync(at, '{"type":"message","id":"x","message":{"role":"user","content":"more"}}\n');
    expect(await listSessions(base)).toMatchObject([{ messageCount: 2 }]);
  });
});

it('looks into the folders of earlier versions, and moves nothing (oh-my-pi worked cases 7, 8)', async () => {
  const facts = { home: '/home/ann', temp: '/tmp', windows: false };
  const hash = createHash('sha256').update('/tmp/foo').digest('hex');
  for (const bucket of ['-tmp-foo', '--tmp-foo--', `tmp-foo-${hash}`]) {
    const file = `/home/ann/.musepi/agent/sessions/${bucket}/1_carried.jsonl`;
    const disk = new MemoryDisk();
    disk.mkdirSync('/tmp/foo');
    put(disk, session({ id: 'carried', cwd: '/tmp/foo' }).user('q').text(), file);
    expect(findRecent(disk, '/tmp/foo', null, undefined, { facts })).toEqual({ kind: 'open', path: file });
    const found = await resolveResumableSession('carr', '/tmp/foo', undefined, { facts, storage: { disk } });
    expect(found).toMatchObject({ kind: 'one', scope: 'project', session: { path: file } });
    expect(disk.statSync(file).kind).toBe('file');
  }
});

it('an empty text means no session (oh-my-pi.md 11)', async () => {
  for (const text of ['', '  ']) {
    await expect(resolveResumableSession(text, '/x', '/s', { storage: { disk: new MemoryDisk() } })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  }
});
