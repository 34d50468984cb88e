import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { ensureBrowser } from './browser.mjs';
import { CRASHED, line, playwrightCounts, sum, vitestCounts } from './counts.mjs';
import { run, tool } from './run.mjs';
import { at, COMPILED, LaunchError, say, STATE, WEB } from './workspace.mjs';

/** @typedef {import('./counts.mjs').Counts} Counts */

/**
 * A step that is one check: passed or failed, however many commands it takes.
 * @param {{ command: string[], dir?: string }[]} commands `dir` is where a command runs, the top folder by default
 */
const check = (commands) => async () => {
  let counts = { passed: 1, failed: 0, skipped: 0 };
  for (const { command, dir = '.' } of commands) if ((await run(command, { cwd: at(dir) })) !== 0) counts = CRASHED;
  return counts;
};

/**
 * A step whose runner writes a report of its own.
 * @param {string} name
 * @param {(report: string) => Promise<number>} start runs it, telling it where to write the report
 * @param {(report: any, code: number) => Counts} count
 */
const reporting = (name, start, count) => async () => {
  const file = path.join(STATE, `${name}-report.json`);
  rmSync(file, { force: true });
  const code = await start(file);
  return existsSync(file) ? count(JSON.parse(readFileSync(file, 'utf8')), code) : CRASHED;
};

const typeChecks = () => [
  ...COMPILED.map((dir) => ({ command: [...tool('typescript', 'tsc'), '-p', `${dir}/tsconfig.test.json`] })),
  ...['e2e', 'bench', 'examples'].map((dir) => ({ command: [...tool('typescript', 'tsc'), '-p', `${dir}/tsconfig.json`] })),
  { command: [...tool('svelte-check', 'svelte-check', WEB), '--tsconfig', './tsconfig.json', '--fail-on-warnings'], dir: WEB },
];

const BOUNDARIES = ['--config', 'dependency-cruiser.config.cjs', 'packages', 'apps', 'e2e', 'bench', 'examples'];

/** What `npm test` runs, in this order. @type {Record<string, () => Promise<Counts>>} */
const STEPS = {
  format: () => check([{ command: [...tool('prettier'), '--check', '.'] }])(),
  lint: () => check([{ command: [...tool('eslint'), '.', '--max-warnings', '0'] }])(),
  types: () => check(typeChecks())(),
  knip: () => check([{ command: tool('knip') }])(),
  boundaries: () => check([{ command: [...tool('dependency-cruiser', 'depcruise'), ...BOUNDARIES] }])(),
  unit: reporting(
    'unit',
    (file) => run([...tool('vitest'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]),
    vitestCounts,
  ),
  e2e: reporting('e2e', runPlaywright, playwrightCounts),
};

/** @param {string} file @returns {Promise<number>} */
async function runPlaywright(file) {
  const browser = await ensureBrowser();
  return run([...tool('@playwright/test', 'playwright', 'e2e'), 'test'], {
    cwd: at('e2e'),
    env: { ...browser, E2E_REPORT: file },
  });
}

/**
 * Runs the steps one after another; a failed one does not keep the others from running.
 * @param {string[]} args `--only=lint,unit`
 * @returns {Promise<number>} the exit code
 */
export async function runTests(args) {
  /** @type {[string, Counts][]} */
  const results = [];
  for (const name of chosen(args)) {
    say(`\n── ${name}`);
    const began = Date.now();
    const counts = await counted(STEPS[name]);
    results.push([name, counts]);
    say(`── ${name}: ${line(counts)} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  }
  const total = sum(results.map(([, counts]) => counts));
  say('');
  for (const [name, counts] of results) say(`${counts.failed > 0 ? '✗' : '✓'} ${name.padEnd(10)} ${line(counts)}`);
  process.stdout.write(`${line(total)}\n`);
  return total.failed > 0 ? 1 : 0;
}

/** @param {string[]} args @returns {string[]} */
function chosen(args) {
  const only = args.filter((arg) => arg.startsWith('--only=')).flatMap((arg) => arg.slice('--only='.length).split(','));
  const unknown = [...args.filter((arg) => !arg.startsWith('--only=')), ...only.filter((name) => !(name in STEPS))];
  if (unknown.length > 0)
    throw new LaunchError(`Unknown: ${unknown.join(', ')}. Use --only= with some of ${Object.keys(STEPS).join(', ')}.`);
  return only.length > 0 ? only : Object.keys(STEPS);
}

/** @param {(() => Promise<Counts>) | undefined} step @returns {Promise<Counts>} */
async function counted(step) {
  try {
    return (await step?.()) ?? CRASHED;
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    say(error.message);
    return CRASHED;
  }
}
