/** `pnpm bench`, or `pnpm bench PART …` for the rows whose names have one of these parts, printed only: each figure as a ratio to a baseline of the same run, one process a run, alternated, median of five. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

import { DATA, dataFolder, type DataName } from './data.ts';
import { bundleSize } from './bundle.ts';
import { pageRows } from './page.ts';
import { COMPRESSED_ROWS } from './compressed.ts';
import type { Row } from './rows.ts';
import type { TaskName } from './tasks.ts';
import { WRITING_ROWS } from './writing.ts';

const ROWS: readonly Row<TaskName>[] = [
  {
    what: 'cold outline of a 100 MB, 50,000-entry session',
    baseline: 'drop loop, 100 MB',
    subject: 'outline, 100 MB',
    budget: 0.5,
  },
  {
    what: 'cold read to tree and context, bodies kept',
    baseline: 'keep loop, 100 MB',
    subject: 'tree and context, bodies kept, 100 MB',
    budget: 1.25,
    memory: 1.1,
  },
  {
    what: 'a 1 GB session under --max-old-space-size=512: outline, tree, context, first and last page',
    baseline: 'drop loop, 1 GB',
    subject: 'outline, tree, context, first and last page, 1 GB',
    budget: Number.POSITIVE_INFINITY,
    node: ['--max-old-space-size=512'],
    runs: 3,
  },
  {
    what: 'list 1,000 sessions of 550 MB without a catalog',
    baseline: 'ends of 1,000 files, bare',
    subject: 'list of 1,000 sessions',
    budget: 2,
  },
  ...WRITING_ROWS,
  ...COMPRESSED_ROWS,
];

interface Run {
  ms: number;
  peakBytes: number;
}

// Plain Node runs what is measured: a loader that compiles on the way changes the code, takes time and memory.
const one = fileURLToPath(new URL('./one.js', import.meta.url));

function run(task: TaskName, node: readonly string[]): Run {
  const child = spawnSync(process.execPath, [...node, one, task], { encoding: 'utf8', maxBuffer: 1 << 20 });
  if (child.status !== 0) throw new Error(`${task} failed: ${child.stderr.slice(-2000)}`);
  return JSON.parse(child.stdout) as Run;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : String(Math.round(value))} ms`;
const mb = (bytes: number): string => `${String(Math.round(bytes / 1e6))} MB`;

function measure(row: Row<TaskName>): string {
  const base: Run[] = [];
  const subject: Run[] = [];
  run(row.baseline, row.node ?? []);
  for (let i = 0; i < (row.runs ?? 5); i++) {
    base.push(run(row.baseline, row.node ?? []));
    subject.push(run(row.subject, row.node ?? []));
  }
  const baseMs = median(base.map(({ ms }) => ms));
  const subjectMs = median(subject.map(({ ms }) => ms));
  const ratio = subjectMs / baseMs;
  const memory = median(subject.map(({ peakBytes }) => peakBytes)) / median(base.map(({ peakBytes }) => peakBytes));
  const isFast = subjectMs <= (row.mostMs ?? Number.POSITIVE_INFINITY);
  const held = isFast && ratio <= row.budget && memory <= (row.memory ?? Number.POSITIVE_INFINITY);
  const limits = [
    Number.isFinite(row.budget) ? `≤ ${String(row.budget)} ×` : '',
    row.mostMs === undefined ? '' : `≤ ${String(row.mostMs)} ms`,
    row.memory === undefined ? '' : `memory ≤ ${String(row.memory)} ×`,
  ];
  const budget = limits.filter(Boolean).join(', ') || 'works';
  const figures = `${ratio.toFixed(2)} × (${ms(subjectMs)} to ${ms(baseMs)})`;
  const peak = `${memory.toFixed(2)} × (${mb(median(subject.map(({ peakBytes }) => peakBytes)))})`;
  return `| ${row.what} | ${budget} | ${figures} | ${peak} | ${held ? 'held' : '**missed**'} |`;
}

for (const name of Object.keys(DATA) as DataName[]) dataFolder(name);
const lines = ['| what | budget | measured, to its baseline | peak memory, to its baseline | |', '|---|---|---|---|---|'];
const wanted = process.argv.slice(2).filter((arg) => arg !== '--');
const chosen = ROWS.filter(({ what }) => wanted.length === 0 || wanted.some((part) => what.includes(part)));
for (const row of chosen) {
  lines.push(measure(row));
  console.log(lines.at(-1));
}
if (wanted.length > 0) process.exit(0);
for (const row of [bundleSize(), ...pageRows()]) {
  lines.push(row);
  console.log(row);
}
const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${String(cpus().length)} cores, ${mb(totalmem())}, Node ${process.version}, ${process.platform}`;
const page = `# Benchmarks

Made by \`pnpm bench\`: each figure is a ratio to a baseline of the same run, one process a run, alternated, median of five.
The baselines do the least possible: read the file in chunks of 8 MiB, cut lines, parse each one and drop or keep it.
A miss is a miss.

Last run on: ${machine}.

${lines.join('\n')}
`;
writeFileSync(fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url)), page);
