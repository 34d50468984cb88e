import { spawn } from 'node:child_process';

import { tool } from './run.mjs';
import { at, CLI_MAIN, say, WEB } from './workspace.mjs';

const API_PORT = '4317';

/**
 * Runs the compiler, the server and Vite, all watching, until one of them ends or the person stops them.
 * @param {string[]} args further options of the `stemma` command
 * @returns {Promise<void>}
 */
export async function runDev(args) {
  const commands = [
    { dir: '.', command: [...tool('typescript', 'tsc'), '-b', '--watch', '--preserveWatchOutput'] },
    { dir: '.', command: [process.execPath, '--watch', CLI_MAIN, '--no-open', '--port', API_PORT, ...args] },
    { dir: WEB, command: tool('vite') },
  ];
  const children = commands.map(({ dir, command }) => {
    const [program = '', ...rest] = command;
    const env = { ...process.env, STEMMA_API: `http://127.0.0.1:${API_PORT}` };
    return spawn(program, rest, { cwd: at(dir), env, stdio: ['ignore', 'inherit', 'inherit'] });
  });
  const stop = () => children.forEach((child) => child.kill('SIGTERM'));
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const ends = children.map((child) => new Promise((resolve) => child.on('close', resolve).on('error', resolve)));
  await Promise.race(ends);
  say('One of the watching processes has ended; stopping the others.');
  stop();
  await Promise.all(ends);
}
