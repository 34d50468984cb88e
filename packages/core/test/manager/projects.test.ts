import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ZstdDisk } from '../../src/codec/zstd/zstd-disk.ts';
import { compressFrame } from '../../src/codec/zstd/engine.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import type { SessionManagerOptions } from '../../src/manager/options.ts';
import { SessionManager } from '../../src/manager/session-manager.ts';
import { pi } from '../../src/shapes/pi.ts';
import type { LogEncoding } from '../../src/shapes/projects.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';
import { BucketSessionStore } from '../../src/store/bucket-store.ts';
import { MemorySessionStore } from '../../src/store/memory-store.ts';
import { ProjectSessionStore } from '../../src/store/project-store.ts';
import { clock, readIfThere } from './places.ts';
import { assistant, user } from './world.ts';

const IMAGE = Buffer.alloc(3000, 'picture').toString('base64');
const picture = { role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: IMAGE }] };

let disk: MemoryDisk;
let storage: DiskSessionStorage;
let now: () => number;

beforeEach(() => {
  now = clock();
  disk = new MemoryDisk(now);
  storage = new DiskSessionStorage(disk);
  for (const folder of ['/work/app', '/work/other', '/tmp']) disk.mkdirSync(folder);
  vi.stubEnv('PI_CODING_AGENT_DIR', '/agent');
  vi.stubEnv('ZELLIJ_PANE_ID', '');
  vi.stubEnv('TMUX_PANE', '%1');
});
afterEach(() => vi.unstubAllEnvs());

const storeOf = (encoding: LogEncoding = 'zstd'): ProjectSessionStore =>
  new ProjectSessionStore({ root: '/root', encoding, storage, now });
const names = (folder: string): string[] =>
  disk
    .readdirSync(folder)
    .map(({ name }) => name)
    .filter((name) => !name.endsWith('.owner'))
    .sort();
const isThere = (at: string): boolean => storage.existsSync(at);
const put = (at: string, text: string): void => disk.writeFile(at, new TextEncoder().encode(text));
const textOf = (at: string): string => new TextDecoder().decode(readIfThere(new ZstdDisk(disk), at) ?? undefined);
const bytesOf = (at: string): string => Buffer.from(readIfThere(disk, at) ?? []).toString('hex');

/** A stored session with a picture. */
async function session(id: string, options: SessionManagerOptions, cwd = '/work/app'): Promise<string> {
  const manager = SessionManager.create(cwd, undefined, { ...options, sessionId: id, now });
  manager.appendMessage(picture);
  manager.appendMessage(assistant(`answer of ${id}`));
  await manager.close();
  return manager.getSessionFile()!;
}

const byPath = (file: string): SessionManager => SessionManager.open(file, undefined, undefined, { storage, now });
const isWhole = (manager: SessionManager): boolean => JSON.stringify(manager.getEntries()).includes(IMAGE);

