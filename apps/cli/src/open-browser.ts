import { spawn } from 'node:child_process';

/**
 * The program that opens an address on this platform.
 * @returns program and arguments; undefined where nobody would see it: no display, or a build machine
 */
export function browserCommand(
  url: string,
  platform: NodeJS.Platform,
  env: Record<string, string | undefined>,
): [string, ...string[]] | undefined {
  if (env['CI']) return undefined;
  if (platform === 'darwin') return ['open', url];
  // `start` takes its first quoted argument for a window title.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""', url];
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open', url] : undefined;
}

/** Opens the address in the person's browser. A failure is no failure of ours: the address stands in the terminal. */
export function openBrowser(url: string): void {
  const command = browserCommand(url, process.platform, process.env);
  if (command === undefined) return;
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: 'ignore', detached: true, windowsVerbatimArguments: true });
  child.on('error', () => process.stderr.write(`The browser could not be opened with ${program}: open the address yourself.\n`));
  child.unref();
}
