import * as path from 'node:path';

import type { Disk } from '../disk/disk.ts';
import { diskCode } from '../disk/disk.ts';
import { readBreadcrumb, writeBreadcrumb, type Breadcrumb } from '../paths/breadcrumbs.ts';
import type { PathWarning } from '../paths/buckets.ts';
import { machineTerminal, terminalId } from '../paths/terminal.ts';
import type { PathFacts } from '../shapes/buckets.ts';
import type { Shapes } from '../shapes/define-shapes.ts';

/** The folder in which an agent keeps its sessions and what belongs to them. */
export interface AgentFolder {
  dir: string;
  /** The folder that it was found by lies in its `sessions`. */
  isAround: boolean;
}

const SESSIONS = 'sessions';

/**
 * The agent folder that a folder of sessions belongs to: the one whose `sessions` it lies in, else that which the
 * environment names (`PI_CODING_AGENT_DIR`), else the dialect's below the home folder.
 */
export function agentFolder(
  sessionDir: string | null,
  shapes: Shapes,
  facts: PathFacts,
  env: Readonly<Record<string, string | undefined>>,
): AgentFolder {
  const around = sessionDir === null ? null : sessionsAround(sessionDir);
  if (around !== null) return { dir: path.dirname(around), isAround: true };
  const named = env['PI_CODING_AGENT_DIR'];
  const dir = named ? expandHome(named, facts.home) : path.join(facts.home, ...shapes.writes.agentFolder);
  return { dir, isAround: false };
}

/** The folder that the environment names for all sessions of Pi, without buckets; null for none. */
export function flatFolder(shapes: Shapes, facts: PathFacts, env: Readonly<Record<string, string | undefined>>): string | null {
  const named = shapes.writes.flatFolderVariable === null ? undefined : env[shapes.writes.flatFolderVariable];
  return named ? expandHome(named, facts.home) : null;
}

function expandHome(folder: string, home: string): string {
  return path.resolve(folder === '~' || folder.startsWith('~/') ? path.join(home, folder.slice(1)) : folder);
}

/** The nearest folder named `sessions` at or above a folder, as far as a bucket's depth goes; null for none. */
function sessionsAround(folder: string): string | null {
  for (const candidate of [folder, path.dirname(folder)]) if (path.basename(candidate) === SESSIONS) return candidate;
  return null;
}

/** What this process's terminal has open, as the agent folder knows it. Without a terminal nothing is noted. */
export class TerminalNotes {
  readonly #dir: string;
  readonly #disk: Disk;
  readonly #warn: PathWarning;
  readonly #terminal: string | null;

  constructor({ dir }: AgentFolder, disk: Disk, warn: PathWarning) {
    this.#dir = dir;
    this.#disk = disk;
    this.#warn = warn;
    this.#terminal = terminalId(machineTerminal(disk));
  }

  lastOpened(): Breadcrumb | null {
    return this.#terminal === null ? null : readBreadcrumb(this.#dir, this.#terminal, this.#disk, this.#warn);
  }

  /** @param fresh a new session whose file may never come to be */
  note(cwd: string, sessionFile: string, fresh: boolean): void {
    if (this.#terminal === null) return;
    const identity = this.#identityOf(cwd);
    writeBreadcrumb(this.#dir, this.#terminal, { cwd, sessionFile, fresh, identity }, this.#disk, this.#warn);
  }

  #identityOf(folder: string): Breadcrumb['identity'] {
    try {
      const { dev, ino } = this.#disk.statSync(folder);
      return { dev, ino };
    } catch (error) {
      if (diskCode(error) === null) throw error;
      return null;
    }
  }
}
