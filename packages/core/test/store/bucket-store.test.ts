import * as fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { FaultPlan } from '../../src/disk/fault-disk.ts';
import { pi } from '../../src/shapes/pi.ts';
import type { SessionHandle } from '../../src/store/session-store.ts';
import { session } from '../../src/testing/index.ts';
import { headerFor, idsOf, note, picture } from '../../src/testing/store-fixture.ts';
import { changesOf, FileGround, small } from './file-ground.ts';

let ground: FileGround;
beforeEach(() => void (ground = new FileGround()));
afterEach(() => ground.dispose());

const code = (name: string): unknown => expect.objectContaining({ code: name });
const open = (): SessionHandle => ground.store().openSync({ path: ground.file }, 'write');
const modeOf = (at: string): string => (fs.statSync(at).mode & 0o777).toString(8);
const create = (id: string, cwd?: string): SessionHandle => {
  const handle = ground.store().create(headerFor(id, cwd));
  handle.appendSync([note('e1')]);
  return handle;
};

describe('where a new session lies', () => {
  it('is in the bucket of its working directory, under its time and id (oh-my-pi 1)', async () => {
    const handle = ground
      .store()
      .create({ ...headerFor('X_y'), timestamp: '2026-02-16T10:20:30.004Z', cwd: '/home/ann/src/app' });
    expect(handle.path).toBe(path.join(ground.base, 'sessions/-src-app/2026-02-16T10-20-30-004Z_X_y.jsonl'));
    expect(fs.existsSync(path.dirname(handle.path!))).toBe(false);
    expect(handle.artifactsDir).toBe(handle.path!.slice(0, -'.jsonl'.length));
    handle.appendSync([picture('e1')]);
    expect([modeOf(handle.path!), modeOf(path.dirname(handle.path!)), modeOf(path.join(ground.base, 'blobs'))]).toEqual([
      '600',
      '700',
      '700',
    ]);
    await handle.close();
  });

  it("is Pi's folder in Pi's dialect, which keeps everything inline", async () => {
    const handle = ground.store({ shapes: pi }).create(headerFor('s1', '/home/ann/src/app'));
    expect(path.basename(path.dirname(handle.path!))).toBe('--home-ann-src-app--');
    handle.appendSync([picture('e1')]);
    expect(fs.existsSync(path.join(ground.base, 'blobs'))).toBe(false);
    expect(fs.readFileSync(handle.path!, 'utf8')).not.toContain('blob:');
    await handle.close();
  });

  it('is one folder for all where that is wanted', async () => {
    const handle = ground.store({ folder: path.join(ground.base, 'flat') }).create(headerFor('s1', '/srv/x'));
    expect(path.dirname(handle.path!)).toBe(path.join(ground.base, 'flat'));
    await handle.close();
  });

  it.each(['../up', 'a/b', '', '.hidden', 'nul\0', 'x'.repeat(300)])('is nowhere for the id %j', (id) => {
    expect(() => ground.store().create(headerFor(id))).toThrowError(code('invalid_argument'));
  });

  it('is no place that a time could lead to', () => {
    const handle = ground.store().create({ ...headerFor('s1'), timestamp: '../../2026' });
    expect(path.basename(handle.path!)).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_s1\.jsonl$/);
  });
});

