import * as fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import type { SessionHeader } from '../../src/index.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';
import { ProjectSessionStore } from '../../src/store/project-store.ts';
import { FoldingDisk } from './folding-disk.ts';
import { frames, headerFor, lines, note, picture, ProjectGround } from './ground.ts';

const OTHER = '/home/ann/other';

describe('where a session lies', () => {
  it.each([
    ['s1', '/home/ann/app', '--home-ann-app--/s1'],
    ['..', '/a', '--a--/~002E~002E'],
    ['/', '/a', '--a--/~002F'],
    ['~002F', '/a', '--a--/~007E002F'],
    ['\ud800', '/a', '--a--/~D800'],
    ['CON', 'C:\\work', '--C-work--/~0043ON'],
    ['a.', '/a', '--a--/a~002E'],
    ['x', `/${'y'.repeat(1000)}`, `--${'y'.repeat(251)}--/x`],
  ])('%j of %s: %s', async (id, cwd, folder) => {
    const ground = new ProjectGround();
    await ground.session(id, cwd);
    expect(ground.files()).toEqual([`${folder}/session.jsonl.zstd`]);
    expect(ground.store().openSync(id, 'read').header).toMatchObject({ id, cwd });
    expect((await ground.store().list()).problems).toEqual([]);
  });

  it('without a working directory it is that of no project', async () => {
    const ground = new ProjectGround();
    const { cwd: _, ...header } = headerFor('s1');
    const handle = ground.store({ encoding: 'raw' }).create(header as SessionHeader);
    handle.appendSync([note('e1')]);
    await handle.close();
    await ground.session('s2');
    expect(ground.files()).toEqual(['--home-ann-app--/s2/session.jsonl.zstd', '_no-cwd/s1/session.jsonl']);
    const { sessions, problems } = await ground.store().list();
    expect([sessions.map(({ id }) => id).sort(), problems]).toEqual([['s1', 's2'], []]);
  });

  it('working directories that are spelled alike share a project', async () => {
    const ground = new ProjectGround();
    await ground.session('s1', '/a/b-c');
    await ground.session('s2', '/a-b/c');
    expect(fs.readdirSync(ground.root)).toEqual(['--a-b-c--']);
    const store = ground.store();
    expect(store.listSync('/a/b-c').map(({ id }) => id)).toEqual(['s1']);
    expect((await store.list()).sessions).toHaveLength(2);
  });

  it('an id of any length, and none without one', async () => {
    const ground = new ProjectGround();
    const id = 'long '.repeat(100);
    await ground.session(id);
    const [name] = fs.readdirSync(ground.at('--home-ann-app--'));
    expect(name).toHaveLength(255);
    expect(ground.store().openSync(id, 'write').header.id).toBe(id);
    const refused = expect.objectContaining({ code: 'invalid_argument' }) as Error;
    expect(() => ground.store().create(headerFor(''))).toThrow(refused);
    expect(() => ground.store().create(headerFor('s2', ''))).toThrow(refused);
  });

  it('a directory that DeepSeek Harness would have named is found, too', async () => {
    const ground = new ProjectGround();
    ground.put('--home-ann-app--/CON/session.jsonl', lines(headerFor('CON'), note('e1').value));
    expect(ground.store().openSync('CON', 'read').readSync()).toHaveLength(2);
    expect((await ground.store().list()).problems).toEqual([]);
  });

  it('on a disk that does not tell case two ids have two directories', async () => {
    const ground = new FoldingDisk(new MemoryDisk());
    const store = new ProjectSessionStore({ root: '/root', storage: new DiskSessionStorage(ground) });
    for (const id of ['Ab', 'aB', 'ab']) {
      const handle = store.create(headerFor(id));
      handle.appendSync([note(`of-${id}`)]);
      await handle.close();
    }
    const { sessions, problems } = await store.list();
    expect([sessions.map(({ id }) => id).sort(), problems]).toEqual([['Ab', 'aB', 'ab'], []]);
    for (const id of ['Ab', 'aB', 'ab']) expect(store.openSync(id, 'read').readSync()[1]!.value.id).toBe(`of-${id}`);
    expect(() => store.openSync('AB', 'read')).toThrow(expect.objectContaining({ code: 'session_not_found' }) as Error);
  });
});

