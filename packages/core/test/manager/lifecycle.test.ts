import { afterEach, describe, expect, it, vi } from 'vitest';

import { SessionManager } from '../../src/manager/session-manager.ts';
import { shapesFor } from '../../src/shapes/registry.ts';
import { MemorySessionStore } from '../../src/store/memory-store.ts';
import { assistant, user, World } from './world.ts';

afterEach(() => vi.unstubAllEnvs());

function answered(manager: SessionManager): SessionManager {
  manager.appendMessage(user('q'));
  manager.appendMessage(assistant('a'));
  return manager;
}

describe('where a session lies', () => {
  it.each([
    ['musepi', '/agent/sessions/--work-app--/'],
    ['pi', '/agent/sessions/--work-app--/'],
  ] as const)('in %s: the folder of its project in that of the agent', (dialect, folder) => {
    const world = new World(dialect);
    const manager = answered(world.create());
    expect(manager.getSessionFile()).toContain(folder);
    expect(world.text(manager.getSessionFile()!)).not.toBeNull();
  });

  it('in a folder of the caller’s; without blobs of its own', () => {
    const world = new World('musepi');
    const image = 'A'.repeat(2000);
    const manager = world.create('/work/app', '/elsewhere/flat');
    manager.appendMessage({ role: 'user', content: [{ type: 'image', data: image, mimeType: 'image/png' }] });
    answered(manager);
    expect(manager.getSessionFile()).toMatch(/^\/elsewhere\/flat\/[^/]+\.jsonl$/);
    expect(world.names('/agent/blobs')).toHaveLength(1);
  });

  it('among the sessions of another agent folder: with the blobs of that one', () => {
    const world = new World('musepi');
    const manager = world.create('/work/app', '/other/agent/sessions/-x');
    manager.appendMessage({ role: 'user', content: [{ type: 'image', data: 'A'.repeat(2000), mimeType: 'image/png' }] });
    answered(manager);
    expect(manager.getSessionFile()).toMatch(/^\/other\/agent\/sessions\/-x\//);
    expect(world.names('/other/agent/blobs')).toHaveLength(1);
  });

  it('in the folder that the environment names for Pi', () => {
    const world = new World('pi');
    vi.stubEnv('PI_CODING_AGENT_SESSION_DIR', '/flat');
    expect(world.create().getSessionFile()).toMatch(/^\/flat\/[^/]+\.jsonl$/);
  });

  const header = '{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/work/app"}\n';
  const change = (fields: string): string =>
    `{"type":"model_change","id":"e1","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z",${fields}}\n`;

  it.each([
    ['whose folder it is', '/home/ann/.pi/agent/sessions/--work-app--/s.jsonl', header, { provider: 'p', modelId: 'm' }],
    ['that it shows', '/work/app/s.jsonl', header + change('"provider":"x","modelId":"y"'), { provider: 'p', modelId: 'm' }],
    ['that it shows, in another’s folder', '/home/ann/.pi/s.jsonl', header + change('"model":"x/y"'), { model: 'p/m' }],
    ['that is the default', '/work/app/s.jsonl', header, { model: 'p/m' }],
  ])('is gone on with in the dialect %s', (_, file, text, fields) => {
    const world = new World('musepi');
    world.put(file, text);
    const { dialect: _dialect, ...options } = world.options;
    const manager = SessionManager.open(file, undefined, undefined, options);
    expect(manager.getEntry(manager.appendModelChange('p', 'm'))).toMatchObject(fields);
  });
});

describe('going from one session to another', () => {
  it('newSession stores the old one and lets go of it', () => {
    const world = new World('musepi');
    const manager = answered(world.create());
    const old = manager.getSessionFile()!;
    const fresh = manager.newSession({ title: 'Named', titleSource: 'user', parentSession: 'p' });
    expect(fresh).not.toBe(old);
    expect(manager.getEntries()).toEqual([]);
    expect(manager.getHeader()).toMatchObject({ title: 'Named', titleSource: 'user', parentSession: 'p', cwd: '/work/app' });
    expect(world.open(old).getEntries()).toHaveLength(2);
  });

  it('setSessionFile opens another file, and this one again', async () => {
    const world = new World('musepi');
    const other = answered(world.create());
    await other.close();
    const manager = answered(world.create());
    const first = manager.getSessionFile()!;
    manager.setSessionFile(other.getSessionFile()!);
    expect(manager.getEntries()).toEqual(other.getEntries());
    manager.setSessionFile(first);
    expect(manager.getSessionFile()).toBe(first);
    manager.branch(manager.getEntries()[0]!.id);
    manager.setSessionFile(first);
    expect(manager.getLeafId()).toBe(manager.getEntries().at(-1)!.id);
    manager.appendMessage(user('goes on'));
    expect(world.records(first)).toHaveLength(4);
  });

  it('stays where it was when the other file cannot be opened', () => {
    const world = new World('musepi');
    const other = answered(world.create());
    const manager = answered(world.create());
    expect(() => manager.setSessionFile(other.getSessionFile()!)).toThrow(expect.objectContaining({ code: 'session_owned' }));
    manager.appendMessage(user('still here'));
    expect(world.records(manager.getSessionFile()!)).toHaveLength(4);
  });

  it.each<[string, (manager: SessionManager) => unknown]>([
    ['a new one', (manager) => manager.newSession()],
    ['a fork', (manager) => manager.fork()],
  ])('lets a rename and a rewrite that are on their way finish before %s', async (_, go) => {
    const world = new World('musepi');
    const manager = answered(world.create());
    const file = manager.getSessionFile()!;
    const renamed = manager.setSessionName('late name', 'user');
    const rewritten = manager.rewriteEntries();
    go(manager);
    await expect(renamed).resolves.toBe(true);
    await rewritten;
    await vi.waitFor(() => world.open(file));
    expect(world.records(file)[0]).toMatchObject({ title: 'late name' });
  });

  it('says by its fork where it came from, as its agents do', () => {
    for (const [dialect, what] of [
      ['musepi', 'id'],
      ['pi', 'path'],
    ] as const) {
      const world = new World(dialect);
      const manager = answered(world.create());
      const id = manager.getSessionId();
      const { oldSessionFile } = manager.fork()!;
      expect(manager.getHeader().parentSession).toBe(what === 'id' ? id : oldSessionFile);
      expect(manager.getHeader()['providerPromptCacheKey']).toBe(dialect === 'musepi' ? id : undefined);
    }
  });

  it('deletes a session with its artifacts and its pause', async () => {
    const world = new World('musepi');
    vi.stubEnv('JOURNAL_DIR', '/journal');
    const manager = answered(world.create());
    const file = manager.getSessionFile()!;
    world.put(`${file.replace('.jsonl', '')}/0.bash.log`, 'x');
    world.put(`/journal/${manager.getSessionId()}.pause.json`, '{}');
    await manager.delete();
    expect(world.names(file.replace(/\/[^/]*$/, ''))).toEqual([]);
    expect(world.names('/journal')).toEqual([]);
    expect(() => manager.appendMessage(user('x'))).toThrow(expect.objectContaining({ code: 'storage_closed' }));
  });

  it('deletes nothing of a session that was never stored', async () => {
    const manager = SessionManager.inMemory('/work/app');
    await manager.delete();
    await new World('pi').create().delete();
    expect(manager.getEntries()).toEqual([]);
  });
});

describe('listing', () => {
  it('answers the sessions of a project, and of all, and continues the last one', async () => {
    const world = new World('musepi');
    world.inner.mkdirSync('/work/other');
    const here = answered(world.create());
    await here.close();
    const there = answered(world.create('/work/other'));
    await there.close();
    expect((await SessionManager.list('/work/app', undefined, world.options)).map(({ id }) => id)).toEqual([here.getSessionId()]);
    const all = await SessionManager.listAll(world.options);
    expect(all.map(({ cwd }) => cwd).sort()).toEqual(['/work/app', '/work/other']);
    vi.stubEnv('TMUX_PANE', '%other');
    expect(SessionManager.continueRecent('/work/app', undefined, world.options).getSessionId()).toBe(here.getSessionId());
    expect(SessionManager.continueRecent('/work/none', undefined, world.options).getEntries()).toEqual([]);
  });

  it('of a shared folder answers those of the project only, in Pi', async () => {
    const world = new World('pi');
    for (const cwd of ['/work/app', '/work/other']) await answered(world.create(cwd, '/flat')).close();
    const listed = await SessionManager.list('/work/other', '/flat', world.options);
    expect(listed.map(({ cwd }) => cwd)).toEqual(['/work/other']);
  });
});

describe('a store of one’s own', () => {
  it('is all that a manager needs', async () => {
    const store = new MemorySessionStore({ shapes: shapesFor('pi') });
    const manager = answered(SessionManager.create('/work/app', undefined, { store }));
    const id = manager.getSessionId();
    await manager.close();
    expect(SessionManager.continueRecent('/work/app', undefined, { store }).getSessionId()).toBe(id);
    expect(SessionManager.continueRecent('/work/none', undefined, { store }).getSessionId()).not.toBe(id);
    expect(SessionManager.forkFrom(id, '/work/b', undefined, { store }).getEntries()).toHaveLength(2);
  });
});

describe('a session that is not written to', () => {
  it.each([
    ['version 1', '{"type":"session","id":"s1","cwd":"/work/app"}\n{"type":"message","message":{"role":"user","content":"a"}}\n'],
    ['a torn end', '{"type":"session","version":3,"id":"s1","cwd":"/work/app"}\n{"type":"mess'],
    ['no header', 'plain text\n'],
  ])('stays byte for byte what it was: %s', async (_, text) => {
    const world = new World('pi');
    world.put('/work/app/s.jsonl', text);
    const { mtimeNs } = world.inner.statSync('/work/app/s.jsonl');
    const manager = world.open('/work/app/s.jsonl');
    manager.getTree();
    manager.buildSessionContext();
    await manager.flush();
    manager.flushSync();
    await manager.close();
    expect(world.text('/work/app/s.jsonl')).toBe(text);
    expect(world.inner.statSync('/work/app/s.jsonl').mtimeNs).toBe(mtimeNs);
    expect(world.names('/work/app')).toEqual(['s.jsonl']);
  });
});

describe('what a caller may ask for', () => {
  it('that every write survives a power failure', () => {
    const world = new World('pi');
    const operations: string[] = [];
    world.fault = (operation) => {
      operations.push(operation);
      return null;
    };
    const manager = SessionManager.create('/work/app', undefined, { ...world.options, durable: true });
    answered(manager);
    operations.length = 0;
    manager.appendMessage(user('kept'));
    expect(operations).toContain('fsync');
    expect(operations.indexOf('fsync')).toBeGreaterThan(operations.indexOf('write'));
  });

  it('ids of its own making, which are asked for again where they are taken', () => {
    const given = ['one', 'one', 'two'];
    const manager = SessionManager.inMemory('/work/app', { newId: () => given.shift() ?? 'two' });
    expect([manager.appendCustomEntry('x'), manager.appendCustomEntry('x')]).toEqual(['one', 'two']);
    expect(manager.appendCustomEntry('x')).not.toBe('two');
  });

  it('another working directory for a session whose own is gone, or says none', () => {
    const world = new World('pi');
    for (const [i, cwd] of ['"/gone"', '5', '"/work/app"'].entries()) {
      world.put(`/work/app/${String(i)}.jsonl`, `{"type":"session","version":3,"id":"s${String(i)}","cwd":${cwd}}\n`);
    }
    const cwdOf = (i: number, override?: string): string =>
      SessionManager.open(`/work/app/${String(i)}.jsonl`, undefined, override, world.options).getCwd();
    expect([cwdOf(0), cwdOf(1), cwdOf(2)]).toEqual([process.cwd(), process.cwd(), '/work/app']);
    const other = new World('pi');
    other.put('/work/app/s.jsonl', '{"type":"session","version":3,"id":"s","cwd":"/work/app"}\n');
    expect(SessionManager.open('/work/app/s.jsonl', undefined, '/elsewhere', other.options).getCwd()).toBe('/elsewhere');
  });
});

describe('when something cannot be', () => {
  it('a session of a version that we do not know is not opened for writing, nor touched', () => {
    const world = new World('pi');
    const text = '{"type":"session","version":99,"id":"s1","cwd":"/work/app"}\n';
    world.put('/work/app/s.jsonl', text);
    expect(() => world.open('/work/app/s.jsonl')).toThrow(expect.objectContaining({ code: 'session_newer' }));
    expect(world.text('/work/app/s.jsonl')).toBe(text);
  });

  it('a copy that cannot be stored leaves the session where it was, and can be made later', () => {
    const world = new World('musepi');
    const manager = answered(world.create());
    const [q] = manager.getEntries();
    world.fault = (operation) => (operation === 'write' ? { error: 'ENOSPC' } : null);
    for (const copy of [
      () => manager.fork(),
      () => manager.createBranchedSession(q!.id),
      () => SessionManager.forkFrom(manager.getSessionFile()!, '/work/app', undefined, world.options),
      () => world.open('/work/app/new.jsonl'),
    ]) {
      expect(copy).toThrow(expect.objectContaining({ code: 'storage_io' }));
    }
    world.fault = () => null;
    manager.appendMessage(user('goes on'));
    expect(world.records(manager.getSessionFile()!)).toHaveLength(4);
    expect(manager.createBranchedSession(q!.id).getEntries()).toEqual([q]);
    expect(world.open('/work/app/new.jsonl').getEntries()).toEqual([]);
  });
});

describe('a disk that refuses something', () => {
  it('is said so when another file is opened, and the session stays where it was', () => {
    let refused = 0;
    for (let at = 0, met = true; met; at++) {
      const world = new World('musepi');
      world.put('/work/app/other.jsonl', '{"type":"session","version":3,"id":"s1","cwd":"/work/app"}\n');
      const manager = answered(world.create());
      const file = manager.getSessionFile()!;
      manager.flushSync();
      let count = 0;
      met = false;
      world.fault = () => {
        if (count++ !== at) return null;
        met = true;
        return { error: 'EIO' };
      };
      try {
        manager.setSessionFile('/work/app/other.jsonl');
      } catch (error) {
        refused++;
        expect(error).toMatchObject({ code: 'storage_io' });
        expect(manager.getSessionFile()).toBe(file);
      }
      world.fault = () => null;
      manager.appendMessage(user('goes on'));
    }
    expect(refused).toBeGreaterThan(3);
  });
});

describe('deleting through a manager that was closed', () => {
  it('leaves a session alone that somebody has open', async () => {
    const world = new World('musepi');
    const manager = answered(world.create());
    const file = manager.getSessionFile()!;
    await manager.close();
    const other = world.open(file);
    await expect(manager.delete()).rejects.toMatchObject({ code: 'session_owned' });
    other.appendMessage(user('still here'));
    expect(world.records(file)).toHaveLength(4);
    await other.close();
    await manager.delete();
    expect(world.text(file)).toBeNull();
  });
});

describe('names', () => {
  it('made up ones never replace those of a person, and there is always one in musepi', async () => {
    const world = new World('musepi');
    const manager = answered(world.create());
    expect(await manager.setSessionName('made up')).toBe(true);
    expect(await manager.setSessionName('by hand', 'user')).toBe(true);
    expect(await manager.setSessionName('made up again')).toBe(false);
    expect(await manager.setSessionName(' \n ', 'user')).toBe(false);
    expect(manager.getSessionName()).toBe('by hand');
    await manager.close();
    const again = world.open(manager.getSessionFile()!);
    expect(again.getSessionName()).toBe('by hand');
    expect(again.getEntries().filter(({ type }) => type === 'title_change')).toHaveLength(2);
  });
});

describe('a rewrite that is on its way', () => {
  const pruned = (manager: SessionManager): ReturnType<SessionManager['getEntries']> =>
    manager.getEntries().map((entry) => (entry.type === 'custom' ? { ...entry, data: 'pruned' } : entry));

  it.each<[string, (manager: SessionManager) => unknown]>([
    ['an append', (manager) => manager.appendMessage(user('meanwhile'))],
    ['a flush that cannot wait', (manager) => manager.flushSync()],
    ['both', (manager) => [manager.appendMessage(user('meanwhile')), manager.flushSync(), manager.appendMessage(user('more'))]],
    ['another rewrite', (manager) => void manager.rewriteEntries(pruned(manager).slice(0, -1))],
  ])('is not in the way of %s', async (_, work) => {
    const world = new World('musepi');
    const manager = answered(world.create());
    for (let i = 0; i < 50; i++) manager.appendCustomEntry('x', 'y'.repeat(100_000));
    const rewritten = manager.rewriteEntries(pruned(manager));
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    work(manager);
    await rewritten;
    await manager.flush();
    expect(world.records(manager.getSessionFile()!).slice(1)).toEqual(JSON.parse(JSON.stringify(manager.getEntries())));
  });
});
