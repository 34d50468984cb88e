import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { SessionManager } from '../../src/manager/session-manager.ts';
import { readSession } from '../../src/store/load.ts';
import { ProjectSessionStore } from '../../src/store/project-store.ts';

/** How long the writers are at it, s; `STEMMA_WRITERS_SECONDS=30` for the whole ordeal. */
const SECONDS = Number(process.env['STEMMA_WRITERS_SECONDS'] ?? 4);

const folder = mkdtempSync(path.join(tmpdir(), 'stemma-others-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

// The children run the built code.
const CORE = new URL('../../dist/index.js', import.meta.url).href;
const CHILD = path.join(import.meta.dirname, 'child-foreign.mjs');

class Foreign {
  readonly #child: ChildProcess;
  #said = '';
  #failed = '';

  constructor(what: 'append' | 'rewrite', file: string) {
    this.#child = spawn(process.execPath, [CHILD, what, file, CORE], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stdout!.on('data', (chunk: Buffer) => (this.#said += chunk.toString()));
    this.#child.stderr!.on('data', (chunk: Buffer) => (this.#failed += chunk.toString()));
  }

  /** Ends it; answers the ids of the entries that it wrote. */
  async stop(): Promise<string[]> {
    const ended = new Promise((resolve) => this.#child.on('close', resolve));
    this.#child.stdin!.end();
    await ended;
    expect(this.#failed).toBe('');
    return this.#said.split('\n').filter((id) => id !== '');
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const answer = { role: 'assistant', api: 'a', provider: 'p', model: 'm', stopReason: 'stop' };
const text = (words: string) => [{ type: 'text', text: words }];

type Kind = { dialect: 'musepi' | 'pi' } | { encoding: 'raw' | 'zstd' };

describe.each<[string, Kind]>([
  ['musepi', { dialect: 'musepi' }],
  ['pi', { dialect: 'pi' }],
  ['projects, raw', { encoding: 'raw' }],
  ['projects, zstd', { encoding: 'zstd' }],
])('a session of %s that others write to', (name, kind) => {
  it('keeps all of ours, adopts theirs and tells', { timeout: SECONDS * 1000 + 30_000 }, async () => {
    const dir = path.join(folder, name, 'sessions', 'bucket');
    mkdirSync(dir, { recursive: true });
    const told: string[] = [];
    const where = 'encoding' in kind ? { store: new ProjectSessionStore({ root: dir, ...kind }) } : kind;
    const options = { ...where, onProblem: ({ code }: { code: string }) => void told.push(code) };
    const manager = SessionManager.create(folder, 'encoding' in kind ? undefined : dir, options);
    const ours: string[] = [];
    const append = (n: number): void => {
      ours.push(manager.appendMessage({ role: 'user', content: `prompt ${String(n)}`, timestamp: n }));
      ours.push(manager.appendMessage({ ...answer, content: text(`answer ${String(n)}`), timestamp: n }));
    };
    append(0);
    const file = manager.getSessionFile()!;
    const others = { append: new Foreign('append', file), rewrite: new Foreign('rewrite', file) };
    const until = performance.now() + SECONDS * 1000;
    for (let n = 1; performance.now() < until; n++) {
      append(n);
      if (n % 50 === 0) await manager.rewriteEntries();
      await pause(n % 10 === 0 ? 30 : 1);
    }

    // Nobody else of ours may write meanwhile, in this process or in another.
    expect(() => SessionManager.open(file, undefined, undefined, options)).toThrow(
      expect.objectContaining({ code: 'session_owned' }),
    );
    expect(await secondProcess(file)).toBe('session_owned');

    const appended = await others.append.stop();
    const rewritten = await others.rewrite.stop();
    await manager.flush();
    const known = new Map(manager.getEntries().map((entry) => [entry.id, entry]));
    const leaf = manager.getLeafId();
    await manager.close();

    const { entries, problems } = await readSession(file);
    expect(problems).toEqual([]);
    const stored = entries.map(({ id }) => id);
    const ids = new Set(stored);
    expect(stored).toHaveLength(ids.size);
    expect(ours.filter((id) => !ids.has(id))).toEqual([]);
    // Theirs are in memory as they are in the file; a line of the appender can be lost to the rewriter only.
    expect(stored.filter((id) => !known.has(id))).toEqual([]);
    expect(rewritten.filter((id) => ids.has(id)).length).toBeGreaterThan(0);
    expect(appended.filter((id) => ids.has(id)).length).toBeGreaterThan(0);
    // The conversation stands where we left it.
    expect(leaf).toBe(ours.at(-1));
    expect(told.length).toBeGreaterThan(2);
    expect(readdirSync(path.dirname(file)).filter((name) => name.includes('.tmp') || name.includes('.owner'))).toEqual([]);
    if (!file.endsWith('.zstd')) expect(readFileSync(file, 'utf8').endsWith('\n')).toBe(true);
  });
});

/** What another process gets that opens the session for writing. */
function secondProcess(file: string): Promise<string> {
  const code = `import { SessionManager } from '${CORE}'; try { SessionManager.open('${file}'); console.log('opened'); } catch (error) { console.log(error.code); }`;
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.on('close', () => resolve(said.trim()));
  });
}
