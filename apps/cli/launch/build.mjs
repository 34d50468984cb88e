import { existsSync } from 'node:fs';

import { logPath, readLog, run, tool } from './run.mjs';
import { at, CLI_MAIN, COMPILED, filesIn, fingerprint, LaunchError, readStamp, say, WEB, writeStamp } from './workspace.mjs';

const WEB_PAGE = at(WEB, 'dist/index.html');
const SETTINGS = ['pnpm-lock.yaml', 'tsconfig.json', 'tsconfig.base.json'];

const compiledSources = () => COMPILED.flatMap((dir) => [`${dir}/src`, `${dir}/tsconfig.json`, `${dir}/package.json`]);
const webSources = () =>
  ['src', 'public', 'index.html', 'vite.config.ts', 'tsconfig.json', 'package.json'].map((name) => `${WEB}/${name}`);

const serverWanted = () => fingerprint([...SETTINGS, ...compiledSources()]);
/** The page bundles parts of core and of the API's schemas, so it is outdated when they are. */
const pageWanted = () => fingerprint([...SETTINGS, ...compiledSources(), ...webSources()]);

/** Every source has its output: a stamp says nothing about a dist folder that was deleted since. */
function outputsAreThere() {
  return COMPILED.every((dir) =>
    filesIn(`${dir}/src`)
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
      .every((file) => existsSync(at(file.replace(`${dir}/src`, `${dir}/dist`).replace(/\.ts$/, '.js')))),
  );
}

const serverIsCurrent = () => readStamp('server') === serverWanted() && outputsAreThere();
const pageIsCurrent = () => readStamp('page') === pageWanted() && existsSync(WEB_PAGE);

/** @returns {boolean} whether the built files are those of the sources as they are now */
export const isBuilt = () => serverIsCurrent() && pageIsCurrent();

/** Builds what is missing or older than its sources. Throws a LaunchError with the reason. */
export async function ensureBuilt() {
  if (!serverIsCurrent()) {
    say('Building the server…');
    // Without --force the compiler trusts its own notes and does not see that outputs were deleted.
    const force = outputsAreThere() ? [] : ['--force'];
    await step('server', serverWanted(), [...tool('typescript', 'tsc'), '-b', ...force], '.');
    if (!existsSync(CLI_MAIN))
      throw new LaunchError(`The build wrote no ${CLI_MAIN}: delete the dist folders and run the command again.`);
  }
  if (!pageIsCurrent()) {
    say('Building the page…');
    await step('page', pageWanted(), [...tool('vite'), 'build'], WEB);
  }
}

/**
 * @param {string} name of stamp and log
 * @param {string} wanted taken before the build starts, so that a source changed meanwhile is built next time
 * @param {string[]} command
 * @param {string} dir
 */
async function step(name, wanted, command, dir) {
  const log = `build-${name}.log`;
  writeStamp(name, '');
  const code = await run(command, { cwd: at(dir), log });
  if (code > 128) throw new LaunchError('The build was interrupted: run the command again.');
  if (code !== 0) throw new LaunchError(buildReason(name, readLog(log), logPath(log)));
  writeStamp(name, wanted);
}

/** @param {string} name @param {string} log @param {string} file @returns {string} one sentence */
export function buildReason(name, log, file) {
  if (/ENOSPC|no space left/i.test(log))
    return `The disk is full: free some space and run the command again (details in ${file}).`;
  if (/ERR_MODULE_NOT_FOUND|Cannot find (module|package)|MODULE_NOT_FOUND/.test(log) && !/error TS\d+/.test(log)) {
    return `The install is broken: delete node_modules and run the command again (details in ${file}).`;
  }
  const first = /.*\berror\b.*/i.exec(log)?.[0]?.trim();
  return `The ${name} could not be built${first === undefined ? '' : `: ${first}`} (details in ${file}).`;
}
