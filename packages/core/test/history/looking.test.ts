import { createHash } from 'node:crypto';
import { copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

import { HistoryStorage } from '../../src/history/index.ts';
import { databasePath, foreign, FOREIGN_KINDS, openHistory, prompts, rows } from './databases.ts';

function state(at: string): string[] {
  const folder = path.dirname(at);
  const lines = readdirSync(folder).map((name) => {
    const stat = lstatSync(path.join(folder, name), { bigint: true });
    const hash = createHash('sha256').update(readFileSync(path.join(folder, name)));
    return [name, stat.mtimeNs, stat.ino, stat.size, hash.digest('hex')].join(' ');
  });
  return [...lines.sort(), String(lstatSync(folder, { bigint: true }).mtimeNs)];
}

const lookAtAll = async (at: string): Promise<string[]> => {
  const history = openHistory(at);
  history.search('fix', 10);
  const found = prompts(history.getRecent(10));
  await history.flush();
  await history.close();
  return found;
};

describe('looking at a prompt history', { timeout: 30_000 }, () => {
  it.each(FOREIGN_KINDS)('changes nothing in a database of the kind "%s", nor beside it', async (kind) => {
    const at = foreign(kind, kind === 'titlesOnly' ? [] : ['fix', 'more']);
    const before = state(at);
    expect(await lookAtAll(at)).toEqual(kind === 'titlesOnly' ? [] : ['more', 'fix']);
    expect(state(at)).toEqual(before);
  });

  it('makes no file where there is none, and sees one that comes', async () => {
    const at = databasePath();
    const history = openHistory(at);
    expect(history.getRecent(10)).toEqual([]);
    expect(readdirSync(path.dirname(at))).toEqual([]);
    copyFileSync(foreign('unique', ['there']), at);
    expect(prompts(history.getRecent(10))).toEqual(['there']);
  });

  it('sees what others write, while they have it open and after', () => {
    const at = foreign('unique', ['one']);
    const history = openHistory(at);
    expect(prompts(history.getRecent(10))).toEqual(['one']);
    const other = new Sqlite(at);
    const insert = other.prepare('INSERT INTO history (prompt, created_at) VALUES (?, ?)');
    insert.run('two', 2000);
    expect(prompts(history.getRecent(10))).toEqual(['two', 'one']);
    insert.run('three', 3000);
    other.close();
    expect(prompts(history.getRecent(10))).toEqual(['three', 'two', 'one']);
    expect(prompts(history.search('three', 10))).toEqual(['three']);
  });

  it('sees what a killed program left in its log, and leaves it there', async () => {
    const at = foreign('unique', ['one']);
    const other = new Sqlite(at);
    other.prepare('INSERT INTO history (prompt, created_at) VALUES (?, ?)').run('two', 2000);
    const left = path.join(path.dirname(at), 'left', 'history.db');
    mkdirSync(path.dirname(left));
    for (const suffix of ['', '-wal', '-shm']) copyFileSync(at + suffix, left + suffix);
    other.close();
    const bytes = [readFileSync(left), readFileSync(`${left}-wal`)];
    expect(await lookAtAll(left)).toEqual(['two', 'one']);
    expect([readFileSync(left), readFileSync(`${left}-wal`)]).toEqual(bytes);
  });

  it('answers nothing for an empty file', () => {
    const at = databasePath();
    writeFileSync(at, '');
    expect(openHistory(at).getRecent(1)).toEqual([]);
  });

  it.each([
    ['a file that is no database', (at: string) => writeFileSync(at, 'no database at all, only text'.repeat(50)), 'storage_io'],
    ['a folder', (at: string) => mkdirSync(at), 'storage_io'],
    [
      'a database with another table of that name',
      (at: string) => new Sqlite(at).exec('CREATE TABLE history (url TEXT)').close(),
      'unsupported',
    ],
  ])('refuses %s, and leaves it', async (_, make, code) => {
    const at = databasePath();
    make(at);
    const before = lstatSync(at).isFile() ? readFileSync(at) : null;
    expect(() => HistoryStorage.open(at)).toThrow(expect.objectContaining({ code }));
    if (before !== null) expect(readFileSync(at)).toEqual(before);
  });
});

describe('the first add', { timeout: 30_000 }, () => {
  const kept = 'SELECT id, prompt, created_at FROM history ORDER BY id';

  it.each([
    ['unique', []],
    ['old', ['add-session-id']],
    ['plain', ['add-cwd', 'add-session-id', 'create-index', 'feed-index']],
    ['unfed', ['feed-index']],
    ['titlesOnly', ['create-history', 'create-index', 'feed-index']],
  ] as const)('gives a database of the kind "%s" what it lacks (%j), and keeps every row', async (kind, migrations) => {
    const at = foreign(kind, kind === 'titlesOnly' ? [] : ['fix', 'café', 'other']);
    const before = kind === 'titlesOnly' ? [] : rows(at, kept);
    const said: unknown[] = [];
    const history = openHistory(at, {
      now: () => 9_000_000,
      logger: { warn: (_, data) => said.push(data), error: (text) => said.push(text) },
    });
    await history.add('new', '/w', 's1');
    await history.add('newer', '/w', 's1');
    expect(said).toEqual(migrations.length === 0 ? [] : [{ path: at, migrations }]);
    expect(rows(at, kept).slice(0, before.length)).toEqual(before);
    expect(history.search('new', 10)).toMatchObject([{ prompt: 'newer' }, { prompt: 'new', cwd: '/w', sessionId: 's1' }]);
    if (kind !== 'titlesOnly') expect(prompts(history.search('cafe', 10))).toEqual(['café']);
  });

  it.each(['unique', 'titlesOnly'] as const)('leaves the titles of sessions in a database of the kind "%s"', async (kind) => {
    const at = foreign(kind);
    await openHistory(at).add('new');
    expect(rows(at, 'SELECT * FROM session_titles')).toEqual([{ session_id: 's1', title: 'Title one', updated_at: 1 }]);
  });

  it.each([
    ['unique', 1],
    ['old', 0],
    ['titlesOnly', 0],
  ] as const)('leaves the version of a database of the kind "%s"', async (kind, version) => {
    const at = foreign(kind);
    await openHistory(at).add('new');
    expect(rows(at, 'PRAGMA user_version')).toEqual([{ user_version: version }]);
  });

  it('makes the table in the form that oh-my-pi expects where it has set its version', async () => {
    const at = databasePath();
    new Sqlite(at).exec('PRAGMA user_version = 1').close();
    const history = openHistory(at);
    for (const prompt of ['a', 'b', 'a']) await history.add(prompt);
    expect(rows(at, 'SELECT prompt FROM history')).toEqual([{ prompt: 'a' }, { prompt: 'b' }]);
  });

  it('keeps the index in step when others remove or change rows of our database', async () => {
    const at = databasePath();
    const history = openHistory(at);
    for (const prompt of ['first', 'second', 'third']) await history.add(prompt);
    const other = new Sqlite(at);
    other.exec("DELETE FROM history WHERE prompt = 'first'; UPDATE history SET prompt = 'café' WHERE prompt = 'second'");
    other.exec("INSERT INTO history_fts(history_fts, rank) VALUES ('integrity-check', 1)");
    other.close();
    expect(prompts(history.search('cafe', 10))).toEqual(['café']);
    expect(history.search('first', 10)).toEqual([]);
  });
});
