import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import type { PathWarning } from './buckets.ts';
import { readSmallFile, removeSmallFile, writeSmallFile } from './small-file.ts';

/** What a terminal had open last. */
export interface Breadcrumb {
  /** Working directory, as the program was started in it. */
  cwd: string;
  sessionFile: string;
  /** A new session that is not on disk yet: where its file is missing, a new one is begun, and no older one is taken up. */
  fresh: boolean;
  /** What tells the working directory from others that have its name later; null where it was not noted. */
  identity: { dev: bigint; ino: bigint } | null;
}

const FRESH = 'fresh';
const IDENTITY = /^cwdstat (\d{1,20}) (\d{1,20})$/;

/** `<agent folder>/terminal-sessions/<terminal id>` */
export function breadcrumbPath(agentDir: string, terminal: string): string {
  return path.join(agentDir, 'terminal-sessions', terminal);
}

/** The breadcrumb of a terminal; null without one, and where it cannot be read. */
export function readBreadcrumb(agentDir: string, terminal: string, disk: Disk, warn?: PathWarning): Breadcrumb | null {
  const at = breadcrumbPath(agentDir, terminal);
  return quietly(at, warn, () => parseBreadcrumb(readSmallFile(disk, at) ?? ''));
}

/** Two lines, and others that say more, in any order; null when it is none. */
export function parseBreadcrumb(text: string): Breadcrumb | null {
  const [cwd = '', sessionFile = '', ...more] = text.trim().split(/\r?\n/);
  if (cwd === '' || sessionFile === '') return null;
  const identity = more.map((line) => IDENTITY.exec(line)).find((match) => match !== null);
  return {
    cwd,
    sessionFile,
    fresh: more.includes(FRESH),
    identity: identity ? { dev: BigInt(identity[1]!), ino: BigInt(identity[2]!) } : null,
  };
}

/**
 * Notes what a terminal has open. What the disk refuses is told to `warn`: nothing depends on a breadcrumb. Paths with line
 * feeds cannot be noted; then there is none.
 */
export function writeBreadcrumb(agentDir: string, terminal: string, crumb: Breadcrumb, disk: Disk, warn?: PathWarning): void {
  const at = breadcrumbPath(agentDir, terminal);
  const text = breadcrumbText(crumb);
  quietly(at, warn, () => {
    if (text === null) removeSmallFile(disk, at);
    else if (readSmallFile(disk, at) !== text) writeSmallFile(disk, at, text);
    return null;
  });
}

function breadcrumbText({ cwd, sessionFile, fresh, identity }: Breadcrumb): string | null {
  if (/[\r\n]/.test(cwd + sessionFile)) return null;
  const lines = [cwd, sessionFile];
  if (fresh) lines.push(FRESH);
  if (identity !== null) lines.push(`cwdstat ${String(identity.dev)} ${String(identity.ino)}`);
  return lines.map((line) => `${line}\n`).join('');
}

function quietly<T>(at: string, warn: PathWarning | undefined, work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    const errno = diskCode(error);
    if (errno === null) throw error;
    warn?.('What this terminal had open last could not be read or noted.', { path: at, errno });
    return null;
  }
}
