import * as fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { exportLog } from '../../src/store/export-log.ts';
import type { LogRecord, SessionHandle } from '../../src/store/session-store.ts';
import { session } from '../../src/testing/index.ts';
import { collected, idsOf, linesOf, note } from '../../src/testing/store-fixture.ts';
import { FileGround, small } from './file-ground.ts';

let ground: FileGround;
beforeEach(() => void (ground = new FileGround()));
afterEach(() => ground.dispose());

const open = (): SessionHandle => ground.store().openSync({ path: ground.file }, 'write');

/** What an owner does: it appends where it can, and replaces where it must. */
function write(handle: SessionHandle, ...records: LogRecord[]): void {
  if (handle.rewriteRequired) handle.replaceSync([...handle.readSync(), ...records], { revision: handle.revision });
  else handle.appendSync(records);
}

interface Case {
  title: string;
  file: string;
  /** Ids that are read. */
  read: string[];
  /** The file must be written anew. */
  rewrite: boolean;
  /** What is kept beside it, by the word in its name; the whole file unless a text is given. */
  kept: { word: string; text?: string } | null;
  /** Ids after a record `new` was written. */
  after: string[];
}

const [header, e1, e2, e3] = small().lines() as [string, string, string, string];
const whole = [header, e1, e2, e3].map((line) => `${line}\n`).join('');
const ids = ['session-1', 'e1', 'e2', 'e3'];

const CASES: Case[] = [
  { title: 'a sound file is appended to', file: whole, read: ids, rewrite: false, kept: null, after: [...ids, 'new'] },
  {
    title: 'a line that is not JSON is kept beside the file, then gone (oh-my-pi 11)',
    file: `${header}\nnot valid json\n${e1}\n`,
    read: ['session-1', 'e1'],
    rewrite: true,
    kept: { word: '.before-' },
    after: ['session-1', 'e1', 'new'],
  },
  {
    title: 'a torn last line is kept beside the file, then cut off (oh-my-pi 12)',
    file: `${header}\n${e1}\n${e2.slice(0, 40)}`,
    read: ['session-1', 'e1'],
    rewrite: false,
    kept: { word: '.tail-', text: e2.slice(0, 40) },
    after: ['session-1', 'e1', 'new'],
  },
  {
    title: 'a last line that lacks its end only is a record (oh-my-pi 13)',
    file: `${header}\n${e1}\n${e2}`,
    read: ['session-1', 'e1', 'e2'],
    rewrite: false,
    kept: null,
    after: ['session-1', 'e1', 'e2', 'new'],
  },
  {
    title: 'a header without a line end is gone on with',
    file: header,
    read: ['session-1'],
    rewrite: false,
    kept: null,
    after: ['session-1', 'new'],
  },
  {
    title: 'NUL bytes at the end are kept beside the file, then cut off',
    file: `${header}\n${e1}\n${'\0'.repeat(20)}`,
    read: ['session-1', 'e1'],
    rewrite: false,
    kept: { word: '.tail-', text: '\0'.repeat(20) },
    after: ['session-1', 'e1', 'new'],
  },
  {
    title: 'records on one line are put on lines of their own',
    file: `${header}\n${e1}${e2}\n${e3}\n`,
    read: ids,
    rewrite: true,
    kept: { word: '.before-' },
    after: [...ids, 'new'],
  },
  {
    title: 'a record over several lines is put on one',
    file: `${header}\n${e1.replace('one', 'o\nne')}\n${e2}\n`,
    read: ['session-1', 'e1', 'e2'],
    rewrite: true,
    kept: { word: '.before-' },
    after: ['session-1', 'e1', 'e2', 'new'],
  },
  {
    title: 'repeated ids are written as reading shows them',
    file: `${header}\n${e1}\n${e2}\n${e1}\n`,
    read: ['session-1', 'e1', 'e2', 'e1~2'],
    rewrite: true,
    kept: { word: '.before-' },
    after: ['session-1', 'e1', 'e2', 'e1~2', 'new'],
  },
  {
    title: 'a second header alone is left where it is',
    file: `${header}\n${e1}\n${header}\n${e2}\n`,
    read: ['session-1', 'e1', 'e2'],
    rewrite: false,
    kept: null,
    after: ['session-1', 'e1', 'session-1', 'e2', 'new'],
  },
  {
    title: 'carriage returns do no harm',
    file: whole.replaceAll('\n', '\r\n'),
    read: ids,
    rewrite: false,
    kept: null,
    after: [...ids, 'new'],
  },
];

