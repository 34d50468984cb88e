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

const written = path.join(folder, 'written');
const generated = path.join(folder, 'generated');
writeSessions(written);
// Enough others that the journeys have to look for theirs.
execFileSync(process.execPath, [GENERATOR, '--out', generated, '--sessions', '60', '--bytes', '12M', '--seed', '7'], {
  stdio: 'ignore',
});

const port = process.env['E2E_PORT'] ?? '0';
const options = ['--no-open', '--port', port, '--root', `${written}:pi`, '--root', generated];
const server = spawn(process.execPath, [SERVER, ...options], { stdio: 'inherit', env: { ...process.env, HOME: folder } });
server.on('close', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
