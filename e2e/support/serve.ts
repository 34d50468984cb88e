import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { writeSessions } from './sessions.ts';

// Started by Playwright: writes the sessions of the journeys into a folder of its own, serves them, and takes the folder away again.

const WORKSPACE = path.resolve(import.meta.dirname, '../..');
const SERVER = path.join(WORKSPACE, 'apps/cli/dist/main.js');
const GENERATOR = path.join(WORKSPACE, 'packages/core/dist/corpus/main.js');

const folder = mkdtempSync(path.join(tmpdir(), 'stemma-e2e-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Generates sessions, always the same ones, and answers their folder. */
function generate(name: string, ...options: string[]): string {
  const out = path.join(folder, name);
  execFileSync(process.execPath, [GENERATOR, '--out', out, '--seed', '7', ...options], { stdio: 'ignore' });
  return out;
}

const written = path.join(folder, 'written');
writeSessions(written);
const roots = [
  `${written}:pi`,
  // Enough others that the journeys have to look for theirs.
  generate('many', '--sessions', '60', '--bytes', '12M'),
  generate('long', '--entries', '60000', '--bytes', '20M', '--chain'),
  generate('wide', '--entries', '20000', '--bytes', '10M', '--branches', '500'),
];

const port = process.env['E2E_PORT'] ?? '0';
const options = ['--no-open', '--port', port, ...roots.flatMap((root) => ['--root', root])];
const server = spawn(process.execPath, [SERVER, ...options], { stdio: 'inherit', env: { ...process.env, HOME: folder } });
server.on('close', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));

// A runner that is killed takes nobody with it: the server would stay.
const runner = Number(process.env['E2E_RUNNER'] ?? process.ppid);
setInterval(() => {
  try {
    process.kill(runner, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    server.kill('SIGTERM');
  }
}, 1_000).unref();
