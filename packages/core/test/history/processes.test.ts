import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

import { databasePath, foreign, openHistory, prompts, sql } from './databases.ts';

interface Ended {
  code: number | null;
  /** What the program said was on disk. */
  written: string[];
}

interface Running {
  ended: Promise<Ended>;
  /** Has it said anything yet? */
  began(): boolean;
  kill(): void;
}

function start(at: string, ending: string, name: string, count: number): Running {
  const script = path.join(import.meta.dirname, 'child.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, at, ending, name, String(count)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, written: said.split('\n').slice(0, -1) }));
  });
  return { ended, began: () => said !== '', kill: () => child.kill('SIGKILL') };
}

const numbered = (name: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${name} ${String(n)}`);

function expectSound(at: string): void {
  const db = new Sqlite(at);
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.exec("INSERT INTO history_fts(history_fts, rank) VALUES ('integrity-check', 1)");
  } finally {
    db.close();
  }
}

describe('a process that ends', { timeout: 120_000 }, () => {
  it.each([
    ['by itself', 'end', 0],
    ['after closing', 'close', 0],
    ['by process.exit', 'exit', 3],
    ['by an error', 'throw', 1],
  ])('%s has lost no prompt', async (_, ending, code) => {
    const at = databasePath();
    const ended = await start(at, ending, 'mine', 20).ended;
    expect(ended.code).toBe(code);
    expect(prompts(openHistory(at).getRecent(100)).reverse()).toEqual(numbered('mine', 20));
  });

  it('by being killed has lost nothing that was said to be on disk', async () => {
    const at = databasePath();
    for (let round = 0; round < 5; round++) {
      const child = start(at, 'killed', `round ${String(round)}`, 0);
      while (!child.began()) await sleep(5);
      await sleep(round * 37);
      child.kill();
      const { written } = await child.ended;
      expect(written.length).toBeGreaterThan(0);
      const db = new Sqlite(at, { readonly: true });
      const stored = new Set(db.prepare('SELECT prompt FROM history').pluck().all());
      db.close();
      expect(written.filter((prompt) => !stored.has(prompt))).toEqual([]);
    }
    expectSound(at);
  });
});

/** A program that begins to write, says so, and is done after 400 ms. */
const HOLDER = `
  const db = new (require('better-sqlite3'))(process.argv[1]);
  db.exec('BEGIN IMMEDIATE');
  db.prepare("INSERT INTO history (prompt, created_at) VALUES ('theirs', 1)").run();
  process.stdout.write('writing');
  setTimeout(() => db.exec('COMMIT'), 400);`;

async function hold(at: string): Promise<void> {
  const child = spawn(process.execPath, ['-e', HOLDER, at], { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
}

describe('a database that another program is writing to', { timeout: 30_000 }, () => {
  it.each(['delete', 'wal'])('is waited for (journal mode %s)', async (mode) => {
    const at = foreign('unique');
    sql(at, `PRAGMA journal_mode = ${mode}`);
    await hold(at);
    const history = openHistory(at);
    expect(history.getRecent(10)).toEqual([]);
    await history.add('mine');
    expect(prompts(history.getRecent(10))).toEqual(['mine', 'theirs']);
  });
});

describe('several processes at once', { timeout: 120_000 }, () => {
  it.each([
    ['a database that none of them has made yet', databasePath],
    ['the database of oh-my-pi', () => foreign('unique')],
    ['an old database', () => foreign('old')],
  ])('keep all that each of them adds to %s', async (_, make) => {
    const at = make();
    const names = ['one', 'two', 'three'];
    const ends = await Promise.all(names.map((name) => start(at, 'steps', name, 25).ended));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    const stored = prompts(openHistory(at).getRecent(1000));
    for (const name of names) {
      const expected = [...numbered(name, 25), ...numbered(`${name} again`, 25)];
      expect(stored.filter((prompt) => prompt.startsWith(`${name} `)).sort()).toEqual(expected.sort());
    }
    expectSound(at);
  });
});