describe('what was created', () => {
  it('is nowhere before the first append', async () => {
    const ground = new ProjectGround();
    const handle = ground.store().create(headerFor('s1'));
    expect(fs.existsSync(ground.root)).toBe(false);
    await handle.close();
    expect(fs.existsSync(ground.root)).toBe(false);
  });

  it('is private', async () => {
    const ground = new ProjectGround();
    const file = await ground.session('s1');
    const modes = [file, path.dirname(file), path.dirname(path.dirname(file)), ground.root].map(
      (at) => fs.statSync(at).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o700, 0o700, 0o700]);
  });

  it.each([
    ['in another project', '--home-ann-other--/s1/session.jsonl'],
    ['under its plain name', '--x--/s1/session.jsonl'],
    ['directly in a project directory', '--x--/s1.jsonl'],
  ])('takes no id that the root has %s', (_, name) => {
    const ground = new ProjectGround();
    ground.put(name, lines(headerFor('s1', OTHER)));
    const handle = ground.store().create(headerFor('s1'));
    expect(() => handle.appendSync([note('e1')])).toThrow(expect.objectContaining({ code: 'session_exists' }) as Error);
    expect(ground.files()).toEqual([name]);
  });

  it('takes the place of nothing that came in between', () => {
    const ground = new ProjectGround();
    const file = '--home-ann-app--/s1/session.jsonl';
    const disk = new FaultDisk(new NodeDisk(), (operation) => {
      if (operation === 'link') ground.put(file, 'of somebody else');
      return null;
    });
    const handle = ground.store({ encoding: 'raw' }, disk).create(headerFor('s1'));
    expect(() => handle.appendSync([note('e1')])).toThrow(expect.objectContaining({ code: 'session_exists' }) as Error);
    expect(fs.readFileSync(ground.at(file), 'utf8')).toBe('of somebody else');
  });

  it('takes the place of no log that cannot be decoded', async () => {
    const ground = new ProjectGround();
    const damaged = frames(lines(headerFor('s1'))).fill(0, 12, 20);
    const file = ground.put('--home-ann-app--/s1/session.jsonl.zstd', damaged);
    const handle = ground.store().create(headerFor('s1'));
    expect(() => handle.appendSync([note('e1')])).toThrow(expect.objectContaining({ code: 'session_exists' }) as Error);
    expect(() => ground.store().openSync({ path: file }, 'write')).toThrow(
      expect.objectContaining({ code: 'session_invalid' }) as Error,
    );
    await handle.close();
    // Whoever says so has it kept beside the new one, as it was.
    const instead = ground.store().create(headerFor('s1'), { path: file, displace: true });
    instead.appendSync([note('e1')]);
    await instead.close();
    const kept = ground.files().find((name) => name.includes('.damaged-'))!;
    expect(fs.readFileSync(ground.at(kept))).toEqual(damaged);
  });

  it('survives a power failure where that is asked for', async () => {
    const ground = new ProjectGround();
    const done: string[] = [];
    const disk = new FaultDisk(new NodeDisk(), (operation, at) => {
      const name = path.relative(ground.root, at).replace(/[0-9a-f]{16}/, '…');
      if (/^(fsync|fsyncdir|link)$/.test(operation) && !name.includes('owner')) done.push(`${operation} ${name}`);
      return null;
    });
    const handle = ground.store({ durable: true }, disk).create(headerFor('s1'));
    handle.appendSync([note('e1')]);
    const folder = '--home-ann-app--/s1';
    expect(done).toEqual([
      'fsyncdir --home-ann-app--',
      'fsyncdir ',
      `fsync ${folder}/.session.jsonl.zstd.….tmp`,
      `link ${folder}/.session.jsonl.zstd.….tmp`,
      `fsyncdir ${folder}`,
    ]);
    done.length = 0;
    handle.appendSync([note('e2')]);
    expect(done).toEqual([`fsync ${folder}/session.jsonl.zstd`]);
    await handle.close();
  });
});

