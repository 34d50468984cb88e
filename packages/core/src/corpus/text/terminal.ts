/** What programs print: test runs in colour, logs, stack traces, listings, builds. */
import type { Random } from '../base/random.ts';
import { code, statement } from './code.ts';
import { identifier, wordRun } from './prose.ts';
import { zipfWord } from './vocabulary.ts';

const GREEN = '\u001b[32m';
const RED = '\u001b[31m';
const DIM = '\u001b[2m';
const BOLD = '\u001b[1m';
const RESET = '\u001b[0m';

/** A test runner's output of about `size` characters; the last lines say how many failed. */
export function testRun(random: Random, paths: readonly string[], size: number, failed: number): string {
  let out = `\n${BOLD}${DIM} RUN ${RESET} v3.1.4\n\n`;
  let passed = 0;
  while (out.length < size - failed * 600) {
    const count = random.range(1, 40);
    passed += count;
    out += ` ${GREEN}✓${RESET} ${random.pick(paths)} ${DIM}(${count} tests)${RESET} ${random.below(900)}ms\n`;
    if (random.chance(0.5))
      out += `   ${GREEN}✓${RESET} ${wordRun(random, random.range(4, 10))} ${DIM}${random.below(300)}ms${RESET}\n`;
  }
  for (let i = 0; i < failed; i++) {
    const path = random.pick(paths);
    out += `\n ${RED}FAIL${RESET} ${path} > ${wordRun(random, random.range(3, 7))}\n`;
    out += `${RED}AssertionError: expected ${random.below(100)} to be ${random.below(100)}${RESET}\n`;
    out += `\n${GREEN}- Expected${RESET}\n${RED}+ Received${RESET}\n\n${GREEN}- ${statement(random)}${RESET}\n${RED}+ ${statement(random)}${RESET}\n`;
    out += ` ${DIM}❯ ${path}:${random.range(1, 400)}:${random.range(1, 80)}${RESET}\n`;
  }
  out += `\n Tests  ${failed > 0 ? `${RED}${failed} failed${RESET} | ` : ''}${GREEN}${passed} passed${RESET} (${passed + failed})\n`;
  return out + ` Duration  ${random.below(90)}.${random.below(100)}s\n`;
}

/** A server log. `time`: epoch ms of its first line. */
export function serverLog(random: Random, size: number, time: number): string {
  let out = '';
  let at = time;
  while (out.length < size) {
    const stamp = new Date(at).toISOString();
    for (let i = random.range(3, 12); i > 0 && out.length < size; i--) {
      const level = random.pick(['INFO ', 'INFO ', 'DEBUG', 'WARN ', 'ERROR']);
      out += `${stamp} ${level} [worker-${random.below(16)}] ${wordRun(random, random.range(4, 12))} ${zipfWord(random)}=${random.below(100000)} id=${random.hex(8)}\n`;
    }
    if (random.chance(0.04)) out += stackTrace(random, ['src/server.ts', 'src/pool.ts']);
    at += random.below(5000);
  }
  return out;
}

export function stackTrace(random: Random, paths: readonly string[]): string {
  let out = `TypeError: Cannot read properties of undefined (reading '${zipfWord(random)}')\n`;
  for (let i = random.range(3, 9); i > 0; i--) {
    out += `    at ${identifier(random)}.${identifier(random)} (${random.pick(paths)}:${random.range(1, 900)}:${random.range(1, 90)})\n`;
  }
  return out;
}

/** `path:line: text` rows, as grep prints them. */
export function grepRows(random: Random, paths: readonly string[], size: number): string {
  let out = '';
  let line = 0;
  let path = random.pick(paths);
  while (out.length < size) {
    if (random.chance(0.2)) {
      path = random.pick(paths);
      line = 0;
    }
    line += random.range(1, 60);
    out += `${path}:${line}: ${statement(random)}\n`;
  }
  return out;
}

/** One path a line. */
export function pathRows(random: Random, size: number): string {
  let out = '';
  while (out.length < size) out += `${zipfWord(random)}/${zipfWord(random)}/${identifier(random)}.ts\n`;
  return out;
}

/** A unified diff as `git diff` prints it, in colour. */
export function gitDiff(random: Random, paths: readonly string[], size: number): string {
  let out = '';
  while (out.length < size) {
    const path = random.pick(paths);
    out += `${BOLD}diff --git a/${path} b/${path}${RESET}\n${BOLD}--- a/${path}${RESET}\n${BOLD}+++ b/${path}${RESET}\n`;
    for (let i = random.range(1, 4); i > 0; i--) {
      const at = random.range(1, 800);
      out += `\u001b[36m@@ -${at},7 +${at},8 @@${RESET} ${identifier(random)}\n ${statement(random)}\n`;
      out += `${RED}-${statement(random)}${RESET}\n${GREEN}+${statement(random)}${RESET}\n${GREEN}+${statement(random)}${RESET}\n ${statement(random)}\n`;
    }
  }
  return out;
}

export function compilerErrors(random: Random, paths: readonly string[], size: number): string {
  let out = '';
  while (out.length < size) {
    out += `${random.pick(paths)}:${random.range(1, 700)}:${random.range(1, 60)} - ${RED}error${RESET} TS${random.range(2300, 2800)}: ${wordRun(random, random.range(6, 14))}.\n\n${code(random, 90)}\n`;
  }
  return out;
}