describe('finding a session by its id', () => {
  it('goes by the name of the file and by its header', async () => {
    await create('abc').close();
    ground.put(session({ id: 'other' }).user('hi'));
    fs.renameSync(ground.file, path.join(ground.folder, 'renamed.jsonl'));
    const store = ground.store();
    expect(store.locate('other')).toBe(path.join(ground.folder, 'renamed.jsonl'));
    expect(idsOf(store.openSync('other', 'read').readSync())).toEqual(['other', 'e1']);
    expect(idsOf(store.openSync('abc', 'read').readSync())).toEqual(['abc', 'e1']);
    // The name says one id, the header another.
    expect(() => store.openSync('session-1', 'read')).toThrowError(code('session_not_found'));
  });

  it('does not choose between two', async () => {
    const handle = create('abc');
    await handle.close();
    fs.mkdirSync(path.join(ground.base, 'sessions/-x'));
    fs.copyFileSync(handle.path!, path.join(ground.base, 'sessions/-x', path.basename(handle.path!)));
    expect(() => ground.store().openSync('abc', 'read')).toThrowError(code('session_ambiguous'));
    await expect(ground.store().delete('abc')).rejects.toMatchObject({ code: 'session_ambiguous' });
    expect(() => create('abc')).toThrowError(code('session_exists'));
  });

  it('passes over sub-sessions, files of others and what cannot be read', async () => {
    await create('abc').close();
    const artifacts = path.join(ground.folder, '2026-01-01T00-00-00-000Z_abc');
    fs.mkdirSync(artifacts);
    fs.writeFileSync(path.join(artifacts, '1_sub.jsonl'), session({ id: 'sub' }).text());
    fs.writeFileSync(path.join(ground.folder, 'notes.txt'), 'x');
    fs.writeFileSync(path.join(ground.folder, 'bad.jsonl'), 'no header\n');
    fs.writeFileSync(path.join(ground.folder, 'empty.jsonl'), '');
    const { sessions, problems } = await ground.store().list();
    expect(sessions.map(({ id }) => id)).toEqual(['abc']);
    expect(problems).toMatchObject([{ code: 'header_missing', path: path.join(ground.folder, 'bad.jsonl') }]);
  });

  it('finds the sessions of a working directory where two share a bucket (oh-my-pi 4)', async () => {
    await create('one', '/home/ann/src/app').close();
    await create('two', '/home/ann/src-app').close();
    const store = ground.store();
    expect(store.listSync('/home/ann/src/app').map(({ id }) => id)).toEqual(['one']);
    expect(store.listSync('/home/ann/src-app').map(({ id }) => id)).toEqual(['two']);
    expect(store.listSync().length).toBe(2);
  });

  it("dates Pi's sessions by their last message", () => {
    ground.put(
      session().user('one').assistant('two').entry('custom', { customType: 'x', timestamp: '2026-05-05T00:00:00.000Z' }),
    );
    const [stat] = ground.store({ shapes: pi }).listSync();
    expect(stat!.modified).toBe(Date.UTC(2026, 0, 1, 0, 0, 2));
    expect(ground.store().listSync()[0]!.modified).toBeCloseTo(fs.statSync(ground.file).mtimeMs, 2);
  });
});

describe('a title line', () => {
  const title = (text: string, extra = ''): string => {
    const line = `{"type":"title","v":1,"title":${JSON.stringify(text)}${extra},"updatedAt":"2026-01-01T00:00:00.000Z","pad":"`;
    return `${line}${' '.repeat(255 - Buffer.byteLength(line) - 2)}"}`;
  };
  const put = (line: string): void => void ground.put(`${line}\n${small().text()}`);

  it('gives the name, an empty one takes it away (oh-my-pi 18)', () => {
    put(title('from the line'));
    expect(open().header.title).toBe('from the line');
    ground.dispose();
    ground = new FileGround();
    ground.put(`${title('')}\n${session({ title: 'hidden' }).user('hi').text()}`);
    expect(open().header.title).toBeUndefined();
  });

  it('is written over by a new title, and nothing else is', async () => {
    put(title('old'));
    const [, ...rest] = ground.text().split('\n');
    const { ino, size } = fs.statSync(ground.file);
    const handle = open();
    handle.readSync();
    await handle.updateHeader({ ...handle.header, title: 'Ärger "und" 😀', titleSource: 'user' });
    expect(fs.statSync(ground.file)).toMatchObject({ ino, size });
    const [line, ...after] = ground.text().split('\n');
    expect(after).toEqual(rest);
    expect(JSON.parse(line!)).toMatchObject({ type: 'title', v: 1, title: 'Ärger "und" 😀', source: 'user' });
    expect(Buffer.byteLength(line!)).toBe(255);
    handle.appendSync([note('new')]);
    await handle.updateHeader({ ...handle.header, title: '😀'.repeat(200) });
    await handle.close();
    expect(ground.beside()).toEqual([]);
    const later = open();
    expect(later.header.title).toMatch(/^(😀){30,60}$/u);
    expect(idsOf(later.readSync())).toEqual(['session-1', 'e1', 'e2', 'e3', 'new']);
  });

  it('stays when the session is replaced, and when another field of the header changes', async () => {
    put(title('kept'));
    const line = ground.text().split('\n')[0];
    const handle = open();
    const records = handle.readSync();
    handle.replaceSync(records.slice(0, 3), { revision: handle.revision });
    expect(ground.text()).toBe(`${line}\n${small().lines().slice(0, 3).join('\n')}\n`);
    await handle.updateHeader({ ...handle.header, cwd: '/elsewhere' });
    expect(JSON.parse(ground.text().split('\n')[0]!)).toMatchObject({ type: 'title', title: 'kept' });
    await handle.close();
    expect(open().header).toMatchObject({ title: 'kept', cwd: '/elsewhere' });
  });

  it('that somebody else writes over is noticed', async () => {
    put(title('old'));
    const handle = open();
    const changes = changesOf(handle);
    handle.readSync();
    const fd = fs.openSync(ground.file, 'r+');
    fs.writeSync(fd, title('theirs'), 0);
    fs.closeSync(fd);
    handle.checkSync();
    expect(changes.map(({ kind }) => kind)).toEqual(['replaced']);
    expect(handle.header.title).toBe('theirs');
    await handle.close();
  });
});

