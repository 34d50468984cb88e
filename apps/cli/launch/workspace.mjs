import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The workspace's top folder, found from this file, so that the commands work from any directory. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

/** Logs, stamps and the lock; ignored by git, safe to delete. */
export const STATE = path.join(ROOT, '.stemma-build');

export const CLI_MAIN = path.join(ROOT, 'apps/cli/dist/main.js');

/** Packages that `tsc -b` compiles from `src` to `dist`, in the order of their references. */
export const COMPILED = ['packages/core', 'apps/api', 'apps/cli'];

export const WEB = 'apps/web';

/** A failure that has its sentence: what happened and what to do. Anything else that is thrown is a bug of the launcher. */
export class LaunchError extends Error {}

/** @param {unknown} error @returns {unknown} the code of a system error */
export const codeOf = (error) => (error instanceof Error && 'code' in error ? error.code : undefined);

/** @param {string} text one line for the person at the terminal; standard output stays free for the server's own line */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** @returns {string} the absolute path of a file of this workspace */
export const at = (/** @type {string[]} */ ...parts) => path.join(ROOT, ...parts);

/** @returns {{ dir: string, manifest: Record<string, any> }[]} every package of the workspace, the root first */
export function workspacePackages() {
  const dirs = ['.', 'e2e', 'bench', 'examples'];
  for (const group of ['packages', 'apps']) {
    for (const name of readdirSync(at(group))) dirs.push(`${group}/${name}`);
  }
  return dirs
    .filter((dir) => existsSync(at(dir, 'package.json')))
    .map((dir) => ({ dir, manifest: JSON.parse(readFileSync(at(dir, 'package.json'), 'utf8')) }));
}

/**
 * @param {string} name of the stamp
 * @returns {string} what was stamped last, or '' without a stamp
 */
export function readStamp(name) {
  const file = path.join(STATE, `${name}.stamp`);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** @param {string} name @param {string} value '' takes the stamp away: the work it stands for is no longer known to be done */
export function writeStamp(name, value) {
  const file = path.join(STATE, `${name}.stamp`);
  if (value === '') {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(STATE, { recursive: true });
  writeFileSync(file, value);
}

/**
 * @param {string[]} places files and folders of the workspace; missing ones count as absent
 * @returns {string} a hash over the names and contents of all files in them
 */
export function fingerprint(places) {
  const hash = createHash('sha256');
  for (const place of places) {
    for (const file of filesIn(place)) {
      hash.update(`\0${file}\0`);
      hash.update(readFileSync(at(file)));
    }
  }
  return hash.digest('hex');
}

/** @param {string} place @returns {string[]} its files, sorted; a folder is walked to the bottom */
export function filesIn(place) {
  const stat = statSync(at(place), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [place];
  return readdirSync(at(place), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => path.relative(ROOT, path.join(item.parentPath, item.name)))
    .sort();
}