describe('files that others left', () => {
  it.each(CASES)('$title', async ({ file, read, rewrite, kept, after }) => {
    ground.put(file);
    const { mtimeNs } = fs.statSync(ground.file, { bigint: true });
    const handle = open();
    expect(idsOf(handle.readSync())).toEqual(read);
    expect(handle.rewriteRequired).toBe(rewrite);
    handle.checkSync();
    await handle.flush();
    expect(fs.readFileSync(ground.file)).toEqual(Buffer.from(file));
    expect(fs.statSync(ground.file, { bigint: true }).mtimeNs).toBe(mtimeNs);
    expect(ground.beside()).toEqual([]);

    write(handle, note('new'));
    expect(ground.ids()).toEqual(after);
    write(handle, note('newer'));
    await handle.close();
    expect(ground.ids()).toEqual([...after, 'newer']);
    if (kept === null) expect(ground.beside()).toEqual([]);
    else expect(ground.kept(kept.word)).toBe(kept.text ?? file);

    const again = open();
    expect(idsOf(again.readSync())).toEqual([...read, 'new', 'newer']);
    expect(again.rewriteRequired).toBe(false);
    await again.close();
  });

  it.each([
    { title: 'lacks its end', end: e2, after: ['session-1', 'e1', 'e2', 'o1', 'o2'] },
    { title: 'is torn', end: e2.slice(0, 50), after: ['session-1', 'e1', 'o1', 'o2'] },
  ])('several records come behind a last line that $title', async ({ end, after }) => {
    ground.put(`${header}\n${e1}\n${end}`);
    const handle = open();
    handle.readSync();
    handle.appendSync([note('o1'), note('o2')]);
    handle.replaceSync(handle.readSync(), { revision: handle.revision });
    await handle.close();
    expect(ground.ids()).toEqual(after);
  });

  it('are exported line by line, as they are meant', async () => {
    ground.put(`${header}\r\n${e1.replace('one', 'o\nne')}\nnot JSON\n${e2}${e3}\n{"torn`);
    const handle = ground.store().openSync({ path: ground.file }, 'read');
    const lines = linesOf(await collected(exportLog(handle)));
    expect(lines).toEqual([header, e1.replace('one', 'o\\nne'), e2, e3]);
  });

  it('an old version is read as the current one, and written so by a replace only', async () => {
    ground.put(
      `${JSON.stringify({ type: 'session', id: 'session-1' })}\n${JSON.stringify({ type: 'message', message: { role: 'user', content: 'hi' } })}\n`,
    );
    const before = ground.text();
    const handle = open();
    const records = handle.readSync();
    expect(handle.header.version).toBe(3);
    expect(records[1]!.value).toMatchObject({ id: '00000001', parentId: null });
    expect(records[1]!.raw).toBeUndefined();
    expect(() => handle.appendSync([note('new')])).toThrowError(expect.objectContaining({ code: 'session_conflict' }));
    await expect(handle.updateHeader({ ...handle.header, title: 'x' })).rejects.toMatchObject({ code: 'session_conflict' });
    expect(ground.text()).toBe(before);
    await handle.replace([...records, note('new')], { revision: handle.revision });
    expect(ground.ids()).toEqual(['session-1', '00000001', 'new']);
    expect(ground.kept('.before-')).toBe(before);
    expect(handle.rewriteRequired).toBe(false);
    await handle.close();
  });

  it('a newer version is read, and not written to', async () => {
    ground.put(session({ version: 4 }).user('from later'));
    const reader = ground.store().openSync({ path: ground.file }, 'read');
    expect(idsOf(reader.readSync())).toEqual(['session-1', 'e1']);
    expect(open).toThrowError(expect.objectContaining({ code: 'session_newer' }));
  });
});

describe('files without a valid header', () => {
  const INVALID = [
    { title: 'a header with a number for an id (oh-my-pi 17)', file: '{"type":"session","id":5}\n' },
    { title: 'an entry at the beginning (oh-my-pi 17)', file: `${e1}\n${e2}\n` },
    { title: 'a title line of another version (oh-my-pi 19)', file: `{"type":"title","v":2,"title":"x","pad":""}\n${header}\n` },
    { title: 'no JSON at all', file: 'hello\nworld' },
  ];

  it.each(INVALID)('$title: nothing is touched until the first write, then it stands beside', async ({ file }) => {
    ground.put(file);
    const { mtimeNs } = fs.statSync(ground.file, { bigint: true });
    expect(open).toThrowError(expect.objectContaining({ code: 'session_invalid' }));
    const handle = ground.store().create({ type: 'session', version: 3, id: 'fresh' }, { path: ground.file, displace: true });
    expect(idsOf(handle.readSync())).toEqual(['fresh']);
    expect([ground.text(), fs.statSync(ground.file, { bigint: true }).mtimeNs]).toEqual([file, mtimeNs]);
    handle.appendSync([note('e1')]);
    expect(ground.ids()).toEqual(['fresh', 'e1']);
    expect(ground.kept('.damaged-')).toBe(file);
    await handle.close();
  });

  it('without leave to displace it, it stays', () => {
    ground.put('hello\n');
    const handle = ground.store().create({ type: 'session', version: 3, id: 'fresh' }, { path: ground.file });
    expect(() => handle.appendSync([note('e1')])).toThrowError(expect.objectContaining({ code: 'session_exists' }));
    expect(ground.text()).toBe('hello\n');
    expect(ground.beside()).toEqual([]);
  });

  it('a session is never displaced', () => {
    ground.put(whole);
    const handle = ground.store().create({ type: 'session', version: 3, id: 'fresh' }, { path: ground.file, displace: true });
    expect(() => handle.appendSync([note('e1')])).toThrowError(expect.objectContaining({ code: 'session_exists' }));
    expect(ground.text()).toBe(whole);
  });

  it('an empty file is no session, and takes one (oh-my-pi 16)', async () => {
    ground.put('');
    expect(open).toThrowError(expect.objectContaining({ code: 'session_not_found' }));
    const handle = ground.store().create({ type: 'session', version: 3, id: 'fresh' }, { path: ground.file });
    handle.appendSync([]);
    expect(ground.ids()).toEqual(['fresh']);
    expect(ground.beside()).toEqual([]);
    await handle.close();
  });
});
