import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';

import { ZstdDisk } from '../../src/codec/zstd/zstd-disk.ts';
import type { Disk } from '../../src/disk/disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { findRecent } from '../../src/discovery/continue-recent.ts';
import { findMostRecentSession, getRecentSessions, listAllSessions, listSessions } from '../../src/discovery/listing.ts';
import { matchSessions } from '../../src/discovery/match.ts';
import { resolveResumableSession } from '../../src/discovery/resolve.ts';
import type { Problem } from '../../src/problems.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';
import { MemorySessionStore } from '../../src/store/memory-store.ts';
import { ProjectSessionStore } from '../../src/store/project-store.ts';

const ROOT = '/root';
const APP = `${ROOT}/--work-app--`;

let disk: MemoryDisk;
let time: number;

beforeEach(() => {
  time = Date.UTC(2026, 0, 1);
  disk = new MemoryDisk(() => (time += 1000));
  for (const folder of ['/work/app', '/work/other']) disk.mkdirSync(folder);
});

const lines = (id: string, cwd: string, texts: readonly string[]): string[] => [
  JSON.stringify({ type: 'session', version: 3, id, timestamp: '2026-01-01T00:00:00.000Z', cwd }),
  ...texts.map((text, n) =>
    JSON.stringify({
      type: 'message',
      id: `e${String(n)}`,
      parentId: n === 0 ? null : `e${String(n - 1)}`,
      timestamp: '2026-01-01T00:00:01.000Z',
      message:
        n % 2 === 0
          ? { role: 'user', content: text }
          : { role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop' },
    }),
  ),
];

/** A log, each line a frame where it is compressed. */
function put(at: string, log: readonly string[]): void {
  const view = new ZstdDisk(disk);
  disk.mkdirSync(path.dirname(at));
  view.openSync(at, 'create').closeSync();
  const file = view.openSync(at, 'append');
  for (const line of log) {
    const bytes = new TextEncoder().encode(`${line}\n`);
    file.writeSync(bytes, 0, bytes.length, null);
  }
  file.closeSync();
}

const session = (folder: string, id: string, cwd: string, ending = '.zstd'): void =>
  put(`${folder}/${id}/session.jsonl${ending}`, lines(id, cwd, [`question of ${id}`, 'answer']));

/** Two sessions of one project, one in each encoding, and one of another. */
function threeSessions(): void {
  session(APP, 'alpha-1', '/work/app', '');
  session(`${ROOT}/--work-other--`, 'beta-1', '/work/other');
  session(APP, 'alpha-2', '/work/app');
  disk.writeFile(`${APP}/alpha-2/notes.jsonl`, new TextEncoder().encode('{"any":"thing"}\n'));
  disk.mkdirSync(`${APP}/empty`);
}

const ids = (found: readonly { id: string }[]): string[] => found.map(({ id }) => id);

describe('the folder of a project', () => {
  it('has the sessions of its directories, in both encodings, newest first', async () => {
    threeSessions();
    const problems: Problem[] = [];
    const found = await listSessions(APP, { disk }, { onProblem: (one) => problems.push(one) });
    expect(
      found.map(({ id, path: at, messageCount, firstMessage, status }) => [id, at, messageCount, firstMessage, status]),
    ).toEqual([
      ['alpha-2', `${APP}/alpha-2/session.jsonl.zstd`, 2, 'question of alpha-2', 'complete'],
      ['alpha-1', `${APP}/alpha-1/session.jsonl`, 2, 'question of alpha-1', 'complete'],
    ]);
    expect(problems).toEqual([]);
    expect(await findMostRecentSession(APP, { disk })).toBe(`${APP}/alpha-2/session.jsonl.zstd`);
    expect((await getRecentSessions(APP, 1, { disk })).map(({ name }) => name)).toEqual(['question of alpha-2']);
    expect(ids(await listAllSessions({ disk }, { sessionsDir: ROOT }))).toEqual(['alpha-2', 'beta-1', 'alpha-1']);
  });

  it('has the log that counts, of several versions and of both encodings', async () => {
    session(APP, 'one', '/work/app', '');
    put(`${APP}/one/session.v3.jsonl.zstd`, lines('one', '/work/app', ['newer', 'a', 'b']));
    put(`${APP}/two/session.jsonl`, lines('two', '/work/app', ['short']));
    put(`${APP}/two/session.jsonl.zstd`, lines('two', '/work/app', ['long', 'a']));
    const found = await listSessions(APP, { disk });
    expect(found.map(({ path: at }) => at).sort()).toEqual([`${APP}/one/session.v3.jsonl.zstd`, `${APP}/two/session.jsonl.zstd`]);
  });

  it('is gone on with by the newest session of its working directory', () => {
    threeSessions();
    session(APP, 'someone-else', '/work-app');
    expect(findRecent(disk, '/work/app', null, APP)).toEqual({ kind: 'open', path: `${APP}/alpha-2/session.jsonl.zstd` });
    expect(findRecent(disk, '/work/none', null, APP)).toEqual({ kind: 'new' });
  });

  it('of files beside it: the folder of a file has what belongs to that', async () => {
    put(`${APP}/one.jsonl`, lines('one', '/work/app', ['q']));
    put(`${APP}/one/session.jsonl`, lines('sub', '/work/app', ['q']));
    expect(ids(await listSessions(APP, { disk }))).toEqual(['one']);
  });
});

describe('a session is found again', () => {
  it.each([
    ['alpha-1', 'alpha-1'],
    ['ALPHA-2', 'alpha-2'],
    [`${APP}/alpha-2/session.jsonl.zstd`, 'alpha-2'],
    [`${APP}/alpha-2`, 'alpha-2'],
    [`${APP}/alpha-1/session.jsonl`, 'alpha-1'],
  ])('by %s', async (arg, id) => {
    threeSessions();
    const answer = await resolveResumableSession(arg, '/work/app', APP, { storage: { disk } });
    expect(answer).toMatchObject({ kind: 'one', session: { id } });
  });

  it('and not by what all logs are called', async () => {
    threeSessions();
    for (const arg of ['session', 'jsonl', 'sess'])
      expect(await resolveResumableSession(arg, '/work/app', APP, { storage: { disk } })).toEqual({ kind: 'none' });
    expect(await resolveResumableSession('alpha', '/work/app', APP, { storage: { disk } })).toMatchObject({
      kind: 'several',
    });
  });

  it('in a store: first among those of the project', async () => {
    threeSessions();
    const store = new ProjectSessionStore({ root: ROOT, storage: new DiskSessionStorage(disk) });
    expect(await resolveResumableSession('alpha-1', '/work/app', undefined, { store })).toMatchObject({
      scope: 'project',
      session: { id: 'alpha-1' },
    });
    expect(await resolveResumableSession('beta', '/work/app', undefined, { store })).toMatchObject({
      scope: 'elsewhere',
      session: { id: 'beta-1' },
    });
    expect(await resolveResumableSession('gamma', '/work/app', undefined, { store })).toEqual({ kind: 'none' });
    const [, second] = await listSessions('', undefined, { store });
    expect(await resolveResumableSession(second!.path, '/work/app', undefined, { store })).toMatchObject({
      scope: 'path',
      session: { id: second!.id },
    });
  });

  it('by the directory that an id is spelled as', () => {
    const odd = { id: 'a/b', path: `${APP}/a~002Fb/session.jsonl.zstd` };
    expect(matchSessions('a/b', [odd])).toEqual([odd]);
    expect(matchSessions('a~002f', [odd])).toEqual([odd]);
    expect(matchSessions('session', [odd])).toEqual([]);
  });
});

describe('with a store', () => {
  it('all ask it instead of folders', async () => {
    threeSessions();
    const store = new ProjectSessionStore({ root: ROOT, storage: new DiskSessionStorage(disk) });
    const nowhere = '/no/such/folder';
    expect(ids(await listSessions(nowhere, undefined, { store, cwd: '/work/app' }))).toEqual(['alpha-2', 'alpha-1']);
    expect(ids(await listAllSessions(undefined, { store }))).toEqual(['alpha-2', 'beta-1', 'alpha-1']);
    expect(ids(await getRecentSessions(nowhere, 2, undefined, { store }))).toEqual(['alpha-2', 'beta-1']);
    expect(await findMostRecentSession(nowhere, undefined, { store, cwd: '/work/other' })).toBe(
      `${ROOT}/--work-other--/beta-1/session.jsonl.zstd`,
    );
  });

  it('what is wrong with one session is told, and costs none of the others', async () => {
    threeSessions();
    disk.writeFile(`${APP}/bad/session.jsonl.zstd`, new TextEncoder().encode('not a frame'));
    const problems: Problem[] = [];
    const store = new ProjectSessionStore({ root: ROOT, storage: new DiskSessionStorage(disk) });
    const found = await listAllSessions(undefined, { store, onProblem: (one) => problems.push(one) });
    expect(ids(found)).toEqual(['alpha-2', 'beta-1', 'alpha-1']);
    expect(problems.map(({ path: at }) => at)).toEqual([`${APP}/bad/session.jsonl.zstd`]);
  });

  it('in memory: sessions are known by their ids', async () => {
    const store = new MemorySessionStore();
    const handle = store.create({
      type: 'session',
      version: 3,
      id: 'm1',
      timestamp: '2026-01-01T00:00:00.000Z',
      cwd: '/work/app',
    });
    handle.appendSync([{ value: JSON.parse(lines('m1', '/work/app', ['hello'])[1]!) as never }]);
    await handle.close();
    expect(await listAllSessions(undefined, { store })).toMatchObject([
      { path: 'm1', id: 'm1', firstMessage: 'hello', messageCount: 1 },
    ]);
  });
});

describe('a large compressed log', () => {
  /** Counts the stored bytes that are read of files. */
  function counting(inner: Disk): { disk: Disk; read: () => number } {
    let bytes = 0;
    const counted = <T extends object>(target: T, wrap: (name: string | symbol, value: unknown) => unknown): T =>
      new Proxy(target, {
        get(on, name) {
          const value: unknown = Reflect.get(on, name, on);
          return wrap(name, typeof value === 'function' ? (value.bind(on) as unknown) : value);
        },
      });
    const file = <T extends object>(one: T): T =>
      counted(one, (name, value) => {
        if (name !== 'readSync' && name !== 'read') return value;
        return (...args: unknown[]) => {
          const got = (value as (...all: unknown[]) => number | Promise<number>)(...args);
          if (typeof got === 'number') bytes += got;
          else void got.then((n) => (bytes += n));
          return got;
        };
      });
    const wrapped = counted(inner, (name, value) => {
      if (name !== 'openSync' && name !== 'openNoFollow' && name !== 'openNoFollowSync') return value;
      return (...args: unknown[]) => {
        const opened = (value as (...all: unknown[]) => object | Promise<object>)(...args);
        return opened instanceof Promise ? opened.then(file) : file(opened);
      };
    });
    return { disk: wrapped, read: () => bytes };
  }

  it('is listed from its ends', async () => {
    const noise = (n: number): string =>
      Array.from({ length: 400 }, (_, i) => ((n * 7919 + i * 104_729) % 1_000_003).toString(36)).join('');
    const texts = Array.from({ length: 3000 }, (_, n) => `${String(n)} ${noise(n)}`);
    put(`${APP}/large/session.jsonl.zstd`, lines('large', '/work/app', texts));
    const size = disk.statSync(`${APP}/large/session.jsonl.zstd`).size;
    expect(size).toBeGreaterThan(1_000_000);
    const { disk: counted, read } = counting(disk);
    const [info] = await listSessions(APP, { disk: counted });
    expect(info).toMatchObject({ id: 'large', firstMessage: texts[0], status: 'complete', size });
    expect(info!.allMessagesText.endsWith(texts.at(-1)!)).toBe(true);
    expect(info!.messageCount).toBeLessThan(3000);
    expect(read()).toBeLessThan(300_000);
    const [whole] = await listSessions(APP, { disk }, { full: true });
    expect(whole!.messageCount).toBe(3000);
  });

  it.each([1, 2, 3, 10, 40, 200])('of %i messages says what a raw one says', async (count) => {
    const texts = Array.from({ length: count }, (_, n) => `${String(n)} ${'text '.repeat(60)}`);
    const log = lines('same', '/work/app', texts);
    put('/raw/--work-app--/same/session.jsonl', log);
    put('/zstd/--work-app--/same/session.jsonl.zstd', log);
    const [raw] = await listSessions('/raw/--work-app--', { disk }, { full: true });
    const [zstd] = await listSessions('/zstd/--work-app--', { disk });
    const [full] = await listSessions('/zstd/--work-app--', { disk }, { full: true });
    const said = ({ path: _, size: __, modified: ___, ...rest }: NonNullable<typeof raw>) => rest;
    expect(said(full!)).toEqual(said(raw!));
    // Of one that is not short the ends are the last word.
    expect(zstd!.firstMessage).toBe(raw!.firstMessage);
    expect(zstd!.status).toBe(raw!.status);
    expect(zstd!.messageCount).toBeLessThanOrEqual(count);
    if (count <= 40) expect(said(zstd!)).toEqual(said(raw!));
  });

  it('with an end that is not finished counts nothing twice', async () => {
    put(`${APP}/torn/session.jsonl.zstd`, lines('torn', '/work/app', ['q', 'a', 'q2']));
    const open = disk.openSync(`${APP}/torn/session.jsonl.zstd`, 'readwrite');
    open.truncateSync(open.statSync().size - 5);
    open.closeSync();
    const [info] = await listSessions(APP, { disk });
    expect(info!.messageCount).toBeLessThanOrEqual(3);
    expect(info!.allMessagesText.startsWith('q a')).toBe(true);
  });
});
