/** Tool calls with the results that real tools give for them. */
import type { Random } from '../base/random.ts';
import { code, statement } from '../text/code.ts';
import { identifier, wordRun } from '../text/prose.ts';
import * as terminal from '../text/terminal.ts';
import { zipfWord } from '../text/vocabulary.ts';

export interface ToolUse {
  name: string;
  arguments: Record<string, unknown>;
  text: string;
  isError: boolean;
  details?: object;
  /** The result shows a picture. */
  image?: boolean;
  /** The file that the call read or changed. */
  read?: string;
  modified?: string;
}

export interface ToolScene {
  random: Random;
  cwd: string;
  paths: readonly string[];
  /** Epoch ms; for logs. */
  time: number;
  /** Length of an output with this median, in characters, as the session's size wants it. */
  size(median: number, sigma: number): number;
}

/** One call of read, bash, edit, write, grep, find or ls. */
export function useTool(scene: ToolScene): ToolUse {
  const n = scene.random.below(100);
  if (n < 26) return readFile(scene);
  if (n < 58) return bash(scene);
  if (n < 76) return edit(scene);
  if (n < 82) return write(scene);
  if (n < 92) return grep(scene);
  if (n < 96) return find(scene);
  return ls(scene);
}

function readFile(scene: ToolScene): ToolUse {
  const { random } = scene;
  const path = random.pick(scene.paths);
  if (random.chance(0.015)) {
    return {
      name: 'read',
      arguments: { path: 'docs/screenshot.png' },
      text: 'Read image file [image/png]',
      isError: false,
      image: true,
    };
  }
  if (random.chance(0.03)) {
    const text = `ENOENT: no such file or directory, open '${scene.cwd}/${path}'`;
    return { name: 'read', arguments: { path }, text, isError: true, details: {} };
  }
  const text = code(random, scene.size(3400, 1.15));
  const part = random.chance(0.25) ? { offset: random.range(1, 900), limit: random.range(20, 400) } : {};
  const use: ToolUse = { name: 'read', arguments: { path, ...part }, text, isError: false, read: path };
  if (text.length > 40_000) use.details = truncation(text.length, 'lines');
  return use;
}

function bash(scene: ToolScene): ToolUse {
  const { random, paths } = scene;
  const size = scene.size(1000, 1.25);
  switch (random.below(9)) {
    case 0:
    case 1: {
      const failed = random.chance(0.35) ? random.range(1, 3) : 0;
      const text = terminal.testRun(random, paths, size, failed);
      return shell(`npx vitest run ${random.pick(paths)}`, text, failed > 0 ? 1 : 0);
    }
    case 2:
      return shell(
        `git diff HEAD~${random.range(1, 5)} --stat=${random.range(80, 120)} -p`,
        terminal.gitDiff(random, paths, size),
        0,
      );
    case 3:
      return shell(
        `tail -n ${random.range(50, 900)} logs/${zipfWord(random)}.log`,
        terminal.serverLog(random, size, scene.time),
        0,
      );
    case 4:
      return shell('npx tsc --noEmit', terminal.compilerErrors(random, paths, Math.min(size, 4000)), 2);
    case 5:
      return shell(`node scripts/${zipfWord(random)}.mjs`, terminal.stackTrace(random, paths), 1);
    case 6:
      return shell(`sed -n '${random.range(1, 90)},${random.range(90, 300)}p' ${random.pick(paths)}`, code(random, size), 0);
    case 7:
      return shell(`rg -n ${zipfWord(random)} | head -${random.range(5, 80)}`, terminal.grepRows(random, paths, size), 0);
    default:
      return shell(`cd ${scene.cwd} && git status --short && git log --oneline -${random.range(3, 30)}`, gitLog(random, size), 0);
  }
}

function shell(command: string, output: string, code: number): ToolUse {
  const text = code === 0 ? output || '(no output)' : `${output}\n\nCommand exited with code ${code}`;
  const use: ToolUse = { name: 'bash', arguments: { command }, text, isError: code !== 0 };
  if (output.length > 50_000)
    use.details = { ...truncation(output.length, 'bytes'), fullOutputPath: '/tmp/agent-bash-output.log' };
  return use;
}

