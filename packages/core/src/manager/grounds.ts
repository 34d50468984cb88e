import * as path from 'node:path';

import { findRecent } from '../discovery/continue-recent.ts';
import type { AgentPlace } from '../discovery/places.ts';
import { machineFacts } from '../paths/canonical.ts';
import { removePause } from '../paths/pause.ts';
import type { PathFacts } from '../shapes/buckets.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { shapesFor } from '../shapes/registry.ts';
import { isAbsent } from '../storage/names.ts';
import type { SessionStorage } from '../storage/storage.ts';
import { FileSessionStorage } from '../storage/storages.ts';
import { MemorySessionStore } from '../store/memory-store.ts';
import { BucketSessionStore } from '../store/bucket-store.ts';
import { agentFolder, flatFolder, TerminalNotes, type AgentFolder } from './agent-folder.ts';
import { copyFolder } from './copy-artifacts.ts';
import { shapesOfFile } from './file-shapes.ts';
import { Ground, type Surroundings } from './ground.ts';
import type { SessionManagerOptions } from './options.ts';

export function memoryGround(options: SessionManagerOptions): Ground {
  const { store, now = Date.now, dialect } = options;
  return new Ground(store ?? new MemorySessionStore({ shapes: shapesFor(dialect), now }), options, null, null);
}

/** @param sessionDir the folder for the files, instead of the projects' */
export function groundFor(sessionDir: string | undefined, options: SessionManagerOptions): Ground {
  if (options.store !== undefined) return new Ground(options.store, options, null, null);
  return fileGround(shapesFor(options.dialect), sessionDir, options);
}

/** For a session at a path: others are put beside it, unless a folder for them is given. */
export function groundForFile(file: string, sessionDir: string | undefined, options: SessionManagerOptions): Ground {
  if (options.store !== undefined) return new Ground(options.store, options, null, null);
  const at = path.resolve(file);
  const { disk } = storageOf(options);
  const shapes = options.dialect === undefined ? shapesOfFile(disk, at) : shapesFor(options.dialect);
  return fileGround(shapes, sessionDir ?? path.dirname(at), options);
}

function storageOf({ storage, durable = false }: SessionManagerOptions): SessionStorage {
  return storage ?? new FileSessionStorage({ durable });
}

function fileGround(shapes: Shapes, sessionDir: string | undefined, options: SessionManagerOptions): Ground {
  const { durable = false, now = Date.now } = options;
  const facts = machineFacts();
  const storage = storageOf(options);
  const dir = sessionDir === undefined ? flatFolder(shapes, facts, process.env) : path.resolve(sessionDir);
  const agent = agentFolder(dir, shapes, facts, process.env);
  const place = { agentDir: agent.dir, shapes, storage, facts, durable, now };
  // A folder among the agent's own is one of its buckets; any other has the sessions of all projects.
  const store = new BucketSessionStore(dir === null || agent.isAround ? place : { ...place, folder: dir });
  return new Ground(store, options, agent.isAround ? dir : null, surroundings(storage, agent, shapes, facts, dir, options));
}

function surroundings(
  storage: SessionStorage,
  folder: AgentFolder,
  shapes: Shapes,
  facts: PathFacts,
  dir: string | null,
  { logger }: SessionManagerOptions,
): Surroundings {
  const { disk } = storage;
  const notes = new TerminalNotes(folder, disk, (message, data) => logger?.warn(message, data));
  const place: AgentPlace = { dialect: shapes.id, agentDir: folder.dir, facts };
  return {
    hasFolder: (at) => kindOf(storage, at) === 'directory',
    isBlank: (at) => kindOf(storage, at) === null || storage.statSync(at).size === 0,
    recent: (cwd) => findRecent(disk, cwd, notes.lastOpened(), dir ?? undefined, place),
    note: (cwd, file, fresh) => notes.note(cwd, file, fresh),
    copyFolder: (from, to) => copyFolder(disk, from, to),
    async forget(file, id) {
      await storage.deleteSessionWithArtifacts(file);
      if (process.env['JOURNAL_DIR']) removePause(process.env['JOURNAL_DIR'], id, disk);
    },
  };
}

/** null: there is nothing. */
function kindOf({ disk }: SessionStorage, at: string): string | null {
  try {
    return disk.statSync(at).kind;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}
