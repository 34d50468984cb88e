import * as fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { FaultPlan } from '../../src/disk/fault-disk.ts';
import type { SessionHandle } from '../../src/store/session-store.ts';
import { headerFor, idsOf, note, picture } from '../../src/testing/store-fixture.ts';
import { FileGround, small } from './file-ground.ts';

let ground: FileGround;
let fault: FaultPlan;
beforeEach(() => {
  ground = new FileGround();
  fault = () => null;
});
afterEach(() => ground.dispose());

const code = (name: string, more: object = {}): unknown => expect.objectContaining({ code: name, ...more });
/** A session on a disk that fails as `fault` says at the time. */
const open = (): SessionHandle => ground.failing((...operation) => fault(...operation)).openSync({ path: ground.file }, 'write');

describe('a disk that fails', () => {
  it('in the middle of a line leaves the file as it was, and says so (oh-my-pi 70)', async () => {
    ground.put(small());
    const handle = open();
    handle.readSync();
    handle.appendSync([note('o1')]);
    const before = ground.text();
    let writes = 0;
    fault = (operation) => (operation !== 'write' ? null : ++writes === 1 ? { short: 7 } : { error: 'ENOSPC' });
    expect(() => handle.appendSync([note('o2')])).toThrowError(
      code('storage_io', { data: { path: ground.file, errno: 'ENOSPC' } }),
    );
    expect(ground.text()).toBe(before);
    await expect(handle.replace(handle.readSync(), { revision: handle.revision })).rejects.toMatchObject({ code: 'storage_io' });
    expect(ground.text()).toBe(before);
    expect(ground.beside()).toEqual([]);
    fault = () => null;
    handle.appendSync([note('o2')]);
    await handle.close();
    expect(ground.ids()).toEqual(['session-1', 'e1', 'e2', 'e3', 'o1', 'o2']);
  });

  it('and does not let what it left be cut off: the next line is not fused with it', async () => {
    ground.put(small());
    const handle = open();
    handle.readSync();
    let writes = 0;
    fault = (operation, at) => {
      if (operation === 'write') return ++writes === 1 ? { short: 7 } : { error: 'ENOSPC' };
      return operation === 'truncate' || (operation === 'open' && at === ground.file && writes > 0) ? { error: 'EIO' } : null;
    };
    expect(() => handle.appendSync([note('o1')])).toThrowError(code('storage_io'));
    expect(ground.text().endsWith('\n')).toBe(false);
    fault = () => null;
    handle.appendSync([note('o1')]);
    expect(ground.ids()).toEqual(['session-1', 'e1', 'e2', 'e3', 'o1']);
    await handle.close();
  });

  it('when a session is stored for the first time leaves nothing, and the next try stores it', async () => {
    const store = ground.failing((...operation) => fault(...operation));
    const handle = store.create(headerFor('s1'));
    fault = (operation, at) =>
      operation === 'write' && at.includes('_s1.jsonl') && !at.includes('owner') ? { error: 'ENOSPC' } : null;
    expect(() => handle.appendSync([note('e1')])).toThrowError(code('storage_io'));
    expect([handle.stored, fs.existsSync(handle.path!)]).toEqual([false, false]);
    fault = () => null;
    handle.appendSync([note('e1'), note('e2')]);
    await handle.close();
    expect(idsOf(ground.store().openSync('s1', 'read').readSync())).toEqual(['s1', 'e1', 'e2']);
  });

  it.each<[string, (handle: SessionHandle) => Promise<void>]>([
    ['replaced', (handle) => handle.replace(handle.readSync(), { revision: handle.revision })],
    ['given another header', (handle) => handle.updateHeader({ ...handle.header, title: 'Other' })],
  ])('once the file was %s does not let the next line go to the old one', async (_, write) => {
    ground.put(small());
    const store = ground.failing((...operation) => fault(...operation), { durable: true });
    const handle = store.openSync({ path: ground.file }, 'write');
    handle.readSync();
    fault = (operation) => (operation === 'fsyncdir' ? { error: 'EIO' } : null);
    await expect(write(handle)).rejects.toMatchObject({ code: 'storage_io' });
    fault = () => null;
    handle.appendSync([note('o1')]);
    expect(ground.ids().at(-1)).toBe('o1');
    await handle.close();
  });

  it('for blobs stores no line that refers to one', async () => {
    ground.put(small());
    const handle = open();
    handle.readSync();
    fault = (operation, at) => (operation === 'write' && at.includes(`${path.sep}blobs${path.sep}`) ? { error: 'ENOSPC' } : null);
    expect(() => handle.appendSync([note('o1'), picture('o2')])).toThrowError(code('storage_io'));
    expect(ground.ids()).toEqual(['session-1', 'e1', 'e2', 'e3']);
    fault = () => null;
    handle.appendSync([note('o1'), picture('o2')]);
    await handle.close();
    expect(ground.ids()).toEqual(['session-1', 'e1', 'e2', 'e3', 'o1', 'o2']);
  });

  it('does not let a lock be made: the session is written all the same, by one in this process', async () => {
    ground.put(small());
    fault = (operation, at) => (operation === 'open' && at.includes('.owner') ? { error: 'EACCES' } : null);
    const store = ground.failing((...operation) => fault(...operation));
    const handle = store.openSync({ path: ground.file }, 'write');
    handle.appendSync([note('o1')]);
    expect(() => store.openSync({ path: ground.file }, 'write')).toThrowError(code('session_owned'));
    expect(ground.ids().at(-1)).toBe('o1');
    await handle.close();
  });

  it('does not let a blob be read: the session opens, and says so', async () => {
    const first = ground.store().create(headerFor('s1'));
    first.appendSync([picture('e1')]);
    await first.close();
    const [blob] = fs.readdirSync(path.join(ground.base, 'blobs'));
    fault = (operation, at) => (operation === 'open' && at.endsWith(blob!) ? { error: 'EACCES' } : null);
    const handle = ground.failing((...operation) => fault(...operation)).openSync('s1', 'write');
    const records = handle.readSync();
    expect(JSON.stringify(records[1]!.value)).toContain('blob:sha256:');
    expect(handle.problems).toMatchObject([{ code: 'unreadable', entryId: 'e1' }]);
    const before = fs.readFileSync(handle.path!);
    handle.replaceSync(records, { revision: handle.revision });
    expect(fs.readFileSync(handle.path!)).toEqual(before);
    await handle.close();
  });

  it('at published records keeps them until it works again', async () => {
    ground.put(small());
    const store = ground.failing((...operation) => fault(...operation));
    const handle = store.openSync({ path: ground.file }, 'write');
    handle.readSync();
    fault = (operation) => (operation === 'write' ? { error: 'ENOSPC' } : null);
    store.publish('session-1', [note('p1')]);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(() => handle.flushSync()).toThrowError(code('storage_io'));
    fault = () => null;
    store.publish('session-1', [note('p2')]);
    await handle.flush();
    expect(ground.ids().slice(-2)).toEqual(['p1', 'p2']);
    await handle.close();
  });
});

