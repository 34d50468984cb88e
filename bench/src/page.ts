import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface Tasks {
  longTasks: number[];
}

interface Measured {
  session: string;
  firstTranscriptMs: number;
  open: Tasks;
  switchBranch: Tasks;
  scrollFrameMs: number;
  panFrameMs: number;
  domNodes: number;
}

const FIRST_TRANSCRIPT_MS = 1000;
const FRAME_MS = 8;
const TASK_MS = 50;
const DOM_NODES = 4000;

/** Rows of what the session page costs in a real browser. The script stands with the journeys, which have the browser. */
export function pageRows(): string[] {
  const folder = fileURLToPath(new URL('../../e2e', import.meta.url));
  const child = spawnSync(process.execPath, ['--import', 'tsx', 'bench/page.ts'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  });
  if (child.status !== 0)
    return [
      `| the page in a browser | | could not be measured: ${child.stderr.trim().split('\n').at(-1) ?? ''} | | **missed** |`,
    ];
  const lines = child.stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.flatMap((line) => rowsOf(JSON.parse(line) as Measured));
}

function rowsOf(page: Measured): string[] {
  const tasks = [...page.open.longTasks, ...page.switchBranch.longTasks];
  const row = (what: string, budget: string, figure: string, held: boolean): string =>
    `| ${page.session}: ${what} | ${budget} | ${figure} | | ${held ? 'held' : '**missed**'} |`;
  return [
    row(
      'first transcript after the click, warm server',
      `≤ ${String(FIRST_TRANSCRIPT_MS)} ms`,
      `${String(page.firstTranscriptMs)} ms`,
      page.firstTranscriptMs <= FIRST_TRANSCRIPT_MS,
    ),
    row(
      'script + layout of a frame, scrolling / panning, median',
      `≤ ${String(FRAME_MS)} ms`,
      `${String(page.scrollFrameMs)} / ${String(page.panFrameMs)} ms`,
      page.scrollFrameMs <= FRAME_MS && page.panFrameMs <= FRAME_MS,
    ),
    row(
      'tasks over 50 ms while opening and switching branches (wall clock)',
      'none',
      tasks.length === 0 ? 'none' : `${String(tasks.length)}, longest ${String(Math.max(...tasks))} ms`,
      tasks.every((ms) => ms <= TASK_MS),
    ),
    row('DOM nodes', `≤ ${String(DOM_NODES)}`, String(page.domNodes), page.domNodes <= DOM_NODES),
  ];
}