describe('what belongs to a session', () => {
  it('lies in its directory, moves with it and is deleted with it', async () => {
    const ground = new ProjectGround();
    const store = ground.store();
    const handle = store.create(headerFor('s1'));
    handle.appendSync([picture('e1')]);
    expect(handle.artifactsDir).toBe(ground.at('--home-ann-app--/s1'));
    ground.put('--home-ann-app--/s1/notes/a.txt', 'mine');
    const [blob] = fs.readdirSync(ground.at('--home-ann-app--/s1/blobs'));
    await store.move('s1', OTHER);
    expect(handle.artifactsDir).toBe(ground.at('--home-ann-other--/s1'));
    handle.appendSync([picture('e2')]);
    await handle.close();
    expect(fs.existsSync(ground.at('--home-ann-app--/s1'))).toBe(false);
    expect(fs.readdirSync(ground.at('--home-ann-other--/s1/blobs'))).toContain(blob);
    expect(fs.readdirSync(ground.at('--home-ann-other--/s1/blobs'))).toHaveLength(2);
    const reader = ground.store().openSync('s1', 'read');
    expect(
      reader
        .readSync()
        .slice(1)
        .map(({ value }) => value),
    ).toEqual([picture('e1').value, picture('e2').value]);
    expect(reader.header).toMatchObject({ cwd: OTHER });
    expect((await ground.store().list()).problems).toEqual([]);
    await ground.store().delete('s1');
    expect(ground.files()).toEqual([]);
  });

  it('is owned wherever it goes', async () => {
    const ground = new ProjectGround();
    const store = ground.store();
    const handle = store.create(headerFor('s1'));
    handle.appendSync([note('e1')]);
    await store.move('s1', OTHER);
    const owned = expect.objectContaining({ code: 'session_owned' }) as Error;
    expect(() => ground.store().openSync('s1', 'write')).toThrow(owned);
    await expect(ground.store().delete('s1')).rejects.toEqual(owned);
    await handle.close();
    expect(ground.files()).toEqual(['--home-ann-other--/s1/session.jsonl.zstd']);
    await ground.store().openSync('s1', 'write').close();
  });

  it('stays where it is when another directory has the name', async () => {
    const ground = new ProjectGround();
    await ground.session('s1');
    ground.put('--home-ann-other--/s1/README', 'mine');
    const before = ground.files();
    await expect(ground.store().move('s1', OTHER)).rejects.toMatchObject({ code: 'session_exists' });
    expect(ground.files()).toEqual(before);
    expect(ground.store().openSync('s1', 'read').header.cwd).toBe('/home/ann/app');
  });
});