describe('files on a disk', () => {
  it('keep their permissions when they are replaced', async () => {
    ground.put(small());
    fs.chmodSync(ground.file, 0o640);
    const handle = open();
    handle.replaceSync(handle.readSync(), { revision: handle.revision });
    await handle.close();
    expect((fs.statSync(ground.file).mode & 0o777).toString(8)).toBe('640');
  });

  it('are reached through a link as under their own name', async () => {
    ground.put(small());
    const link = path.join(ground.base, 'link.jsonl');
    fs.symlinkSync(ground.file, link);
    const handle = ground.store().openSync({ path: link }, 'write');
    expect(() => ground.store().openSync({ path: ground.file }, 'write')).toThrowError(code('session_owned'));
    handle.replaceSync([...handle.readSync(), note('o1')], { revision: handle.revision });
    await handle.close();
    expect(fs.lstatSync(link).isSymbolicLink()).toBe(true);
    expect(ground.ids().at(-1)).toBe('o1');
  });

  it('come back from a backup that a killed program left, for writing only (oh-my-pi 82)', async () => {
    ground.put(small());
    const backup = `${ground.file}.0123456789abcdef.bak`;
    fs.renameSync(ground.file, backup);
    expect(() => ground.store().openSync({ path: ground.file }, 'read')).toThrowError(code('session_not_found'));
    expect(fs.existsSync(backup)).toBe(true);
    const handle = open();
    expect(idsOf(handle.readSync()).length).toBe(4);
    await handle.close();
    expect(fs.existsSync(backup)).toBe(false);
  });

  it('lose what killed programs left half written more than a day ago, once somebody has them for writing', async () => {
    ground.put(small());
    const temp = (digit: string): string => path.join(ground.folder, `.${path.basename(ground.file)}.${digit.repeat(16)}.tmp`);
    const [old, fresh] = [temp('a'), temp('b')];
    for (const at of [old, fresh]) fs.writeFileSync(at, 'half');
    const days = (count: number): Date => new Date(Date.now() - count * 24 * 60 * 60 * 1000);
    fs.utimesSync(old, days(2), days(2));
    ground.store().openSync({ path: ground.file }, 'read');
    expect(fs.existsSync(old)).toBe(true);
    fault = (operation) => (operation === 'unlink' ? { error: 'EACCES' } : null);
    await open().close();
    fault = () => null;
    const handle = open();
    expect([fs.existsSync(old), fs.existsSync(fresh)]).toEqual([false, true]);
    await handle.close();
  });

  it('are not waited for: a lock of a process that is gone does not count', async () => {
    ground.put(small());
    const lock = path.join(ground.folder, `.${path.basename(ground.file)}.owner`);
    const handle = open();
    const owner = JSON.parse(fs.readFileSync(lock, 'utf8')) as Record<string, unknown>;
    await handle.close();
    expect(fs.existsSync(lock)).toBe(false);
    fs.writeFileSync(lock, JSON.stringify({ ...owner, pid: 4_000_000, token: 'gone' }));
    const next = open();
    next.appendSync([note('o1')]);
    await next.close();
    expect(ground.ids().at(-1)).toBe('o1');
  });

  it('are given up when the handle is closed, also where that fails', async () => {
    ground.put(small());
    const handle = open();
    handle.readSync();
    fault = (operation) => (operation === 'stat' ? { error: 'EIO' } : null);
    await expect(handle.close()).rejects.toMatchObject({ code: 'storage_io' });
    fault = () => null;
    const next = open();
    await next.close();
  });
});
