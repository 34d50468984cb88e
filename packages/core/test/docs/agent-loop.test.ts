import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { HistoryStorage } from '../../src/history/index.ts';
import { readSession } from '../../src/index.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../../../examples/agent-loop/agent-loop.ts');
const TSX = import.meta.resolve('tsx');

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'stemma-agent-')));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the example prints, as a person runs it, with the library as it is built. */
function run(prompt: string, cwd: string, agent: string): string[] {
  const env = { ...process.env, PI_CODING_AGENT_DIR: agent, PI_CODING_AGENT_SESSION_DIR: '' };
  const ended = spawnSync(process.execPath, ['--import', TSX, PROGRAM, prompt], { cwd, env, encoding: 'utf8' });
  expect(ended.stderr).toBe('');
  return ended.stdout.trim().split('\n');
}

describe('the example of an agent', () => {
  it('keeps what was said and goes on with it at the next start', { timeout: 60_000 }, async () => {
    const [work, agent] = ['work', 'agent'].map((name) => path.join(folder, name)) as [string, string];
    mkdirSync(work);
    for (const name of ['one.txt', 'two.txt']) writeFileSync(path.join(work, name), '');

    const first = run('Which files are here?', work, agent);
    expect(first[0]).toBe('2 files. You have asked 1 times.');
    const second = run('And now?', work, agent);
    expect(second[0]).toBe('2 files. You have asked 2 times.');

    const file = /^8 entries in (.*)$/.exec(second[1] ?? '')?.[1] ?? '';
    expect(first[1]).toBe(`4 entries in ${file}`);
    const { header, entries, problems } = await readSession(file);
    expect(problems).toEqual([]);
    expect(header?.cwd).toBe(work);
    const roles = ['user', 'assistant', 'toolResult', 'assistant'];
    expect(entries.map((entry) => (entry as { message?: { role?: string } }).message?.role)).toEqual([...roles, ...roles]);

    const history = HistoryStorage.open(path.join(agent, 'history.db'));
    expect(history.search('files', 10)).toMatchObject([{ cwd: work, sessionId: header?.id }]);
    await history.close();
  });
});