describe('moving a session', () => {
  const artifacts = (handle: SessionHandle): string => {
    fs.mkdirSync(handle.artifactsDir!);
    fs.writeFileSync(path.join(handle.artifactsDir!, '0.bash.log'), 'log');
    return handle.artifactsDir!;
  };

  it('takes the file and its artifacts along, and notes where it was', async () => {
    const handle = create('s1');
    const from = handle.path!;
    const old = artifacts(handle);
    await ground.store().move('s1', '/home/ann/other');
    expect(path.basename(path.dirname(handle.path!))).toBe('-other');
    expect(handle.header).toMatchObject({ cwd: '/home/ann/other', previousSessionFiles: [from] });
    expect([fs.existsSync(from), fs.existsSync(old)]).toEqual([false, false]);
    expect(fs.readFileSync(path.join(handle.artifactsDir!, '0.bash.log'), 'utf8')).toBe('log');
    expect(() => ground.store().openSync('s1', 'write')).toThrowError(code('session_owned'));
    await ground.store().move('s1', '/home/ann/app');
    expect(handle.header['previousSessionFiles']).toEqual([path.join(ground.base, 'sessions/-other', path.basename(from))]);
    await handle.close();
    expect(fs.readdirSync(path.dirname(from)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('merges artifacts into those that lie there: their names win', async () => {
    const handle = create('s1');
    const old = artifacts(handle);
    fs.writeFileSync(path.join(old, '1.bash.log'), 'more');
    const there = path.join(ground.base, 'sessions/-other', path.basename(old));
    fs.mkdirSync(there, { recursive: true });
    fs.writeFileSync(path.join(there, '0.bash.log'), 'theirs');
    await ground.store().move('s1', '/home/ann/other');
    expect(fs.readFileSync(path.join(there, '0.bash.log'), 'utf8')).toBe('theirs');
    expect(fs.readFileSync(path.join(there, '1.bash.log'), 'utf8')).toBe('more');
    expect(fs.readdirSync(old)).toEqual(['0.bash.log']);
    await handle.close();
  });

  it.each<[string, FaultPlan]>([
    [
      'the artifacts cannot be renamed (oh-my-pi 95)',
      (op, at) => (op === 'rename' && !at.includes('.jsonl') ? { error: 'EACCES' } : null),
    ],
    [
      'the header cannot be written',
      (op, at) =>
        op === 'write' && at.endsWith('.tmp') && at.includes('-other') && !at.includes('owner') ? { error: 'ENOSPC' } : null,
    ],
  ])('leaves all where it was when %s', async (_, plan) => {
    const first = create('s1');
    const old = artifacts(first);
    await first.close();
    const before = fs.readFileSync(first.path!);
    const store = ground.failing(plan);
    await expect(store.move('s1', '/home/ann/other')).rejects.toMatchObject({ code: 'storage_io' });
    expect(fs.readFileSync(first.path!)).toEqual(before);
    expect(fs.readdirSync(old)).toEqual(['0.bash.log']);
    expect(fs.readdirSync(path.join(ground.base, 'sessions/-other')).filter((name) => !name.endsWith('.tmp'))).toEqual([]);
    const again = ground.store().openSync('s1', 'write');
    again.appendSync([note('e2')]);
    await again.close();
  });

  it('does not take the place of another file', async () => {
    const handle = create('s1');
    const there = path.join(ground.base, 'sessions/-other', path.basename(handle.path!));
    fs.mkdirSync(path.dirname(there));
    fs.writeFileSync(there, 'taken');
    await expect(ground.store().move('s1', '/home/ann/other')).rejects.toMatchObject({ code: 'session_exists' });
    handle.appendSync([note('e2')]);
    expect(fs.readFileSync(there, 'utf8')).toBe('taken');
    await handle.close();
  });

  it('writes an old version anew on the way', async () => {
    ground.put(`{"type":"session","id":"session-1"}\n{"type":"message","message":{"role":"user","content":"hi"}}\n`);
    await ground.store().move('session-1', '/home/ann/other');
    const handle = ground.store().openSync('session-1', 'read');
    expect(handle.header).toMatchObject({ version: 3, cwd: '/home/ann/other' });
    expect(idsOf(handle.readSync())).toEqual(['session-1', '00000001']);
  });
});
