import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import type * as Core from '../../src/index.ts';
import { SessionBuilder } from '../../src/testing/session-builder.ts';
import { writeFileSync } from 'node:fs';

// The child runs the built code, as an agent would.
const CORE = new URL('../../dist/index.js', import.meta.url).href;
const { compressFrame, readSession } = (await import(CORE)) as typeof Core;

/** Kills in all; `STEMMA_KILLS=300` for the whole ordeal. */
const KILLS = Number(process.env['STEMMA_KILLS'] ?? 32);
/** The longest that a child lives after it is ready, ms. */
const LIFE_MS = 250;

const folder = mkdtempSync(path.join(tmpdir(), 'stemma-kill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Facts {
  path: string | null;
  ids: string[];
  images: string[];
}

/** Starts a child and kills it at some instant. Answers what it had said until then. */
function killed(run: object, after: number): Promise<Facts> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'child-writer.mjs'), JSON.stringify(run)], {
    env: { ...process.env, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let failed = '';
  let ready = false;
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (ready || !said.startsWith('ready\n')) return;
    ready = true;
    setTimeout(() => child.kill('SIGKILL'), after);
  });
  child.stderr.on('data', (chunk: Buffer) => (failed += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (signal !== 'SIGKILL') return reject(new Error(`The child ended by itself (${String(code)}): ${failed}`));
      const lines = said.slice(0, said.lastIndexOf('\n') + 1).split('\n');
      const all = (word: string): string[] =>
        lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
      resolve({ path: all('at').at(-1) ?? null, ids: all('has'), images: all('image') });
    });
  });
}

/** What a child writes, and where. */
interface Kind {
  name: string;
  run: { dialect?: string; encoding?: 'raw' | 'zstd' };
  /** The folder with the folders of projects, inside the child's. */
  sessions: string;
  /** An old session, inside the child's folder. */
  old: string;
}

const KINDS: readonly Kind[] = [
  { name: 'musepi', run: { dialect: 'musepi' }, sessions: 'sessions', old: 'sessions/first/old.jsonl' },
  { name: 'pi', run: { dialect: 'pi' }, sessions: 'sessions', old: 'sessions/first/old.jsonl' },
  { name: 'projects-raw', run: { encoding: 'raw' }, sessions: '.', old: '--old--/old/session.jsonl' },
  { name: 'projects-zstd', run: { encoding: 'zstd' }, sessions: '.', old: '--old--/old/session.jsonl.zstd' },
];

/** The file of a session, wherever a move was when the process ended. */
function survivor(agent: string, { run, sessions }: Kind, at: string): string {
  if (existsSync(at)) return at;
  const folder = path.join(agent, sessions);
  const inProject =
    run.encoding === undefined ? path.basename(at) : path.join(path.basename(path.dirname(at)), path.basename(at));
  const found = readdirSync(folder)
    .map((project) => path.join(folder, project, inProject))
    .filter(existsSync);
  expect(found, `one file ${inProject}`).toHaveLength(1);
  return found[0]!;
}

async function check(agent: string, { run }: Kind, facts: Facts, at: string): Promise<void> {
  const blobs = path.join(run.encoding === undefined ? agent : path.dirname(at), 'blobs');
  const get = async (hash: string): Promise<Uint8Array | undefined> =>
    existsSync(path.join(blobs, hash)) ? readFileSync(path.join(blobs, hash)) : undefined;
  const { header, entries, problems } = await readSession(at, { blobs: get });
  expect(header).not.toBeNull();
  // A kill may end in the middle of a write that nobody had acknowledged.
  expect(problems.filter(({ code }) => code !== 'torn_tail' && code !== 'frame_torn')).toEqual([]);
  const ids = new Set(entries.map(({ id }) => id));
  expect(facts.ids.filter((id) => !ids.has(id))).toEqual([]);
  const text = JSON.stringify(entries);
  for (const start of facts.images) expect(text.includes(start), `image ${start}`).toBe(true);
}

/** Where to kill: spread over the life of a child, and denser at its start, where the file is made. */
const instants = Array.from({ length: KILLS }, (_, i) => ((i * 0.618) % 1) ** 2 * LIFE_MS);

describe.each(KINDS)('a writer of $name that is killed', (kind) => {
  const { name } = kind;
  const mine = instants.filter((_, i) => i % KINDS.length === KINDS.indexOf(kind));

  it('leaves files that open and hold all it had reported', { timeout: 5_000 + mine.length * 4_000 }, async () => {
    let appended = 0;
    for (const [i, after] of mine.entries()) {
      const agent = path.join(folder, `${name}-${String(i)}`);
      const cwds = ['a', 'b'].map((name) => path.join(agent, 'work', name));
      for (const cwd of cwds) mkdirSync(cwd, { recursive: true });
      const run = { core: CORE, agent, cwds, seed: i + 1, ...kind.run };
      let facts = await killed(run, after);
      if (facts.path === null) continue;
      let at = survivor(agent, kind, facts.path);
      await check(agent, kind, facts, at);
      appended += facts.ids.length;
      // The next process goes on with what the killed one has left, and is killed, too.
      const before = facts.ids;
      facts = await killed({ ...run, path: at, seed: i + 1000 }, after);
      at = survivor(agent, kind, at);
      await check(agent, kind, { ...facts, ids: [...before, ...facts.ids] }, at);
      appended += facts.ids.length;
      rmSync(agent, { recursive: true, force: true });
    }
    // Otherwise nothing was put to the test.
    expect(appended).toBeGreaterThan(mine.length);
  });

  it('leaves an old file whole while it is migrated', { timeout: 5_000 + mine.length * 4_000 }, async () => {
    const builder = new SessionBuilder();
    for (let n = 0; n < 2000; n++)
      builder.message(n % 2 === 0 ? 'user' : 'assistant', { content: `old ${String(n)} ${'y'.repeat(500)}` });
    const log = Buffer.from(builder.text().replace('"version":3', '"version":2'));
    const old = path.join(folder, `${name}-v2${kind.old.slice(kind.old.indexOf('.'))}`);
    writeFileSync(old, kind.run.encoding === 'zstd' ? compressFrame(log) : log);
    const known = (await readSession(old)).entries.map(({ id }) => id);
    for (const [i, after] of mine.slice(0, Math.ceil(mine.length / 3)).entries()) {
      const agent = path.join(folder, `${name}-old-${String(i)}`);
      const at = path.join(agent, kind.old);
      mkdirSync(path.dirname(at), { recursive: true });
      copyFileSync(old, at);
      const facts = await killed({ core: CORE, agent, cwds: [agent], seed: i + 1, path: at, ...kind.run }, after / 4);
      await check(agent, kind, { ...facts, ids: [...known, ...facts.ids] }, at);
      rmSync(agent, { recursive: true, force: true });
    }
  });
});
