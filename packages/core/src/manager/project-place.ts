import * as path from 'node:path';

import { ZstdDisk } from '../codec/zstd/zstd-disk.ts';
import { diskCode, type Disk } from '../disk/disk.ts';
import { idOfSegment, isProjectKey, logName, type LogEncoding } from '../shapes/projects.ts';
import { logAt } from '../store/project-sessions.ts';

/** Where a session of project directories lies. */
export interface ProjectPlace {
  /** The folder with the project directories. */
  root: string;
  /** The log, which need not exist. */
  log: string;
  encoding: LogEncoding;
  /** The id that the session's directory is named after; undefined where it does not tell. */
  id: string | undefined;
}

const BUCKET_FILE = '.jsonl';
const COMPRESSED = '.jsonl.zstd';

/**
 * The project directories that a path leads into: to a session's directory, to its log, or to any other compressed log.
 * Null for all else: files among files are those of the agents.
 */
export function projectPlaceOf(disk: Disk, at: string): ProjectPlace | null {
  const log = logAt({ disk: new ZstdDisk(disk), stored: disk }, at);
  const folder = path.dirname(log);
  const place = { log, encoding: log.endsWith(COMPRESSED) ? ('zstd' as const) : ('raw' as const), id: undefined };
  if (logName(path.basename(log)) !== null && isProjectKey(path.basename(path.dirname(folder))) && !isArtifacts(disk, folder))
    return { ...place, root: path.dirname(path.dirname(folder)), id: idOfSegment(path.basename(folder)) ?? undefined };
  if (place.encoding === 'raw') return null;
  return { ...place, root: isProjectKey(path.basename(folder)) ? path.dirname(folder) : folder };
}

/** Does the folder belong to the session file beside it? */
function isArtifacts(disk: Disk, folder: string): boolean {
  try {
    return disk.statSync(folder + BUCKET_FILE).kind === 'file';
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return false;
  }
}
