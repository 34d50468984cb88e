import { execFileSync } from 'node:child_process';

import { diskCode, type Disk } from '../disk/disk.ts';

/** What tells the terminal that a program runs in from others. */
export interface TerminalFacts {
  /** Path of the device that standard input is; null when it is no terminal, or the platform does not say. */
  tty: string | null;
  env: Readonly<Record<string, string | undefined>>;
}

/** Programs that say which of their panes one runs in, in the order in which they count. */
const PANES = [
  ['TMUX_PANE', 'tmux'],
  ['CMUX_SURFACE_ID', 'cmux'],
  ['KITTY_WINDOW_ID', 'kitty'],
  ['WEZTERM_PANE', 'wezterm'],
  ['TERM_SESSION_ID', 'apple'],
  ['WT_SESSION', 'wt'],
] as const;

const DEVICES = '/dev/';

/** A name for the terminal, usable as a file name; null when nothing tells it from others. */
export function terminalId({ tty, env }: TerminalFacts): string | null {
  if (tty?.startsWith(DEVICES) === true && tty.length > DEVICES.length) return dashed(tty.slice(DEVICES.length));
  const pane = env['ZELLIJ_PANE_ID'];
  if (pane) return dashed(['zellij', env['ZELLIJ_SESSION_NAME'], pane].filter(Boolean).join('-'));
  for (const [variable, name] of PANES) {
    const value = env[variable];
    if (value) return dashed(`${name}-${value}`);
  }
  return null;
}

function dashed(text: string): string {
  return text.replace(/[/\\\0]/g, '-');
}

/** The facts of this process. */
export function machineTerminal(disk: Disk): TerminalFacts {
  return { tty: process.stdin.isTTY ? ttyPath(disk) : null, env: process.env };
}

function ttyPath(disk: Disk): string | null {
  try {
    if (process.platform === 'linux') return disk.realpathSync('/proc/self/fd/0');
    if (process.platform === 'win32') return null;
    return execFileSync('tty', { stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8' }).trim();
  } catch (error) {
    // No /proc, no such command, or it says that there is no terminal.
    if (diskCode(error) === null && !(error instanceof Error && 'status' in error)) throw error;
    return null;
  }
}
