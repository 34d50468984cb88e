import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { at, LaunchError, ROOT, STATE } from './workspace.mjs';

/**
 * Runs a program to its end.
 * @param {string[]} command program and arguments; no shell reads them
 * @param {{ cwd?: string, log?: string, env?: Record<string, string> }} [options] `log` names a file in the state folder that takes
 *   all output; without it the output goes to the terminal
 * @returns {Promise<number>} the exit code; 127 when the program could not be started, 128 + n after a signal
 */
export async function run(command, options = {}) {
  const log = options.log === undefined ? undefined : openLog(options.log);
  const output = log ?? 'inherit';
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', output, output],
    // Only npx.cmd and its kind need a shell, and only on Windows; their arguments here are fixed words.
    shell: process.platform === 'win32' && program.endsWith('.cmd'),
  });
  const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  try {
    return await new Promise((resolve) => {
      child.on('error', () => resolve(127));
      child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
    });
  } finally {
    process.off('SIGINT', pass).off('SIGTERM', pass);
    if (log !== undefined) closeSync(log);
  }
}

/** @param {string} name @returns {number} */
function openLog(name) {
  mkdirSync(STATE, { recursive: true });
  return openSync(logPath(name), 'w');
}

/** @param {string} name @returns {string} where a log of that name is */
export const logPath = (name) => path.join(STATE, name);

/** @param {string} name @returns {string} what a log holds, '' without one */
export const readLog = (name) => (existsSync(logPath(name)) ? readFileSync(logPath(name), 'utf8') : '');

/**
 * The command line of a tool from node_modules, run by this Node itself: no shell script of a package manager between them.
 * @param {string} packageName
 * @param {string} [binName] where the package has several programs
 * @param {string} [from] the workspace folder whose dependency it is
 * @returns {string[]}
 */
export function tool(packageName, binName = packageName, from = '.') {
  const require = createRequire(at(from, 'package.json'));
  const dirs = require.resolve.paths(packageName) ?? [];
  const dir = dirs.map((d) => path.join(d, packageName)).find((d) => existsSync(path.join(d, 'package.json')));
  if (dir === undefined) throw new LaunchError(`${packageName} is not installed: delete node_modules and run the command again.`);
  const { bin } = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'));
  return [process.execPath, path.join(dir, typeof bin === 'string' ? bin : bin[binName])];
}
