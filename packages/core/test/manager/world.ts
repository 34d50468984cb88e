import { createHash } from 'node:crypto';
import path from 'node:path';
import { vi } from 'vitest';

import { FaultDisk, type FaultPlan } from '../../src/disk/fault-disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import type { SessionManagerOptions } from '../../src/manager/options.ts';
import { SessionManager } from '../../src/manager/session-manager.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';
import { clock, readIfThere, type Dialect } from './places.ts';

/** A computer in memory, with an agent's folder and a terminal. Its disk fails where `fault` says so. */
export class World {
  readonly inner = new MemoryDisk();
  readonly options: SessionManagerOptions;
  fault: FaultPlan = () => null;
  readonly #disk: FaultDisk;

  constructor(dialect: Dialect) {
    this.#disk = new FaultDisk(this.inner, (operation, at, count) => this.fault(operation, at, count));
    this.options = { dialect, storage: new DiskSessionStorage(this.#disk), now: clock() };
    vi.stubEnv('PI_CODING_AGENT_DIR', '/agent');
    vi.stubEnv('ZELLIJ_PANE_ID', '');
    vi.stubEnv('TMUX_PANE', '%1');
    this.inner.mkdirSync('/work/app');
  }

  put(file: string, text: string): void {
    this.inner.writeFile(file, new TextEncoder().encode(text));
  }

  text(file: string): string | null {
    const bytes = readIfThere(this.inner, file);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  }

  /** The records of a file; throws where a line is no JSON or the last one has no end. */
  records(file: string): Record<string, unknown>[] {
    const text = this.text(file) ?? '';
    if (!text.endsWith('\n')) throw new Error(`the last line of ${file} has no end`);
    return text
      .slice(0, -1)
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Names in a folder, sorted; without the marks of owners. */
  names(folder: string): string[] {
    return this.inner
      .readdirSync(folder)
      .map(({ name }) => name)
      .filter((name) => !name.endsWith('.owner'))
      .sort();
  }

  create(cwd = '/work/app', dir?: string): SessionManager {
    return SessionManager.create(cwd, dir, this.options);
  }

  open(file: string): SessionManager {
    return SessionManager.open(file, undefined, undefined, this.options);
  }
}

/** What `<name>.<kind>-<hash>` of a file's bytes is called. */
export function besideName(file: string, kind: string, text: string): string {
  return `${path.basename(file)}.${kind}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

export const user = (content: string): { role: string; content: string } => ({ role: 'user', content });
export const assistant = (text: string): { role: string; content: { type: string; text: string }[]; stopReason: string } => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  stopReason: 'stop',
});
