import { existsSync } from 'node:fs';
import path from 'node:path';

import { logPath, readLog, run } from './run.mjs';
import { at, fingerprint, LaunchError, readStamp, say, workspacePackages, writeStamp } from './workspace.mjs';

const PNPM = 'pnpm@10.34.8';
const LOG = 'install.log';

/** What the installed modules depend on: the lockfile, the build settings, and the Node they were built for. */
const wanted = () => `${fingerprint(['pnpm-lock.yaml', 'pnpm-workspace.yaml'])} abi ${process.versions.modules}`;

/** @returns {boolean} whether everything the lockfile asks for is in place */
export const isInstalled = () => readStamp('install') === wanted() && linksAreThere();

/** A stamp alone is not trusted: somebody may have deleted one of the node_modules folders. */
function linksAreThere() {
  return workspacePackages().every(({ dir, manifest }) =>
    Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).every((name) =>
      existsSync(at(dir, 'node_modules', name, 'package.json')),
    ),
  );
}

/** Installs from the frozen lockfile unless that was done already. Throws a LaunchError with the reason. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  const stamp = wanted();
  say('Installing dependencies (about a minute the first time)…');
  writeStamp('install', '');
  let log = LOG;
  let code = await pnpmInstall(log);
  if (code !== 0 && compilerIsMissing(readLog(LOG))) {
    say(
      'A native module could not be compiled, so what needs it is switched off: install a C++ compiler, make and Python 3, ' +
        `delete node_modules and run the command again (details in ${logPath(LOG)}).`,
    );
    log = `uncompiled-${LOG}`;
    code = await pnpmInstall(log, '--ignore-scripts');
  }
  if (code !== 0) throw new LaunchError(reason(code, readLog(log)));
  if (!linksAreThere()) throw new LaunchError(`The install is incomplete: delete node_modules and run the command again.`);
  writeStamp('install', stamp);
}

/** @param {string} log @param {string[]} more @returns {Promise<number>} */
function pnpmInstall(log, ...more) {
  const install = ['install', '--frozen-lockfile', '--config.confirm-modules-purge=false', '--reporter=append-only'];
  return run([...npx(), '--yes', '--prefer-offline', PNPM, ...install, ...more], { log, env: quickRetries() });
}

/** npm and pnpm wait over a minute before they say that there is no network; ten seconds will do, unless somebody chose otherwise. */
function quickRetries() {
  const wanted = {
    npm_config_fetch_retries: '3',
    npm_config_fetch_retry_mintimeout: '1000',
    npm_config_fetch_retry_maxtimeout: '5000',
  };
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => process.env[name] === undefined));
}

/**
 * npx as a file that this Node can run, so that the npm which started us is used and no shell is needed.
 * @returns {string[]}
 */
function npx() {
  const besideNpm = path.join(path.dirname(process.env['npm_execpath'] ?? ''), 'npx-cli.js');
  const besideNode = path.join(path.dirname(process.execPath), '../lib/node_modules/npm/bin/npx-cli.js');
  const onWindows = path.join(path.dirname(process.execPath), 'node_modules/npm/bin/npx-cli.js');
  const file = [besideNpm, besideNode, onWindows].find((candidate) => path.isAbsolute(candidate) && existsSync(candidate));
  return file === undefined ? [process.platform === 'win32' ? 'npx.cmd' : 'npx'] : [process.execPath, file];
}

/** @param {string} log @returns {boolean} */
const compilerIsMissing = (log) =>
  /gyp ERR!|not found: make|node-gyp: not found|Could not find any Python|g\+\+: not found/i.test(log);

/**
 * @param {number} code exit code of the install
 * @param {string} log
 * @returns {string} one sentence: what happened, and what to do
 */
export function reason(code, log) {
  const details = `(details in ${logPath(LOG)})`;
  if (code === 127)
    return 'npx was not found: install npm, which comes with Node from https://nodejs.org, and run the command again.';
  if (code > 128) return 'The install was interrupted: run the command again and it goes on.';
  if (/ENOSPC|no space left/i.test(log)) return `The disk is full: free about 1 GB and run the command again ${details}.`;
  if (/EACCES|EPERM|EROFS|permission denied/i.test(log)) {
    return `A folder cannot be written: make the Stemma folder and the home folder yours and run the command again ${details}.`;
  }
  if (/OUTDATED_LOCKFILE|FROZEN_LOCKFILE/.test(log)) {
    return `pnpm-lock.yaml does not fit the package.json files: run \`npx ${PNPM} install\` and commit the lockfile ${details}.`;
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL|fetch failed|network/i.test(
      log,
    )
  ) {
    return `The package registry cannot be reached: check the network or proxy and run the command again ${details}.`;
  }
  return `The dependencies could not be installed: delete node_modules and run the command again ${details}.`;
}
