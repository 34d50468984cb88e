import { linkSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import type { Disk } from '../../src/disk/disk.ts';
import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import type { Dialect } from '../../src/store/root-layout.ts';
import { openRoot } from '../../src/store/roots.ts';
import { session } from '../../src/testing/index.ts';
import { put, temporaryFolder, writeFiles } from './node-fixture.ts';

const APP = '--home-ann-app--';

function text(id: string, cwd: string | undefined = '/home/ann/app'): string {
  return session({ id, cwd }).user('hi').text();
}

interface Scanned {
  /** `directory: file`, sorted. */
  sessions: string[];
  /** `path < directory of its session` */
  nested: string[];
  /** `code path`, sorted: of the root, and of its sessions. */
  problems: string[];
}

async function scan(at: string, disk: Disk = new NodeDisk(), dialect: Dialect = 'projects'): Promise<Scanned> {
  const root = await openRoot({ path: at, dialect }, disk);
  const { sessions, problems } = await root.scan();
  const own = await Promise.all(sessions.map(async (file) => root.placeProblems(file, await root.summarise(file))));
  return {
    sessions: sessions.map(({ relativePath, path: file }) => `${relativePath}: ${path.basename(file)}`).sort(),
    nested: sessions
      .flatMap((file) => (file.parentRelativePath === null ? [] : `${file.relativePath} < ${file.parentRelativePath}`))
      .sort(),
    problems: [...problems, ...own.flat()].map((found) => `${found.code} ${path.relative(at, found.path ?? '')}`).sort(),
  };
}

describe('scanning project directories', () => {
  it('finds one session for each directory, in all projects and in that of those without one', async () => {
    const base = temporaryFolder();
    writeFiles(base, {
      [`${APP}/s1/session.jsonl`]: text('s1'),
      [`${APP}/s2/session.jsonl`]: text('s2'),
      [`${APP}/empty/README`]: 'no session',
      [`${APP}/metadata.json`]: '{}',
      '_no-cwd/s3/session.jsonl': session({ id: 's3', cwd: undefined }).user('hi').text(),
      'stray.jsonl': text('stray'),
    });
    expect(await scan(base)).toEqual({
      sessions: [`${APP}/s1: session.jsonl`, `${APP}/s2: session.jsonl`, '_no-cwd/s3: session.jsonl'],
      nested: [],
      problems: [],
    });
  });

  it('two working directories that share one project directory are two sessions, neither misplaced', async () => {
    const base = temporaryFolder();
    writeFiles(base, {
      '--a-b-c--/one/session.jsonl': text('one', '/a/b-c'),
      '--a-b-c--/two/session.jsonl': text('two', '/a-b/c'),
    });
    const found = await scan(base);
    expect([found.sessions.length, found.problems]).toEqual([2, []]);
  });

  it('takes the highest version, leaves alone what is no log, and looks at nothing else', async () => {
    const base = temporaryFolder();
    const log = text('s1');
    writeFiles(base, {
      [`${APP}/s1/session.jsonl`]: log,
      [`${APP}/s1/session.v3.jsonl`]: log,
      [`${APP}/s1/session.v10.jsonl`]: log,
      [`${APP}/s1/session.v011.jsonl`]: log,
      [`${APP}/s1/session.V12.jsonl`]: log,
      [`${APP}/s1/session.jsonl.0123456789ab.tmp`]: log,
      [`${APP}/s1/session.lock`]: '',
    });
    const statted: string[] = [];
    const disk = new FaultDisk(new NodeDisk(), (operation, at) => {
      if (operation === 'stat') statted.push(path.basename(at));
      return null;
    });
    const root = await openRoot({ path: base, dialect: 'projects' }, disk);
    statted.length = 0;
    const { sessions } = await root.scan();
    expect([sessions.map((file) => path.basename(file.path)), statted]).toEqual([['session.v10.jsonl'], ['session.v10.jsonl']]);
  });

  it('knows a session by its directory, whatever its log is called', async () => {
    const disk = new MemoryDisk();
    put(disk, text('s1'), `/root/${APP}/s1/session.jsonl`);
    const root = await openRoot({ path: '/root', dialect: 'projects' }, disk);
    const before = (await root.scan()).sessions[0]!;
    disk.renameSync(`/root/${APP}/s1/session.jsonl`, `/root/${APP}/s1/session.v2.jsonl`);
    const after = (await root.scan()).sessions[0]!;
    expect([after.key, after.fingerprint === before.fingerprint]).toEqual([before.key, false]);
    expect(root.keyOf(`${APP}/s1`)).toBe(before.key);
  });

  it('reads a log that lies directly in a project directory, and names it', async () => {
    const base = temporaryFolder();
    writeFiles(base, { [`${APP}/s1.jsonl`]: text('s1'), [`${APP}/s2/session.jsonl`]: text('s2') });
    expect(await scan(base)).toEqual({
      sessions: [`${APP}/s1.jsonl: s1.jsonl`, `${APP}/s2: session.jsonl`],
      nested: [],
      problems: [`flat_session ${APP}/s1.jsonl`],
    });
  });

  it('names sessions that their header puts elsewhere: another project, another id', async () => {
    const base = temporaryFolder();
    writeFiles(base, {
      [`${APP}/moved/session.jsonl`]: text('moved', '/elsewhere'),
      [`${APP}/renamed/session.jsonl`]: text('its-name'),
      [`${APP}/right/session.jsonl`]: text('right'),
    });
    const { sessions, problems } = await scan(base);
    expect([sessions.length, problems]).toEqual([
      3,
      [`misplaced_session ${APP}/moved/session.jsonl`, `misplaced_session ${APP}/renamed/session.jsonl`],
    ]);
  });

  it('accepts another spelling that leads to the same directory', async () => {
    const base = temporaryFolder();
    writeFiles(base, { 'the-app/s1/session.jsonl': text('s1') });
    symlinkSync('the-app', path.join(base, APP));
    const { sessions, problems } = await scan(base);
    expect(sessions).toEqual(['the-app/s1: session.jsonl']);
    expect(problems).toEqual([`link_skipped ${APP}`]);
  });

  it.each(['dsh', 'projects'] as Dialect[])(
    'of a session in two encodings takes the one with more records (%s)',
    async (dialect) => {
      const base = temporaryFolder();
      const one = `${APP}/s1`;
      writeFiles(base, {
        [`${one}/session.jsonl`]: session({ id: 's1' }).user('a').user('b').text(),
        [`${one}/session.jsonl.zstd`]: 'no frame',
        [`${APP}/s2/session.jsonl`]: text('s2'),
      });
      const found = await scan(base, new NodeDisk(), dialect);
      expect(found.sessions).toEqual([`${one}: session.jsonl`, `${APP}/s2: session.jsonl`]);
      expect(found.problems).toEqual([`two_encodings ${one}/session.jsonl.zstd`]);
    },
  );

  it('finds the sub-sessions of our own sessions, and none in those of DeepSeek Harness', async () => {
    const base = temporaryFolder();
    writeFiles(base, {
      [`${APP}/s1/session.jsonl`]: text('s1'),
      [`${APP}/s1/task.jsonl`]: text('t1'),
      [`${APP}/s1/task/deeper.jsonl`]: text('t2'),
      [`${APP}/s1/blobs/x.jsonl`]: text('no session'),
    });
    expect((await scan(base)).nested).toEqual([
      `${APP}/s1/task.jsonl < ${APP}/s1`,
      `${APP}/s1/task/deeper.jsonl < ${APP}/s1/task.jsonl`,
    ]);
    expect((await scan(base, new NodeDisk(), 'dsh')).sessions).toEqual([`${APP}/s1: session.jsonl`]);
  });

  it('follows no links, and opens no pipes', async () => {
    const base = temporaryFolder();
    writeFiles(base, { 'outside/session.jsonl': text('secret'), [`root/${APP}/s1/session.jsonl`]: text('s1') });
    const root = path.join(base, 'root');
    symlinkSync(path.join(base, 'outside'), path.join(root, APP, 'out'));
    symlinkSync(path.join(base), path.join(root, 'up'));
    writeFiles(root, { [`${APP}/s2/keep`]: '' });
    symlinkSync(path.join(base, 'outside/session.jsonl'), path.join(root, APP, 's2/session.jsonl'));
    expect(await scan(root)).toEqual({
      sessions: [`${APP}/s1: session.jsonl`],
      nested: [],
      problems: [`${APP}/out`, `${APP}/s2/session.jsonl`, 'up'].map((at) => `link_skipped ${at}`),
    });
  });

  it('names what cannot be read, and lists the others; what has gone meanwhile was never there', async () => {
    const base = temporaryFolder();
    const files = ['bad', 'gone', 'good', 'locked'].map((id) => [`${APP}/${id}/session.jsonl`, text(id)] as const);
    writeFiles(base, { ...Object.fromEntries(files), '--other--/x/session.jsonl': text('x', '/other') });
    const disk = new FaultDisk(new NodeDisk(), (operation, at) => {
      if (operation === 'readdir' && at.endsWith('locked')) return { error: 'EACCES' };
      if (operation !== 'stat' || !at.endsWith('.jsonl')) return null;
      return at.includes('/bad/') ? { error: 'EIO' } : at.includes('/gone/') ? { error: 'ENOENT' } : null;
    });
    expect(await scan(base, disk)).toEqual({
      sessions: [`${APP}/good: session.jsonl`, '--other--/x: session.jsonl'].sort(),
      nested: [],
      problems: [`unreadable ${APP}/bad/session.jsonl`, `unreadable ${APP}/locked`],
    });
  });

  it('lists a log once that two directories share', async () => {
    const base = temporaryFolder();
    writeFiles(base, { [`${APP}/s1/session.jsonl`]: text('s1'), [`${APP}/s2/README`]: '' });
    linkSync(path.join(base, APP, 's1/session.jsonl'), path.join(base, APP, 's2/session.jsonl'));
    const { sessions, problems } = await scan(base);
    expect([sessions, problems]).toEqual([[`${APP}/s1: session.jsonl`], [`link_skipped ${APP}/s2/session.jsonl`]]);
  });

  it('reads each directory once, and looks at one file in it', async () => {
    const disk = new MemoryDisk();
    const count = 1_000;
    for (let i = 0; i < count; i++) put(disk, text(`s${String(i)}`), `/root/${APP}/s${String(i)}/session.jsonl`);
    const done: Record<string, number> = {};
    const counting = new FaultDisk(disk, (operation) => {
      done[operation] = (done[operation] ?? 0) + 1;
      return null;
    });
    const root = await openRoot({ path: '/root', dialect: 'dsh' }, counting);
    for (const operation of Object.keys(done)) done[operation] = 0;
    expect((await root.scan()).sessions).toHaveLength(count);
    expect(done).toMatchObject({ readdir: count + 2, stat: count });
    expect(done['open'] ?? 0).toBe(0);
  });
});

describe('blobs of project directories', () => {
  const HASH = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'; // of "abc"

  it('lie with their sessions: found for everybody, whole for their own session only', async () => {
    const disk = new MemoryDisk();
    for (const id of ['s1', 's2']) put(disk, text(id), `/root/${APP}/${id}/session.jsonl`);
    put(disk, text('task'), `/root/${APP}/s1/task.jsonl`);
    put(disk, 'abc', `/root/${APP}/s1/blobs/${HASH}`);
    const root = await openRoot({ path: '/root', dialect: 'projects' }, disk);
    const { sessions } = await root.scan();
    const [s1, task, s2] = sessions;
    expect(sessions.map((file) => file.relativePath)).toEqual([`${APP}/s1`, `${APP}/s1/task.jsonl`, `${APP}/s2`]);
    const states = await Promise.all([s1, task, s2].map((file) => root.blobState(HASH, file)));
    expect(states).toEqual(['present', 'present', 'missing']);
    for (const file of [undefined, s1, s2]) expect(new TextDecoder().decode(await root.blob(HASH, file))).toBe('abc');
    expect(await root.blob('0'.repeat(64))).toBeUndefined();
  });

  it('of DeepSeek Harness lie beside its sessions', async () => {
    const disk = new MemoryDisk();
    put(disk, 'abc', `/home/ann/.dsh/attachments/v1/objects/ba/${HASH}`);
    put(disk, text('s1'), `/home/ann/.dsh/sessions/${APP}/s1/session.jsonl`);
    for (const at of ['/home/ann/.dsh', '/home/ann/.dsh/sessions']) {
      const root = await openRoot({ path: at, dialect: 'dsh' }, disk);
      expect([await root.blobState(HASH), (await root.scan()).sessions.length]).toEqual(['present', 1]);
      expect(new TextDecoder().decode(await root.blob(HASH))).toBe('abc');
    }
  });
});

describe('what a root of directories is taken for', () => {
  const dsh = '{"type":"session","version":0,"id":"s1","createdAt":1,"cwd":"/home/ann/app","delegationDepth":0}\n';

  it.each([
    ['/home/ann/.dsh/sessions', `/home/ann/.dsh/sessions/${APP}/s1/session.jsonl`, dsh, 'dsh'],
    ['/home/ann/.dsh', '/home/ann/.dsh/sessions/README', '', 'dsh'],
    ['/data', `/data/${APP}/s1/session.jsonl`, dsh, 'dsh'],
    ['/data', `/data/${APP}/s1/session.jsonl`, text('s1'), 'projects'],
    ['/data', '/data/_no-cwd/s1/session.v4.jsonl', text('s1'), 'projects'],
    ['/data', `/data/${APP}/2026-01-01_s1.jsonl`, text('s1'), 'pi'],
  ])('%s with %s', async (at, file, content, dialect) => {
    const disk = new MemoryDisk();
    put(disk, content, file);
    expect((await openRoot({ path: at }, disk)).dialect).toBe(dialect);
  });

  it('ours is refused where DeepSeek Harness keeps its sessions', async () => {
    const disk = new MemoryDisk();
    put(disk, dsh, `/data/${APP}/s1/session.jsonl`);
    put(disk, '', '/home/ann/.dsh/sessions/README');
    for (const at of ['/data', '/home/ann/.dsh', '/home/ann/.dsh/sessions'])
      await expect(openRoot({ path: at, dialect: 'projects' }, disk)).rejects.toMatchObject({ code: 'invalid_root' });
    expect((await openRoot({ path: '/data', dialect: 'dsh' }, disk)).dialect).toBe('dsh');
  });

  it('one log is a root of one session, with its blobs', async () => {
    const disk = new MemoryDisk();
    put(disk, text('s1'), `/data/${APP}/s1/session.jsonl`);
    const root = await openRoot({ path: `/data/${APP}/s1/session.jsonl` }, disk);
    expect((await root.scan()).sessions.map((file) => file.relativePath)).toEqual(['session.jsonl']);
  });
});
