import * as path from 'node:path';

import { listAllSessions, listSessions, listStore } from '../discovery/listing.ts';
import { projectFolders, REAL_DISK, type AgentPlace, type StorageDisk } from '../discovery/places.ts';
import type { SessionInfo } from '../discovery/session-info.ts';
import { machineFacts } from '../paths/canonical.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { shapesFor } from '../shapes/registry.ts';
import { agentFolder, flatFolder } from './agent-folder.ts';
import type { SessionManagerOptions } from './options.ts';

/**
 * The sessions of a project, newest first. In its own folders all files count, whatever project they name: a folder's
 * name may be that of two. Where a dialect has folders for the sessions of all projects, only those of this one count there,
 * and so it is in a store.
 */
export async function listProject(cwd: string, sessionDir?: string, options: SessionManagerOptions = {}): Promise<SessionInfo[]> {
  if (options.store !== undefined) return listStore(options.store, { cwd });
  const { storage, place, dialect, flat } = placeOf(options);
  const dir = sessionDir === undefined ? flat : path.resolve(sessionDir);
  const isShared = shapesFor(dialect).writes.flatFolderVariable !== null;
  if (dir !== null) return listSessions(dir, storage, isShared ? { dialect, cwd } : { dialect });
  const lists: SessionInfo[][] = [];
  for (const folder of projectFolders(storage.disk, cwd, place)) lists.push(await listSessions(folder, storage, { dialect }));
  return lists.flat().sort((a, b) => b.modified - a.modified);
}

interface ListingPlace {
  storage: StorageDisk;
  dialect: Shapes['id'];
  place: AgentPlace;
  /** The folder for all sessions, without buckets. */
  flat: string | null;
}

function placeOf(options: SessionManagerOptions): ListingPlace {
  const shapes = shapesFor(options.dialect);
  const facts = machineFacts();
  const { dir } = agentFolder(null, shapes, facts, process.env);
  const place = { dialect: shapes.id, agentDir: dir, facts };
  return { storage: options.storage ?? REAL_DISK, dialect: shapes.id, place, flat: flatFolder(shapes, facts, process.env) };
}

/** The sessions of all projects, newest first. */
export function listAll(options: SessionManagerOptions = {}): Promise<SessionInfo[]> {
  if (options.store !== undefined) return listStore(options.store, {});
  const { storage, place, flat } = placeOf(options);
  return listAllSessions(storage, flat === null ? place : { ...place, sessionsDir: flat });
}
