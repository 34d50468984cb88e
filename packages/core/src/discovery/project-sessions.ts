import { listSessions, listStore } from './listing.ts';
import { placeFacts, projectFolders, projectTest, REAL_DISK, type AgentPlace, type StorageDisk } from './places.ts';
import type { ListOptions } from './list-options.ts';
import type { SessionInfo } from './session-info.ts';

export interface ProjectListOptions extends AgentPlace, Omit<ListOptions, 'cwd'> {
  /** By default the real disk. */
  storage?: StorageDisk;
}

/**
 * The sessions of a project, newest first: those in its buckets, be they named as today or as earlier versions did. The
 * working directory in the header decides, since several projects may share a bucket; a session that names none is of
 * the project that its bucket is named for. With a `sessionDir` those in it that name the project, with a `store` those of it.
 *
 * @throws `storage_io` when a folder cannot be read
 */
export async function listProjectSessions(
  cwd: string,
  sessionDir?: string,
  options: ProjectListOptions = {},
): Promise<SessionInfo[]> {
  if (options.store !== undefined) return listStore(options.store, { ...options, cwd });
  const { disk } = options.storage ?? REAL_DISK;
  const isProject = projectTest(disk, cwd, placeFacts(options).windows);
  if (sessionDir !== undefined) return (await listSessions(sessionDir, { disk }, options)).filter((info) => isProject(info.cwd));
  const found: SessionInfo[] = [];
  for (const folder of projectFolders(disk, cwd, options)) {
    for (const info of await listSessions(folder, { disk }, options)) {
      if (info.cwd === '' || isProject(info.cwd)) found.push(info);
    }
  }
  // Each folder is in order: newest first.
  return found.sort((a, b) => b.modified - a.modified);
}
