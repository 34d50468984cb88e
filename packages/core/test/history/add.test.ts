import { renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { damageIndex, databasePath, foreign, openHistory, prompts, REPEATING, rows, sql } from './databases.ts';

describe('add', { timeout: 30_000 }, () => {
  it('keeps prompt, directory, session and time', async () => {
    const at = databasePath();
    await openHistory(at, { now: () => 1_700_000_000_999 }).add('hello', '/work', 's1');
    const entry = { id: 1, prompt: 'hello', createdAt: 1_700_000_000, cwd: '/work', sessionId: 's1' };
    expect(openHistory(at).getRecent(10)).toEqual([entry]);
    expect(rows(at, 'SELECT id, prompt, created_at, cwd, session_id FROM history')).toEqual([
      { id: 1, prompt: 'hello', created_at: 1_700_000_000, cwd: '/work', session_id: 's1' },
    ]);
  });

  it.each([
    ['  padded  \n', 'padded'],
    ['one   \r\ntwo\t\rthree', 'one\ntwo\nthree'],
    ['a\n\n\nb', 'a\n\n\nb'],
    ['inner   blanks', 'inner   blanks'],
  ])('stores %j as %j', async (sent, stored) => {
    const history = openHistory(databasePath());
    await history.add(sent);
    expect(prompts(history.getRecent(1))).toEqual([stored]);
  });

  it('tidies a long line of blanks at once', async () => {
    const history = openHistory(databasePath());
    const began = performance.now();
    await history.add(`a${' '.repeat(400_000)}b`);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('ignores what is empty, and makes no file for it', async () => {
    const at = databasePath();
    await openHistory(at).add(' \r\n ');
    expect(() => statSync(at)).toThrow('ENOENT');
  });

  it('leaves out a repeat of the last prompt, and no other, in its own database', async () => {
    const history = openHistory(databasePath());
    for (const prompt of ['a', 'b', 'b ', 'a']) await history.add(prompt);
    expect(prompts(history.getRecent(10))).toEqual(['a', 'b', 'a']);
  });

  it.each(REPEATING)('leaves out a repeat of the last prompt, and no other, in a database of the kind "%s"', async (kind) => {
    const at = foreign(kind, kind === 'titlesOnly' ? [] : ['a', 'b', 'a']);
    const history = openHistory(at);
    for (const prompt of ['a', 'b', 'b', 'a']) await history.add(prompt, '/w', 's');
    const before = kind === 'titlesOnly' ? ['a'] : ['a', 'b', 'a'];
    expect(rows(at, 'SELECT prompt FROM history ORDER BY id').map((row) => (row as { prompt: string }).prompt)).toEqual([
      ...before,
      'b',
      'a',
    ]);
  });

  it('gives a prompt that stands in the database once the new time, directory and session', async () => {
    const at = foreign('unique', ['a', 'b']);
    const history = openHistory(at, { now: () => 5_000_000 });
    await history.add('a', '/new', 's9');
    expect(history.getRecent(10)).toEqual([
      { id: 1, prompt: 'a', createdAt: 5000, cwd: '/new', sessionId: 's9' },
      { id: 2, prompt: 'b', createdAt: 1001, cwd: null, sessionId: null },
    ]);
    expect(prompts(history.search('a', 10))).toEqual(['a']);
  });

  it('is found at once, also before it is on disk', () => {
    const history = openHistory(databasePath());
    void history.add('just now');
    expect(prompts(history.getRecent(1))).toEqual(['just now']);
    expect(prompts(history.search('now', 1))).toEqual(['just now']);
  });

  it('writes what comes within 100 ms together', async () => {
    const at = databasePath();
    const history = openHistory(at);
    const all = Promise.all(Array.from({ length: 50 }, (_, n) => history.add(`prompt ${String(n)}`)));
    expect(() => statSync(at)).toThrow('ENOENT');
    await all;
    expect(rows(at, 'SELECT count(*) AS n FROM history')).toEqual([{ n: 50 }]);
  });

  it.skipIf(process.platform === 'win32')('makes a file and a folder that are only its owner’s', async () => {
    const at = path.join(path.dirname(databasePath()), 'agent', 'history.db');
    const history = openHistory(at);
    await history.add('private');
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(at + suffix).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(at)).mode & 0o777).toBe(0o700);
  });

  it('goes on in the database that somebody put in the place of the old one', async () => {
    const at = databasePath();
    const history = openHistory(at);
    await history.add('before');
    const other = foreign('unique', ['other']);
    for (const suffix of ['-wal', '-shm']) rmSync(at + suffix);
    renameSync(other, at);
    await history.add('after');
    expect(prompts(openHistory(at).getRecent(10))).toEqual(['after', 'other']);
  });

  it('follows when another program gives the tables another form meanwhile', async () => {
    const at = databasePath();
    const history = openHistory(at);
    await history.add('a');
    await history.add('b');
    sql(
      at,
      `DROP TABLE history_fts; DROP TABLE history;
       CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL, cwd TEXT, session_id TEXT);
       INSERT INTO history VALUES (1, 'a', 1, NULL, NULL), (2, 'b', 2, NULL, NULL); PRAGMA user_version = 1;`,
    );
    expect(prompts(history.search('a', 10))).toEqual(['a']);
    await history.add('a', '/w');
    expect(prompts(history.getRecent(10))).toEqual(['a', 'b']);
    expect(prompts(history.search('b', 10))).toEqual(['b']);
  });

  it('makes a damaged index again when it is in the way', async () => {
    const at = foreign('unique', ['fix the login']);
    damageIndex(at);
    const history = openHistory(at);
    await history.add('café');
    expect(prompts(history.search('cafe', 10))).toEqual(['café']);
    expect(prompts(history.getRecent(10))).toEqual(['café', 'fix the login']);
  });
});

describe('close', () => {
  it('writes what waits, answers it, and may be called again', async () => {
    const at = databasePath();
    const history = openHistory(at);
    const added = history.add('last words');
    await history.close();
    await history.close();
    await added;
    expect(prompts(openHistory(at).getRecent(1))).toEqual(['last words']);
    await expect(history.add('more')).rejects.toMatchObject({ code: 'storage_closed' });
    await expect(history.flush()).rejects.toMatchObject({ code: 'storage_closed' });
    expect(() => history.getRecent(1)).toThrow(expect.objectContaining({ code: 'storage_closed' }));
  });
});
