import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { compressFrame } from '../../src/codec/zstd/engine.ts';
import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import { exportLog } from '../../src/store/export-log.ts';
import { DshSessionStore } from '../../src/store/dsh-store.ts';
import { plainSegment, projectKey } from '../../src/shapes/projects.ts';
import { put, temporaryFolder, writeFiles } from './node-fixture.ts';

const CWD = '/home/ann/app';

interface Facts {
  cwd?: string;
  version?: number;
  more?: Record<string, unknown>;
}

function headerLine(id: string, { cwd = CWD, version = 0, more = {} }: Facts = {}): string {
  return JSON.stringify({ type: 'session', version, id, createdAt: 1_000, cwd, delegationDepth: 0, ...more });
}

function event(seq: number, type: string, data: object, more: object = {}): string {
  return JSON.stringify({ seq, time: 1_000 + seq, type, data, ...more });
}

function prompt(seq: number, text: string): string {
  const message = { id: `m${String(seq)}`, role: 'user', content: [{ type: 'text', text }], source: { kind: 'user' } };
  return event(seq, 'user/message', message, { surfaceOp: 'append' });
}

/** A turn of four events. */
const TURN = [event(0, 'turn/start', { turn: 1 }), prompt(1, 'hi'), event(2, 'step/start', { turn: 1, step: 1 })];
const END = [event(3, 'step/end', { turn: 1, step: 1 }), event(4, 'turn/end', { turn: 1, reason: { kind: 'completed' } })];

const lines = (...texts: readonly string[]): string => texts.map((each) => `${each}\n`).join('');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
/** The header line, and each batch, a frame. */
const framed = (...batches: readonly string[]): Uint8Array => joined(...batches.map((batch) => compressFrame(bytes(batch))));

function at(id: string, name = 'session.jsonl', cwd = CWD): string {
  return `${projectKey(cwd)!}/${plainSegment(id)}/${name}`;
}

/** A store of files, with a good session beside whatever is looked at. */
function storeOf(files: Record<string, string | Uint8Array>): { store: DshSessionStore; root: string } {
  const root = temporaryFolder();
  writeFiles(root, { [at('good')]: lines(headerLine('good'), ...TURN, ...END), ...files });
  return { store: new DshSessionStore({ root }), root };
}

interface Listed {
  ids: string[];
  /** `code path` */
  problems: string[];
}

async function list({ store, root }: ReturnType<typeof storeOf>): Promise<Listed> {
  const { sessions, problems } = await store.list();
  return {
    ids: sessions.map(({ id }) => id).sort(),
    problems: problems.map((found) => `${found.code} ${path.relative(root, found.path ?? '')}`).sort(),
  };
}

/** Ids of the entries, and what is wrong. */
async function read(store: DshSessionStore, id: string): Promise<{ entries: string[]; problems: string[] }> {
  const handle = await store.open(id, 'read');
  const records = await handle.read();
  const problems = handle.problems.map(({ code }) => code);
  await handle.close();
  return { entries: records.slice(1).map(({ value }) => String(value['id'])), problems };
}

async function logOf(store: DshSessionStore, id: string): Promise<string> {
  const handle = await store.open(id, 'read');
  const parts: Uint8Array[] = [];
  for await (const part of exportLog(handle)) parts.push(part);
  await handle.close();
  return Buffer.concat(parts).toString('utf8');
}

const text = lines(headerLine('s1'), ...TURN, ...END);
const batches = [lines(headerLine('s1')), lines(...TURN), lines(...END)] as const;
const ZSTD = at('s1', 'session.jsonl.zstd');

