import * as path from 'node:path';

import { ZstdDisk } from '../codec/zstd/zstd-disk.ts';
import type { Disk, DiskKind } from '../disk/disk.ts';
import { findRecent } from '../discovery/continue-recent.ts';
import type { AgentPlace } from '../discovery/places.ts';
import { machineFacts } from '../paths/canonical.ts';
import { removePause } from '../paths/pause.ts';
import type { PathFacts } from '../shapes/buckets.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { shapesFor } from '../shapes/registry.ts';
import { DiskSessionStorage } from '../storage/disk-storage.ts';
import { isAbsent } from '../storage/names.ts';
import type { SessionStorage } from '../storage/storage.ts';
import { FileSessionStorage } from '../storage/storages.ts';
import { MemorySessionStore } from '../store/memory-store.ts';
import { BucketSessionStore } from '../store/bucket-store.ts';
import { FileSessionStore } from '../store/file-store.ts';
import { ProjectSessionStore } from '../store/project-store.ts';
import type { SessionStore } from '../store/session-store.ts';
import { agentFolder, flatFolder, TerminalNotes, type AgentFolder } from './agent-folder.ts';
import { copyArtifacts } from './copy-artifacts.ts';
import { shapesOfFile } from './file-shapes.ts';
import { Ground, isPathLike, newestIn, type Surroundings } from './ground.ts';
import { isSessionId } from './ids.ts';
import type { SessionManagerOptions } from './options.ts';
import { projectPlaceOf, type ProjectPlace } from './project-place.ts';

export function memoryGround(options: SessionManagerOptions): Ground {
  const { store, now = Date.now, dialect } = options;
  return storeGround(store ?? new MemorySessionStore({ shapes: shapesFor(dialect), now }), options);
}

/** A store that was given. It notes nothing for terminals: what an agent's terminals have open are its own files. */
function storeGround(store: SessionStore, options: SessionManagerOptions): Ground {
  return new Ground(store, options, null, store instanceof FileSessionStore ? aroundStore(store, false) : null);
}

/** @param sessionDir the folder for the files, instead of the projects' */
export function groundFor(sessionDir: string | undefined, options: SessionManagerOptions): Ground {
  if (options.store !== undefined) return storeGround(options.store, options);
  return fileGround(shapesFor(options.dialect), sessionDir, options);
}

/** For a session at a path: others are put beside it, unless a folder for them is given. */
export function groundForFile(file: string, sessionDir: string | undefined, options: SessionManagerOptions): Ground {
  if (options.store !== undefined) return storeGround(options.store, options);
  const at = path.resolve(file);
  const { disk } = storageOf(options);
  const project = projectPlaceOf(disk, at);
  const shapesOf = (log: string): Shapes =>
    options.dialect === undefined ? shapesOfFile(new ZstdDisk(disk), log) : shapesFor(options.dialect);
  if (project === null) return fileGround(shapesOf(at), sessionDir ?? path.dirname(at), options);
  return projectGround(project, shapesOf(project.log), sessionDir ?? project.root, options);
}

/** Where another session is to be opened in place of one: sessions of another kind, or of another root, need another ground. */
export function groundToOpen(file: string, current: Ground): Ground {
  const { store, options } = current;
  if (options.store !== undefined || !(store instanceof FileSessionStore)) return current;
  const wanted = projectPlaceOf(store.disk, path.resolve(file))?.root ?? null;
  const root = store instanceof ProjectSessionStore ? store.root : null;
  return wanted === root ? current : groundForFile(file, undefined, options);
}

/** The ground of a session that is only read. A path may lead out of the store that was given for what is written. */
export function groundOfSource(place: string, options: SessionManagerOptions): Ground {
  const { store } = options;
  if (!(store instanceof FileSessionStore) || !isPathLike(place)) return groundForFile(place, undefined, options);
  const at = path.resolve(place);
  const isOutside =
    store instanceof ProjectSessionStore ? !at.startsWith(store.root + path.sep) : projectPlaceOf(store.disk, at) !== null;
  if (!isOutside) return storeGround(store, options);
  const { logger, now } = options;
  return groundForFile(at, undefined, {
    storage: options.storage ?? new DiskSessionStorage(store.disk),
    ...(logger === undefined ? {} : { logger }),
    ...(now === undefined ? {} : { now }),
  });
}

function projectGround(place: ProjectPlace, shapes: Shapes, root: string, options: SessionManagerOptions): Ground {
  const { durable = false, now = Date.now } = options;
  const { encoding } = place;
  const store = new ProjectSessionStore({ root, encoding, shapes, storage: storageOf(options), durable, now });
  return new Ground(store, options, null, aroundStore(store, true));
}

function aroundStore(store: FileSessionStore, onlyPaths: boolean): Surroundings {
  const { disk } = store;
  return {
    ...aroundFiles(disk, onlyPaths),
    idAt: (at) => (store instanceof ProjectSessionStore ? ownId(projectPlaceOf(disk, path.resolve(at))) : undefined),
    recent: (cwd) => newestIn(store, cwd),
    note: () => undefined,
    async forget(file, id) {
      await store.deleteFile(file, id);
      forgetPause(id, disk);
    },
  };
}

/** A folder's name need not be what we take for an id. */
function ownId(place: ProjectPlace | null): string | undefined {
  return place?.id !== undefined && isSessionId(place.id) ? place.id : undefined;
}

function aroundFiles(
  disk: Disk,
  onlyPaths: boolean,
): Pick<Surroundings, 'onlyPaths' | 'hasFolder' | 'isBlank' | 'copyArtifacts'> {
  return {
    onlyPaths,
    hasFolder: (at) => kindOf(disk, at) === 'directory',
    isBlank: (at) => kindOf(disk, at) === null || disk.statSync(at).size === 0,
    copyArtifacts: (from, to) => copyArtifacts(disk, from, to),
  };
}

function forgetPause(id: string, disk: Disk): void {
  if (process.env['JOURNAL_DIR']) removePause(process.env['JOURNAL_DIR'], id, disk);
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
  return new Ground(store, options, agent.isAround ? dir : null, surroundings(store, agent, shapes, facts, dir, options));
}

function surroundings(
  store: BucketSessionStore,
  folder: AgentFolder,
  shapes: Shapes,
  facts: PathFacts,
  dir: string | null,
  options: SessionManagerOptions,
): Surroundings {
  const { logger } = options;
  const { disk } = store;
  const notes = new TerminalNotes(folder, disk, (message, data) => logger?.warn(message, data));
  const place: AgentPlace = { dialect: shapes.id, agentDir: folder.dir, facts };
  return {
    ...aroundFiles(disk, true),
    idAt: () => undefined,
    recent: (cwd) => findRecent(disk, cwd, notes.lastOpened(), dir ?? undefined, place),
    note: (cwd, file, fresh) => notes.note(cwd, file, fresh),
    async forget(file, id) {
      await store.deleteFile(file, id);
      forgetPause(id, disk);
    },
  };
}

/** null: there is nothing. */
function kindOf(disk: Disk, at: string): DiskKind | null {
  try {
    return disk.statSync(at).kind;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}
