import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { writeSessions } from './sessions.ts';

const WORKSPACE = path.resolve(import.meta.dirname, '../..');
const SERVER = path.join(WORKSPACE, 'apps/cli/dist/main.js');
const GENERATOR = path.join(WORKSPACE, 'packages/core/dist/corpus/main.js');

/** One run of the journeys: its own port and its own folder, so that two runs do not meet. */
interface Run {
  url: string;
  /** The command that serves the sessions. */
  command: string;
}

/**
 * Chooses a port and writes the sessions, once a run: the workers, which load the configuration again, find both in their environment.
 */
export async function prepareRun(): Promise<Run> {
  const port = (process.env['E2E_PORT'] ??= String(await freePort()));
  const folder = (process.env['E2E_FOLDER'] ??= writeFolder());
  const roots = [`${path.join(folder, 'written')}:pi`, path.join(folder, 'generated')];
  const words = ['node', SERVER, '--no-open', '--port', port, ...roots.flatMap((root) => ['--root', root])];
  return { url: `http://127.0.0.1:${port}`, command: words.map((word) => `"${word}"`).join(' ') };
}

/** The sessions that the journeys look for, and enough generated ones that they have to look. */
function writeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'stemma-e2e-'));
  writeSessions(path.join(folder, 'written'));
  const generated = path.join(folder, 'generated');
  execFileSync(process.execPath, [GENERATOR, '--out', generated, '--sessions', '60', '--bytes', '12M', '--seed', '7'], {
    stdio: 'ignore',
  });
  return folder;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}
