import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';

import { ZstdDisk } from '../../src/codec/zstd/zstd-disk.ts';
import { readSpanSync, type Disk } from '../../src/disk/disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import type { SessionManagerOptions } from '../../src/manager/options.ts';
import { SessionManager } from '../../src/manager/session-manager.ts';
import type { LogEncoding } from '../../src/shapes/projects.ts';
import { shapesFor } from '../../src/shapes/registry.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';
import { MemorySessionStore } from '../../src/store/memory-store.ts';
import { ProjectSessionStore } from '../../src/store/project-store.ts';

export type Dialect = 'musepi' | 'pi';

/** Somewhere to keep sessions, with three projects. */
export interface Place {
  /** Working directories that exist. */
  readonly projects: readonly [string, string, string];
  readonly options: SessionManagerOptions;
  /** What is stored of a session, null where there is nothing. */
  bytesOf(manager: SessionManager): Uint8Array | null;
  /** Opens the session of a manager that was closed. */
  reopen(manager: SessionManager): SessionManager;
  forkFrom(manager: SessionManager, cwd: string): SessionManager;
  dispose(): void;
}

/** The clock of a test: every look at it is a little later. */
export function clock(start = Date.UTC(2026, 0, 1)): () => number {
  let now = start;
  return () => (now += 7);
}

export function memoryPlace(dialect: Dialect): Place {
  const now = clock();
  const store = new MemorySessionStore({ shapes: shapesFor(dialect), now });
  const options: SessionManagerOptions = { store, dialect, now };
  return {
    projects: ['/work/a', '/work/b', '/work/c'],
    options,
    bytesOf: (manager) => store.bytesOf(manager.getSessionId()) ?? null,
    reopen: (manager) => SessionManager.open(manager.getSessionId(), undefined, undefined, options),
    forkFrom: (manager, cwd) => SessionManager.forkFrom(manager.getSessionId(), cwd, undefined, options),
    dispose: () => undefined,
  };
}

export function diskPlace(dialect: Dialect, disk: Disk, base: string, clean: () => void = () => undefined): Place {
  const now = clock();
  const projects = ['a', 'b', 'c'].map((name) => path.join(base, 'work', name)) as [string, string, string];
  for (const project of projects) disk.mkdirSync(project);
  vi.stubEnv('PI_CODING_AGENT_DIR', path.join(base, 'agent'));
  const options: SessionManagerOptions = { storage: new DiskSessionStorage(disk), dialect, now };
  return {
    projects,
    options,
    bytesOf: (manager) => readIfThere(disk, manager.getSessionFile()!),
    reopen: (manager) => SessionManager.open(manager.getSessionFile()!, undefined, undefined, options),
    forkFrom: (manager, cwd) => SessionManager.forkFrom(manager.getSessionFile()!, cwd, undefined, options),
    dispose: clean,
  };
}

export function memoryDiskPlace(dialect: Dialect): Place {
  return diskPlace(dialect, new MemoryDisk(), '/base');
}

interface ProjectPlaceOptions {
  encoding: LogEncoding;
  /** Sessions are opened again by the paths of their logs, as by a program that was given no store. */
  byPath?: boolean;
}

/** A store of project directories. */
export function projectPlace(
  dialect: Dialect,
  { encoding, byPath = false }: ProjectPlaceOptions,
  disk: Disk = new MemoryDisk(),
  base = '/base',
  clean: () => void = () => undefined,
): Place {
  const now = clock();
  const projects = ['a', 'b', 'c'].map((name) => path.join(base, 'work', name)) as [string, string, string];
  for (const project of projects) disk.mkdirSync(project);
  const storage = new DiskSessionStorage(disk);
  const store = new ProjectSessionStore({ root: path.join(base, 'root'), encoding, shapes: shapesFor(dialect), storage, now });
  const options: SessionManagerOptions = { store, dialect, now };
  const opening: SessionManagerOptions = byPath ? { storage, dialect, now } : options;
  const placeOf = (manager: SessionManager): string => (byPath ? manager.getSessionFile()! : manager.getSessionId());
  return {
    projects,
    options,
    bytesOf: (manager) => readIfThere(new ZstdDisk(disk), manager.getSessionFile()!),
    reopen: (manager) => SessionManager.open(placeOf(manager), undefined, undefined, opening),
    forkFrom: (manager, cwd) => SessionManager.forkFrom(manager.getSessionFile()!, cwd, undefined, options),
    dispose: clean,
  };
}

export function projectOnDiskPlace(dialect: Dialect, options: ProjectPlaceOptions): Place {
  const base = mkdtempSync(path.join(tmpdir(), 'stemma-manager-'));
  return projectPlace(dialect, options, new NodeDisk(), base, () => rmSync(base, { recursive: true, force: true }));
}

export function nodeDiskPlace(dialect: Dialect): Place {
  const base = mkdtempSync(path.join(tmpdir(), 'stemma-manager-'));
  mkdirSync(base, { recursive: true });
  return diskPlace(dialect, new NodeDisk(), base, () => rmSync(base, { recursive: true, force: true }));
}

/** Null where there is no such file. */
export function readIfThere(disk: Disk, file: string): Uint8Array | null {
  if (disk instanceof NodeDisk) return existing(() => readFileSync(file));
  return existing(() => {
    const open = disk.openSync(file, 'read');
    try {
      return readSpanSync(open, 0, open.statSync().size);
    } finally {
      open.closeSync();
    }
  });
}

function existing(read: () => Uint8Array): Uint8Array | null {
  try {
    return read();
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
}
