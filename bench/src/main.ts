/** `pnpm bench`: each figure as a ratio to a baseline of the same run, one process a run, alternated, median of five. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

import { DATA, dataFolder, type DataName } from './data.ts';
import { bundleSize } from './bundle.ts';
import { pageRows } from './page.ts';
import type { TaskName } from './tasks.ts';
import { WRITING_ROWS } from './writing.ts';

interface Row {
  what: string;
  baseline: TaskName;
  subject: TaskName;
  /** Most that the ratio may be. */
  budget: number;
  /** Most that the peak memory may be, as a ratio to the baseline's. */
  memory?: number;
  node?: string[];
  runs?: number;
}

const ROWS: readonly Row[] = [
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
const mb = (bytes: number): string => `${String(Math.round(bytes / 1e6))} MB`;

function measure(row: Row): string {
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
  const held = ratio <= row.budget && memory <= (row.memory ?? Number.POSITIVE_INFINITY);
  const limits = [
    Number.isFinite(row.budget) ? `≤ ${String(row.budget)} ×` : '',
    row.memory === undefined ? '' : `memory ≤ ${String(row.memory)} ×`,
  ];
  const budget = limits.filter(Boolean).join(', ') || 'works';
  const figures = `${ratio.toFixed(2)} × (${String(Math.round(subjectMs))} ms to ${String(Math.round(baseMs))} ms)`;
  const peak = `${memory.toFixed(2)} × (${mb(median(subject.map(({ peakBytes }) => peakBytes)))})`;
  return `| ${row.what} | ${budget} | ${figures} | ${peak} | ${held ? 'held' : '**missed**'} |`;
}

for (const name of Object.keys(DATA) as DataName[]) dataFolder(name);
const lines = ['| what | budget | measured, to its baseline | peak memory, to its baseline | |', '|---|---|---|---|---|'];
for (const row of ROWS) {
  lines.push(measure(row));
  console.log(lines.at(-1));
}
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