describe.each(['raw', 'zstd'] as const)('a %s session that is opened by its path', (encoding) => {
  const log = encoding === 'zstd' ? 'session.jsonl.zstd' : 'session.jsonl';

  it('is whole, goes on in its file, and has what belongs to it in its own directory', async () => {
    const file = await session('s1', { store: storeOf(encoding) });
    expect(file).toBe(`/root/--work-app--/s1/${log}`);
    const manager = byPath(file);
    expect(isWhole(manager)).toBe(true);
    manager.appendMessage({ ...picture, content: [{ ...picture.content[0], data: IMAGE.toLowerCase() }] });
    await manager.close();
    expect(names('/root/--work-app--/s1')).toEqual(['blobs', log]);
    expect(names('/root/--work-app--/s1/blobs')).toHaveLength(2);
    expect(textOf(file).trimEnd().split('\n')).toHaveLength(4);
    expect(isThere('/agent')).toBe(false);
  });

  it('is found by its directory, too', async () => {
    await session('s1', { store: storeOf(encoding) });
    const manager = byPath('/root/--work-app--/s1');
    expect([manager.getSessionId(), isWhole(manager)]).toEqual(['s1', true]);
    await manager.close();
  });

  it('has its forks, branches and successors beside it, encoded alike', async () => {
    const manager = byPath(await session('s1', { store: storeOf(encoding) }));
    const branch = manager.createBranchedSession(manager.getLeafId()!);
    const { newSessionFile } = manager.fork()!;
    manager.newSession({ id: 'next' });
    manager.appendMessage(assistant('in the next one'));
    for (const one of [branch, manager]) await one.close();
    for (const at of [newSessionFile, branch.getSessionFile()!, manager.getSessionFile()!])
      expect(at.replace(/^\/root\/--work-app--\/[^/]+\//, '')).toBe(log);
    expect(names('/root/--work-app--')).toHaveLength(4);
    const fork = byPath(newSessionFile);
    expect(isWhole(fork)).toBe(true);
    expect(fork.getHeader().parentSession).toBe('s1');
    await fork.close();
  });

  it('is what its directory is named after where there is none yet', async () => {
    const manager = SessionManager.open(`/root/--work-app--/chosen/${log}`, undefined, '/work/app', { storage, now });
    expect(manager.getSessionId()).toBe('chosen');
    await manager.close();
    const { sessions, problems } = await storeOf().list();
    expect([sessions.map(({ id }) => id), problems]).toEqual([['chosen'], []]);
  });

  it('is written as the one who began it did', async () => {
    const store = new ProjectSessionStore({ root: '/root', encoding, shapes: pi, storage, now });
    const begun = SessionManager.create('/work/app', undefined, { store, dialect: 'pi', sessionId: 's1', now });
    begun.appendModelChange('p', 'm');
    begun.appendMessage(assistant('a'));
    await begun.close();
    const manager = byPath(begun.getSessionFile()!);
    manager.appendModelChange('q', 'n');
    expect(manager.getEntries().at(-1)).toMatchObject({ provider: 'q', modelId: 'n' });
    await manager.close();
  });
});

it('a file of a bucket that is called like a log is a file', async () => {
  put('/agent/sessions/--work-app--/session.jsonl', '{"type":"session","version":3,"id":"s1","cwd":"/work/app"}\n');
  const manager = byPath('/agent/sessions/--work-app--/session.jsonl');
  const { newSessionFile } = manager.fork()!;
  expect(newSessionFile).toMatch(/^\/agent\/sessions\/--work-app--\/[^/]+\.jsonl$/);
  await manager.close();
});

it('a sub-session in the folder of a session file is a file', async () => {
  put('/agent/sessions/--work-app--/one.jsonl', '{"type":"session","version":3,"id":"s1","cwd":"/work/app"}\n');
  put('/agent/sessions/--work-app--/one/session.jsonl', '{"type":"session","version":3,"id":"s2","cwd":"/work/app"}\n');
  const manager = byPath('/agent/sessions/--work-app--/one/session.jsonl');
  expect(manager.fork()!.newSessionFile).toMatch(/^\/agent\/sessions\/--work-app--\/one\/[^/]+\.jsonl$/);
  await manager.close();
});

it('a compressed log is not taken for a damaged file, wherever it lies', async () => {
  const bytes = compressFrame(new TextEncoder().encode('{"type":"session","version":3,"id":"s1","cwd":"/work/app"}\n'));
  disk.writeFile('/tmp/copy.jsonl.zstd', bytes);
  const manager = byPath('/tmp/copy.jsonl.zstd');
  manager.appendMessage(assistant('a'));
  await manager.close();
  expect(textOf('/tmp/copy.jsonl.zstd').split('\n')).toHaveLength(3);
  expect(names('/tmp')).toEqual(['copy.jsonl.zstd']);

  const buckets = new BucketSessionStore({ agentDir: '/agent', storage, now });
  expect(() => SessionManager.open('/tmp/copy.jsonl.zstd', undefined, undefined, { store: buckets })).toThrow(
    expect.objectContaining({ code: 'unsupported' }),
  );
  expect(names('/tmp')).toEqual(['copy.jsonl.zstd']);
});

it('a log of DeepSeek Harness is read by others, and never written', () => {
  const file = '/root/--work-app--/s1/session.jsonl';
  put(file, '{"type":"session","version":0,"id":"s1","createdAt":1767225600000,"cwd":"/work/app"}\n');
  expect(() => byPath(file)).toThrow(expect.objectContaining({ code: 'unsupported' }));
  expect(names('/root/--work-app--/s1')).toEqual(['session.jsonl']);
});

describe('setSessionFile', () => {
  it('leads from a file into a project directory and back', async () => {
    const inProject = await session('p1', { store: storeOf() });
    const inBucket = await session('b1', { storage });
    const before = bytesOf(inProject);
    const manager = byPath(inBucket);
    manager.setSessionFile(inProject);
    expect([manager.getSessionId(), isWhole(manager)]).toEqual(['p1', true]);
    expect(bytesOf(inProject)).toBe(before);
    manager.appendMessage(user('here'));
    expect(manager.fork()!.newSessionFile).toMatch(/^\/root\/.*\.zstd$/);
    manager.setSessionFile(inBucket);
    expect([manager.getSessionId(), isWhole(manager)]).toEqual(['b1', true]);
    expect(manager.fork()!.newSessionFile).toMatch(/^\/agent\/sessions\//);
    await manager.close();
    expect(names('/root/--work-app--/p1')).toEqual(['blobs', 'session.jsonl.zstd']);
  });
});

describe('forkFrom', () => {
  it('copies what belongs to a session, and not its log', async () => {
    const file = await session('s1', { store: storeOf('raw') });
    put('/root/--work-app--/s1/notes/plan.md', 'plan');
    put('/root/--work-app--/s1/session.jsonl.before-01234567', 'old');
    const fork = SessionManager.forkFrom(file, '/work/other', undefined, { store: storeOf('zstd'), now });
    await fork.close();
    const folder = `/root/--work-other--/${fork.getSessionId()}`;
    expect(names(folder)).toEqual(['blobs', 'notes', 'session.jsonl.zstd']);
    expect(textOf(`${folder}/notes/plan.md`)).toBe('plan');
    expect(isWhole(byPath(folder))).toBe(true);

    const bare = SessionManager.forkFrom(file, '/work/other', undefined, { store: storeOf(), copyArtifacts: false, now });
    await bare.close();
    expect(names(`/root/--work-other--/${bare.getSessionId()}`)).toEqual(['blobs', 'session.jsonl.zstd']);
  });

  it('brings a session file with its pictures and artifacts into project directories', async () => {
    const file = await session('b1', { storage });
    put(`${file.slice(0, -'.jsonl'.length)}/out.txt`, 'out');
    put(`${file.slice(0, -'.jsonl'.length)}/session.jsonl`, 'no log of the fork');
    const fork = SessionManager.forkFrom(file, '/work/app', undefined, { store: storeOf(), now });
    await fork.close();
    const folder = `/root/--work-app--/${fork.getSessionId()}`;
    expect(names(folder)).toEqual(['blobs', 'out.txt', 'session.jsonl.zstd']);
    expect(isWhole(byPath(folder))).toBe(true);
    expect(fork.problems).toEqual([]);
  });

  it('brings a session of a project directory among the files of an agent', async () => {
    const file = await session('p1', { store: storeOf() });
    put('/root/--work-app--/p1/out.txt', 'out');
    const fork = SessionManager.forkFrom(file, '/work/app', undefined, { storage, now });
    await fork.close();
    const at = fork.getSessionFile()!;
    expect(at).toMatch(/^\/agent\/sessions\/--work-app--\//);
    expect(names(at.slice(0, -'.jsonl'.length))).toEqual(['out.txt']);
    expect(isWhole(byPath(at))).toBe(true);

    const buckets = new BucketSessionStore({ agentDir: '/other', storage, now });
    const second = SessionManager.forkFrom(file, '/work/app', undefined, { store: buckets, now });
    await second.close();
    expect(second.getSessionFile()).toMatch(/^\/other\/sessions\//);
    expect(isWhole(second)).toBe(true);
  });
});

describe('a store that is given', () => {
  it('goes on with the newest session of a working directory, and never with another’s', async () => {
    const store = storeOf();
    await session('old', { store });
    await session('new', { store });
    await session('elsewhere', { store }, '/work/other');
    const manager = SessionManager.continueRecent('/work/app', undefined, { store, now });
    expect(manager.getSessionId()).toBe('new');
    await manager.close();
    const fresh = SessionManager.continueRecent('/tmp', undefined, { store, now });
    expect(fresh.getEntries()).toEqual([]);
    expect(isThere('/root/--tmp--')).toBe(false);
    await fresh.close();
    expect(isThere('/agent')).toBe(false);
  });

  it.each<[string, () => ProjectSessionStore | BucketSessionStore | MemorySessionStore]>([
    ['project directories', () => storeOf()],
    ['raw project directories', () => storeOf('raw')],
    ['buckets', () => new BucketSessionStore({ agentDir: '/agent', storage, now })],
    ['memory', () => new MemorySessionStore({ now })],
  ])('of %s lists its sessions', async (_, make) => {
    const store = make();
    for (const [id, cwd] of [
      ['one', '/work/app'],
      ['two', '/work/other'],
      ['three', '/work/app'],
    ] as const)
      await session(id, { store }, cwd);
    const here = await SessionManager.list('/work/app', undefined, { store });
    expect(here.map(({ id, cwd, messageCount, status }) => [id, cwd, messageCount, status])).toEqual([
      ['three', '/work/app', 2, 'complete'],
      ['one', '/work/app', 2, 'complete'],
    ]);
    expect(here[0]!.allMessagesText).toContain('answer of three');
    expect((await SessionManager.listAll({ store })).map(({ id }) => id)).toEqual(['three', 'two', 'one']);
    const again = SessionManager.open(here[1]!.path, undefined, undefined, { store });
    expect(again.getSessionId()).toBe('one');
    await again.close();
  });

  it('moves a session with all that belongs to it, and deletes it with that', async () => {
    const store = storeOf();
    await session('s1', { store });
    put('/root/--work-app--/s1/out.txt', 'out');
    const manager = SessionManager.open('s1', undefined, undefined, { store, now });
    await manager.moveTo('/work/other');
    manager.appendMessage(user('moved'));
    expect(manager.getSessionFile()).toBe('/root/--work-other--/s1/session.jsonl.zstd');
    // Its header is another now: what was not begun by this manager is kept beside it.
    expect(names('/root/--work-other--/s1')).toEqual([
      'blobs',
      'out.txt',
      'session.jsonl.zstd',
      expect.stringMatching(/^session\.jsonl\.zstd\.before-[0-9a-f]{8}$/),
    ]);
    expect(isThere('/root/--work-app--/s1')).toBe(false);
    await manager.close();
    const again = SessionManager.open('s1', undefined, undefined, { store, now });
    expect([again.getCwd(), isWhole(again), again.getEntries().length]).toEqual(['/work/other', true, 3]);
    await again.delete();
    expect(isThere('/root/--work-other--/s1')).toBe(false);
    expect(await SessionManager.listAll({ store })).toEqual([]);
  });

  it('deletes the session that was opened where another has its id', async () => {
    const store = storeOf();
    const file = await session('s1', { store });
    const twin = '/root/--work-other--/s1/session.jsonl';
    put(twin, textOf(file));
    const manager = SessionManager.open(file, undefined, undefined, { store, now });
    await manager.delete();
    expect([isThere('/root/--work-app--/s1'), isThere(twin)]).toEqual([false, true]);
  });

  it('goes on in the working directory of the caller where the session’s own has gone', async () => {
    const store = storeOf();
    await session('s1', { store }, '/work/gone');
    const manager = SessionManager.open('s1', undefined, undefined, { store, now });
    expect(manager.getCwd()).toBe(process.cwd());
    await manager.close();
  });
});