describe('a list', () => {
  /** What is listed, and what is wrong, by the paths inside the root. */
  async function listed(ground: ProjectGround, store = ground.store()): Promise<{ ids: string[]; found: string[] }> {
    const { sessions, problems } = await store.list();
    const found = problems.map(({ code, path: at }) => `${code} ${path.relative(ground.root, at ?? '')}`);
    expect(
      store
        .listSync()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(sessions.map(({ id }) => id).sort());
    return { ids: sessions.map(({ id }) => id).sort(), found: found.sort() };
  }

  const header = lines(headerFor('s1'));

  it.each<[string, Record<string, string | Uint8Array>, ids: string[], found: string[]]>([
    ['an empty log', { '--a--/e/session.jsonl.zstd': '' }, [], []],
    ['a log without a header', { '--a--/n/session.jsonl': '42\n' }, [], ['header_missing --a--/n/session.jsonl']],
    [
      'a header that is damaged',
      { '--a--/d/session.jsonl.zstd': frames(header).fill(0, 12, 20) },
      [],
      ['header_missing --a--/d/session.jsonl.zstd'],
    ],
    [
      'a session of another project',
      { '--a--/s1/session.jsonl': lines(headerFor('s1', '/b')) },
      ['s1'],
      ['misplaced_session --a--/s1/session.jsonl'],
    ],
    [
      'a directory of another id',
      { '--home-ann-app--/s2/session.jsonl': header },
      ['s1'],
      ['misplaced_session --home-ann-app--/s2/session.jsonl'],
    ],
    ['a flat log', { '--home-ann-app--/s1.jsonl.zstd': frames(header) }, ['s1'], ['flat_session --home-ann-app--/s1.jsonl.zstd']],
    [
      'a session in both encodings',
      {
        '--home-ann-app--/s1/session.jsonl': header,
        '--home-ann-app--/s1/session.jsonl.zstd': frames(header, lines(note('e1').value)),
      },
      ['s1'],
      ['two_encodings --home-ann-app--/s1/session.jsonl'],
    ],
    [
      'a log of DeepSeek Harness',
      { '--a--/h/session.jsonl': lines({ type: 'session', version: 0, id: 'h', createdAt: 1, delegationDepth: 0 }) },
      [],
      ['unsupported_format --a--/h/session.jsonl'],
    ],
    [
      'other files, and what was not finished',
      {
        README: 'x',
        '--home-ann-app--/metadata.json': '{}',
        '--home-ann-app--/s1/notes.jsonl.txt': 'x',
        '--home-ann-app--/s1/.session.jsonl.zstd.0123456789abcdef.tmp': 'x',
        '--home-ann-app--/s1/session.v01.jsonl': 'x',
        '--home-ann-app--/s1/session.jsonl': header,
        '--empty--/x/README': 'x',
      },
      ['s1'],
      [],
    ],
  ])('has all that is good beside %s', async (_, files, ids, found) => {
    const ground = new ProjectGround();
    await ground.session('good', '/good');
    for (const [name, content] of Object.entries(files)) ground.put(name, content);
    const before = ground.files();
    expect(await listed(ground)).toEqual({ ids: ['good', ...ids].sort(), found });
    expect(ground.files()).toEqual(before);
  });

  it('has both of two sessions of one id, and neither can be asked for by it', async () => {
    const ground = new ProjectGround();
    for (const cwd of ['/a', '/b']) ground.put(`--${cwd.slice(1)}--/s1/session.jsonl`, lines(headerFor('s1', cwd)));
    const { ids, found } = await listed(ground);
    expect([ids, found.length, found[0]]).toEqual([['s1', 's1'], 1, expect.stringMatching(/^session_repeated --[ab]--/)]);
    const ambiguous = expect.objectContaining({ code: 'session_ambiguous' }) as Error;
    expect(() => ground.store().openSync('s1', 'read')).toThrow(ambiguous);
    expect(ground.store().openSync({ path: ground.at('--b--/s1') }, 'read').header.cwd).toBe('/b');
  });

  it('takes another name of a directory for the same', async () => {
    const ground = new ProjectGround();
    ground.put('--real--/s1/session.jsonl', lines(headerFor('s1', '/alias')));
    fs.symlinkSync('--real--', ground.at('--alias--'));
    expect(await listed(ground)).toEqual({ ids: ['s1'], found: [] });
    expect(ground.store().openSync('s1', 'read').header.cwd).toBe('/alias');
  });

  it('of a root that is not there, or is a file, is empty', async () => {
    const ground = new ProjectGround();
    expect(await listed(ground)).toEqual({ ids: [], found: [] });
    fs.writeFileSync(ground.root, '');
    expect(await listed(ground)).toEqual({ ids: [], found: [] });
  });

  it('says what the disk refuses', async () => {
    const ground = new ProjectGround();
    await ground.session('good', '/good');
    await ground.session('s1', '/a');
    await ground.session('s2', '/b');
    const refusing = (operation: string, name: string) =>
      ground.store(
        {},
        new FaultDisk(new NodeDisk(), (done, at) => (done === operation && at === ground.at(name) ? { error: 'EACCES' } : null)),
      );
    expect(await listed(ground, refusing('readdir', '--a--'))).toEqual({ ids: ['good', 's2'], found: ['unreadable --a--'] });
    expect(await listed(ground, refusing('readdir', ''))).toEqual({ ids: [], found: ['unreadable '] });
    const log = '--b--/s2/session.jsonl.zstd';
    expect(await listed(ground, refusing('open', log))).toEqual({ ids: ['good', 's1'], found: [`unreadable ${log}`] });
  });

  it('leaves out what goes away meanwhile', async () => {
    const ground = new ProjectGround();
    await ground.session('good', '/good');
    const gone = path.dirname(await ground.session('s1', '/a'));
    const disk = new FaultDisk(new NodeDisk(), (operation, at) => {
      if (operation === 'stat' && at.startsWith(gone)) fs.rmSync(gone, { recursive: true, force: true });
      return null;
    });
    expect(await listed(ground, ground.store({}, disk))).toEqual({ ids: ['good'], found: [] });
  });
});
