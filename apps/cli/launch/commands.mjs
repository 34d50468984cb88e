import { pathToFileURL } from 'node:url';

import { ensureBuilt, isBuilt } from './build.mjs';
import { ensureInstalled, isInstalled } from './install.mjs';
import { withLock } from './lock.mjs';
import { CLI_MAIN, LaunchError, say } from './workspace.mjs';

/** Installs and builds; returns at once when all is current. */
async function ensureReady() {
  if (isInstalled() && isBuilt()) return;
  await withLock(async () => {
    await ensureInstalled();
    await ensureBuilt();
  });
}

/** Asked twice a second: nobody is told when a parent ends. */
const PARENT_MS = 500;

/**
 * A SIGTERM for npm reaches npm and its shell, not what the shell runs. So a command that npm started ends itself when its parent has
 * gone, or a server would stay behind that nobody sees.
 */
function endWithParent() {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, PARENT_MS).unref();
}

/**
 * Turns a failure that has its sentence into that sentence and exit code 1.
 * @param {() => Promise<void>} work
 */
async function reported(work) {
  endWithParent();
  try {
    await work();
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}

/** @param {string[]} args options of the `stemma` command */
export async function start(args) {
  await reported(async () => {
    await ensureReady();
    // npm runs scripts in the package's folder; relative paths in the options mean the folder where the person is.
    const invokedFrom = process.env['INIT_CWD'];
    if (process.env['npm_lifecycle_event'] === 'start' && invokedFrom !== undefined) process.chdir(invokedFrom);
    // In this process rather than in a child: signals and exit code are the command's own, and nothing survives a kill.
    process.argv = [process.argv[0] ?? 'node', CLI_MAIN, ...args];
    await import(pathToFileURL(CLI_MAIN).href);
  });
}

/** @param {string[]} args `--only=unit,e2e` runs some of the steps */
export async function test(args) {
  await reported(async () => {
    await ensureReady();
    const { runTests } = await import('./test-steps.mjs');
    process.exitCode = await runTests(args);
  });
}

/** @param {string[]} args options of the `stemma` command */
export async function dev(args) {
  await reported(async () => {
    await ensureReady();
    const { runDev } = await import('./dev-servers.mjs');
    await runDev(args);
  });
}
