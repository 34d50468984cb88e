import type { Breadcrumb } from '../paths/breadcrumbs.ts';
import { samePath } from '../shapes/buckets.ts';

/** What is at the place that a breadcrumb names. */
export interface CrumbTarget {
  /** The session to go on with: that of a sub-session is the one it belongs to. */
  path: string;
  /** The working directory in its header; empty when it has none. */
  cwd: string;
  /** There is such a folder. */
  cwdExists: boolean;
}

/** All that the choice depends on. */
export interface RecentFacts {
  cwd: string;
  windows: boolean;
  /** Of the folder that `cwd` names; null when it cannot be told. */
  identity: Breadcrumb['identity'];
  breadcrumb: Breadcrumb | null;
  /** The file that the breadcrumb names is gone. */
  isFileMissing: boolean;
  /** null: nothing that can be gone on with. */
  target: CrumbTarget | null;
  /** The folder that the breadcrumb names is there. */
  crumbCwdExists: boolean;
  /** The session of this project, by its header, that was written last. */
  newestHere: string | null;
}

/** move: the project itself has moved here, and its session goes with it. */
export type RecentChoice = { kind: 'new' } | { kind: 'open'; path: string } | { kind: 'move'; path: string };

/**
 * Which session is gone on with in a folder. Never that of another project: one moves only when the folder is by its
 * identity the one that it was begun in.
 */
export function chooseRecent(facts: RecentFacts): RecentChoice {
  const { breadcrumb, target, newestHere } = facts;
  const here: RecentChoice = newestHere === null ? { kind: 'new' } : { kind: 'open', path: newestHere };
  if (breadcrumb === null) return here;
  // The person asked for a new session and left before it was written.
  if (breadcrumb.fresh && facts.isFileMissing) return { kind: 'new' };
  if (target === null) return here;
  if (samePath(breadcrumb.cwd, facts.cwd, facts.windows)) {
    return isOurs(facts, target) ? { kind: 'open', path: target.path } : here;
  }
  if (facts.crumbCwdExists || newestHere !== null) return here;
  return hasMovedHere(facts, breadcrumb, target) ? { kind: 'move', path: target.path } : here;
}

/** It names this folder, or none, or one that has gone, and was opened here all the same. */
function isOurs({ cwd, windows }: RecentFacts, target: CrumbTarget): boolean {
  return target.cwd === '' || samePath(target.cwd, cwd, windows) || !target.cwdExists;
}

function hasMovedHere({ identity, windows }: RecentFacts, crumb: Breadcrumb, target: CrumbTarget): boolean {
  const isItsProject = target.cwd === '' || samePath(target.cwd, crumb.cwd, windows);
  const noted = crumb.identity;
  return isItsProject && noted !== null && identity !== null && noted.dev === identity.dev && noted.ino === identity.ino;
}