describe('a store of DeepSeek Harness', () => {
  it('reads a log the same in both encodings: entries, and the log as it is stored', async () => {
    const raw = storeOf({ [at('s1')]: text });
    const zstd = storeOf({ [ZSTD]: framed(...batches) });
    const expected = { entries: ['0', '1', '2', '3', '4'], problems: [] };
    expect([await read(raw.store, 's1'), await read(zstd.store, 's1')]).toEqual([expected, expected]);
    expect([await logOf(raw.store, 's1'), await logOf(zstd.store, 's1')]).toEqual([text, text]);
  });

  it('answers parts of a session as slices of the whole', async () => {
    const { store } = storeOf({ [at('s1')]: text });
    const handle = await store.open('s1', 'read');
    const all = await handle.read();
    for (let offset = 0; offset <= all.length; offset++)
      for (let limit = 0; limit <= all.length + 1; limit++)
        expect(await handle.read(offset, limit)).toEqual(all.slice(offset, offset + limit));
    expect(all[0]!.value).toMatchObject({ type: 'session', id: 's1', cwd: CWD });
  });

  it('tells size and count of events from the ends of the file', async () => {
    const packed = { turn: 1, step: 1, index: 0, dt: [1, 1], texts: ['a', 'b', 'c'] };
    const row = JSON.stringify({ type: 'text-chunks', seq0: 3, time0: 9, data: packed });
    const stored = lines(headerLine('s2'), ...TURN, row);
    const { store } = storeOf({
      [at('s1')]: text,
      [at('s2')]: stored,
      [at('s3')]: lines(headerLine('s3')),
      [at('s4')]: `${lines(headerLine('s4'), ...TURN)}{"seq":3,"ty`,
    });
    const counts = await Promise.all(['s1', 's2', 's3', 's4'].map(async (id) => (await store.stat(id))?.eventCount));
    expect(counts).toEqual([5, 6, 0, 3]);
    expect((await store.stat('s2'))?.sizeBytes).toBe(stored.length);
    expect(await store.stat('nobody')).toBeUndefined();
  });

  it('reads no more than the ends of a large log for a list', async () => {
    const disk = new MemoryDisk();
    const many = Array.from({ length: 20_000 }, (_, i) => event(i + 5, 'hook/result', { note: 'x'.repeat(80), i }));
    put(disk, framed(lines(headerLine('s1')), lines(...TURN, ...END), ...many.map((each) => lines(each))), `/root/${ZSTD}`);
    const { size } = disk.statSync(`/root/${ZSTD}`);
    let read = 0;
    const counting = new FaultDisk(disk, (operation) => {
      if (operation === 'read') read++;
      return null;
    });
    const { sessions } = await new DshSessionStore({ root: '/root', disk: counting }).list();
    expect(sessions.map(({ id, eventCount, sizeBytes }) => [id, eventCount, sizeBytes])).toEqual([['s1', 20_005, size]]);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(20);
  });

  it('writes nothing, and says so', async () => {
    const { store } = storeOf({});
    await expect(store.open('good', 'write')).rejects.toMatchObject({ code: 'unsupported' });
    await expect(store.delete()).rejects.toMatchObject({ code: 'unsupported' });
    for (const act of [() => store.create(), () => store.publish(), () => store.openSync(), () => store.listSync()])
      expect(act).toThrow(expect.objectContaining({ code: 'unsupported' }));
    const handle = await store.open('good', 'read');
    for (const act of [() => handle.append(), () => handle.replace(), () => handle.updateHeader(), () => handle.noticeEdits()])
      await expect(act()).rejects.toMatchObject({ code: 'unsupported' });
    expect(() => handle.blobs.put(bytes('x'))).toThrow(expect.objectContaining({ code: 'unsupported' }));
  });

  it('says where a session lies, whatever its id', async () => {
    const ids = ['..', '/', '~002F', '名', 'a b'];
    const { store, root } = storeOf(Object.fromEntries(ids.map((id) => [at(id), lines(headerLine(id), ...TURN)])));
    for (const id of ids) {
      expect(store.locate(id)).toBe(path.join(root, at(id)));
      expect((await store.stat(id))?.id).toBe(id);
    }
    expect(store.locate('nobody')).toBeUndefined();
    await expect(store.open('nobody', 'read')).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('has attachments that lie beside it', async () => {
    const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    const home = temporaryFolder();
    writeFiles(home, { [`sessions/${at('s1')}`]: text, [`attachments/v1/objects/ba/${hash}`]: 'abc' });
    const handle = await new DshSessionStore({ root: path.join(home, 'sessions') }).open('s1', 'read');
    expect(Buffer.from((await handle.blobs.get(hash))!).toString()).toBe('abc');
    expect([handle.blobs.has(hash), handle.blobs.has('0'.repeat(64))]).toEqual([true, false]);
    expect(Buffer.from(handle.blobs.getSync(hash)!).toString()).toBe('abc');
  });
});

describe('worked cases of a store', () => {
  it('5, 7: sessions of all projects, two working directories in one of them, and those without one', async () => {
    const world = storeOf({
      [at('one', 'session.jsonl', '/a/b-c')]: lines(headerLine('one', { cwd: '/a/b-c' })),
      [at('two', 'session.jsonl', '/a-b/c')]: lines(headerLine('two', { cwd: '/a-b/c' })),
      '_no-cwd/three/session.jsonl': lines(headerLine('three', { more: { cwd: undefined } })),
    });
    expect(await list(world)).toEqual({ ids: ['good', 'one', 'three', 'two'], problems: [] });
  });

  it('9: no root is an empty list; one that is a file, or cannot be read, is an error', async () => {
    const base = temporaryFolder();
    writeFiles(base, { file: 'x', 'root/--x--/README': '' });
    expect(await new DshSessionStore({ root: path.join(base, 'none') }).list()).toEqual({ sessions: [], problems: [] });
    await expect(new DshSessionStore({ root: path.join(base, 'file') }).list()).rejects.toMatchObject({ code: 'storage_io' });
    const disk = new FaultDisk(new NodeDisk(), (operation) => (operation === 'stat' ? { error: 'EIO' } : null));
    const store = new DshSessionStore({ root: path.join(base, 'root'), disk });
    await expect(store.list()).rejects.toMatchObject({ code: 'storage_io' });
  });

  it('14: a header of any length is read, in both encodings', async () => {
    const cwd = `/${'x'.repeat(24_500)}`;
    const long = (id: string): string => lines(headerLine(id, { cwd }));
    const world = storeOf({
      [at('raw', 'session.jsonl', cwd)]: long('raw') + lines(...TURN),
      [at('zstd', 'session.jsonl.zstd', cwd)]: framed(long('zstd'), lines(...TURN)),
    });
    expect(await list(world)).toEqual({ ids: ['good', 'raw', 'zstd'], problems: [] });
    expect((await world.store.stat('zstd'))?.header.cwd).toBe(cwd);
  });

  it('33: of a log with a damaged frame the rest is read, and it stays listed', async () => {
    const log = framed(...batches);
    const secondEnd = framed(batches[0], batches[1]).length;
    log[secondEnd - 8]! ^= 0xff;
    const world = storeOf({ [ZSTD]: log });
    expect((await list(world)).ids).toEqual(['good', 's1']);
    const { entries, problems } = await read(world.store, 's1');
    expect(entries).toEqual(['3', '4']);
    expect(problems).toContain('frame_damaged');
    expect(await logOf(world.store, 's1')).toBe(lines(headerLine('s1'), ...END));
  });

  it('34: behind the frames stands the beginning of another: all events, and nothing is cut', async () => {
    const stored = joined(framed(...batches), new Uint8Array([0x28, 0xb5]));
    const world = storeOf({ [ZSTD]: stored });
    expect((await read(world.store, 's1')).entries).toHaveLength(5);
    expect((await world.store.stat('s1'))?.sizeBytes).toBe(stored.length);
  });

  it('35: of a last frame that is cut short the complete lines are read', async () => {
    const whole = framed(batches[0], batches[1]);
    const last = compressFrame(bytes(lines(...END)));
    const world = storeOf({ [ZSTD]: joined(whole, last.subarray(0, last.length - 1)) });
    const { entries, problems } = await read(world.store, 's1');
    expect([entries, problems]).toEqual([['0', '1', '2', '3', '4'], ['frame_torn']]);
    expect(await logOf(world.store, 's1')).toBe(text);
  });

  it('37: a frame that ends inside a line is read on in the next one', async () => {
    const half = text.length - 20;
    const world = storeOf({ [ZSTD]: framed(batches[0], text.slice(batches[0].length, half), text.slice(half)) });
    expect((await read(world.store, 's1')).entries).toEqual(['0', '1', '2', '3', '4']);
  });

  it('38: an empty file is named, and cannot be opened', async () => {
    const world = storeOf({ [ZSTD]: '' });
    expect(await list(world)).toEqual({ ids: ['good'], problems: [`header_missing ${ZSTD}`] });
    await expect(world.store.open('s1', 'read')).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('39: a log whose header is damaged is named, and costs no other', async () => {
    const log = framed(...batches);
    log[framed(batches[0]).length - 2]! ^= 0xff;
    const world = storeOf({ [ZSTD]: log });
    expect(await list(world)).toEqual({ ids: ['good'], problems: [`header_missing ${ZSTD}`] });
    await expect(world.store.open({ path: path.join(world.root, ZSTD) }, 'read')).rejects.toMatchObject({
      code: 'session_invalid',
    });
  });

  it('41: a root holds both encodings; of both in one directory the one with more events counts', async () => {
    const world = storeOf({
      [at('raw')]: lines(headerLine('raw'), ...TURN),
      [at('s1')]: lines(headerLine('s1'), ...TURN),
      [ZSTD]: framed(...batches),
      [at('s2')]: lines(headerLine('s2'), ...TURN, ...END),
      [at('s2', 'session.jsonl.zstd')]: framed(lines(headerLine('s2')), lines(...TURN)),
    });
    expect(await list(world)).toEqual({
      ids: ['good', 'raw', 's1', 's2'],
      problems: [`two_encodings ${at('s1')}`, `two_encodings ${at('s2', 'session.jsonl.zstd')}`],
    });
    expect([(await read(world.store, 's1')).entries.length, (await read(world.store, 's2')).entries.length]).toEqual([5, 5]);
  });

  it('47: two sessions with one id are both listed and named; by its path each can be read', async () => {
    const files = ['/a', '/b'].map((cwd) => at('s1', 'session.jsonl', cwd));
    const world = storeOf({
      [files[0]!]: lines(headerLine('s1', { cwd: '/a' }), ...TURN),
      [files[1]!]: lines(headerLine('s1', { cwd: '/b' }), ...TURN, ...END),
    });
    expect(await list(world)).toEqual({ ids: ['good', 's1', 's1'], problems: files.map((file) => `session_repeated ${file}`) });
    await expect(world.store.open('s1', 'read')).rejects.toMatchObject({ code: 'session_ambiguous' });
    for (const place of [files[1]!, path.dirname(files[1]!)]) {
      const handle = await world.store.open({ path: path.join(world.root, place) }, 'read');
      expect([handle.header.cwd, (await handle.read()).length]).toEqual(['/b', 6]);
      await handle.close();
    }
  });

  it.each([
    ['s1.jsonl', bytes(text)],
    ['s1.jsonl.zstd', framed(...batches)],
  ])('49: %s directly in a project directory is read, and named', async (name, content) => {
    const file = `${projectKey(CWD)!}/${name}`;
    const world = storeOf({ [file]: content });
    expect(await list(world)).toEqual({ ids: ['good', 's1'], problems: [`flat_session ${file}`] });
    expect(await read(world.store, 's1')).toEqual({ entries: ['0', '1', '2', '3', '4'], problems: ['flat_session'] });
  });

  it('50: a session whose header puts it elsewhere is read, and named; not so under another spelling of its place', async () => {
    const world = storeOf({
      [at('moved')]: lines(headerLine('moved', { cwd: '/elsewhere' }), ...TURN),
      'the-project/alias/session.jsonl': lines(headerLine('alias', { cwd: '/linked' }), ...TURN),
    });
    symlinkSync('the-project', path.join(world.root, projectKey('/linked')!));
    const { ids, problems } = await list(world);
    expect(ids).toEqual(['alias', 'good', 'moved']);
    expect(problems).toEqual([`link_skipped ${projectKey('/linked')!}`, `misplaced_session ${at('moved')}`]);
    expect((await read(world.store, 'moved')).entries).toHaveLength(3);
  });

  it('51: what goes while the list is made is not in it', async () => {
    const { root } = storeOf({ [at('s1')]: text });
    for (const gone of ['stat', 'open']) {
      const disk = new FaultDisk(new NodeDisk(), (operation, file) =>
        operation === gone && file.includes('/s1/') ? { error: 'ENOENT' } : null,
      );
      const { sessions, problems } = await new DshSessionStore({ root, disk }).list();
      expect([gone, sessions.map(({ id }) => id), problems]).toEqual([gone, ['good'], []]);
    }
  });

  it('a version in the name that the header does not have is named; of several files the highest version is read', async () => {
    const world = storeOf({
      [at('s1', 'session.v3.jsonl')]: lines(headerLine('s1', { version: 0 }), ...TURN),
      [at('s1')]: lines(headerLine('s1'), ...TURN, ...END),
      [at('s4', 'session.v4.jsonl')]: lines(headerLine('s4', { version: 4 }), ...TURN),
    });
    expect(await list(world)).toEqual({
      ids: ['good', 's1', 's4'],
      problems: [`version_mismatch ${at('s1', 'session.v3.jsonl')}`],
    });
    expect((await read(world.store, 's1')).entries).toHaveLength(3);
  });
});