function gitLog(random: Random, size: number): string {
  let out = ` M ${zipfWord(random)}.ts\n`;
  while (out.length < Math.min(size, 3000)) out += `${random.hex(7)} ${wordRun(random, random.range(3, 9))}\n`;
  return out;
}

function edit(scene: ToolScene): ToolUse {
  const { random } = scene;
  const path = random.pick(scene.paths);
  const oldText = code(random, scene.size(220, 0.8));
  const newText = code(random, scene.size(300, 0.8));
  const call = { name: 'edit', arguments: { path, edits: [{ oldText, newText }] } };
  if (random.chance(0.05)) {
    const text = `Could not find the exact text in ${path}. The old text must match exactly including all whitespace and newlines.`;
    return { ...call, text, isError: true, details: {} };
  }
  const line = random.range(1, 900);
  const details = {
    diff: random.chance(0.7) ? numberedDiff(random, oldText, newText, line) : unifiedDiff(path, oldText, newText, line),
    firstChangedLine: line,
  };
  return { ...call, text: `Successfully replaced 1 block(s) in ${path}.`, isError: false, details, modified: path };
}

/** The agents' own form: sign, line number, blank, line. */
export function numberedDiff(random: Random, before: string, after: string, line: number): string {
  const width = String(line + 400).length;
  const row = (sign: string, n: number, text: string): string => `${sign}${String(n).padStart(width)} ${text}`;
  const out: string[] = [` ${' '.repeat(width)} ...`];
  for (let i = 4; i > 0; i--) if (line - i > 0) out.push(row(' ', line - i, statement(random)));
  const gone = rows(before);
  const come = rows(after);
  gone.forEach((text, i) => out.push(row('-', line + i, text)));
  come.forEach((text, i) => out.push(row('+', line + i, text)));
  for (let i = 0; i < 4; i++) out.push(row(' ', line + gone.length + i, statement(random)));
  out.push(` ${' '.repeat(width)} ...`);
  return out.join('\n');
}

function unifiedDiff(path: string, before: string, after: string, line: number): string {
  const gone = rows(before);
  const come = rows(after);
  const head = `--- ${path}\n+++ ${path}\n@@ -${line},${gone.length} +${line},${come.length} @@\n`;
  return head + gone.map((text) => `-${text}\n`).join('') + come.map((text) => `+${text}\n`).join('');
}

function rows(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

function write(scene: ToolScene): ToolUse {
  const path = scene.random.pick(scene.paths);
  const content = code(scene.random, scene.size(1800, 0.9));
  return {
    name: 'write',
    arguments: { path, content },
    text: `Successfully wrote ${content.length} bytes to ${path}`,
    isError: false,
    modified: path,
  };
}

function grep(scene: ToolScene): ToolUse {
  const { random } = scene;
  const pattern = random.chance(0.5) ? identifier(random) : zipfWord(random);
  const call = { name: 'grep', arguments: { pattern, path: '.', ...(random.chance(0.4) ? { glob: '*.ts' } : {}) } };
  if (random.chance(0.15)) return { ...call, text: 'No matches found', isError: false };
  return { ...call, text: terminal.grepRows(random, scene.paths, scene.size(900, 1)), isError: false };
}

function find(scene: ToolScene): ToolUse {
  const text = terminal.pathRows(scene.random, scene.size(500, 0.9));
  return { name: 'find', arguments: { pattern: `**/*${zipfWord(scene.random)}*` }, text, isError: false };
}

function ls(scene: ToolScene): ToolUse {
  const text = terminal.pathRows(scene.random, scene.size(200, 0.7)).replaceAll('/', '-');
  return { name: 'ls', arguments: { path: '.' }, text, isError: false };
}

function truncation(bytes: number, by: 'lines' | 'bytes'): { truncation: object } {
  const outputLines = Math.round(bytes / 40);
  const totals = { totalLines: outputLines * 3, totalBytes: bytes * 3, outputLines, outputBytes: bytes };
  return {
    truncation: {
      truncated: true,
      truncatedBy: by,
      ...totals,
      lastLinePartial: false,
      firstLineExceedsLimit: false,
      maxLines: 2000,
    },
  };
}
