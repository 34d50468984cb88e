import * as path from 'node:path';

import type { Disk } from '../disk/disk.ts';
import { NodeDisk } from '../disk/node-disk.ts';
import { lookBuckets } from '../paths/buckets.ts';
import { canonicalPath, machineFacts } from '../paths/canonical.ts';
import { samePath, type PathFacts } from '../shapes/buckets.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { shapesFor } from '../shapes/registry.ts';
import type { SessionStorage } from '../storage/storage.ts';

/** Where files lie. */
export type StorageDisk = Pick<SessionStorage, 'disk'>;

export const REAL_DISK: StorageDisk = { disk: new NodeDisk() };

/** Which agent's sessions are meant. */
export interface AgentPlace {
  /** By default `musepi`. */
  dialect?: Shapes['id'];
  /** The folder of the agent, with `sessions` in it; by default that of the environment (`PI_CODING_AGENT_DIR`) or the dialect. */
  agentDir?: string;
  /** What the names of buckets depend on; by default this machine's. */
  facts?: PathFacts;
}

export function placeFacts({ facts }: AgentPlace): PathFacts {
  return facts ?? machineFacts();
}

/** The folder with an agent's buckets. */
export function sessionsFolder(place: AgentPlace): string {
  return path.join(place.agentDir ?? namedAgentDir(place) ?? defaultAgentDir(place), 'sessions');
}

/** Facts that are given are those of another machine than this one. */
function namedAgentDir({ facts }: AgentPlace): string | null {
  const named = facts === undefined ? process.env['PI_CODING_AGENT_DIR'] : undefined;
  return named ? named.replace(/^~(?=$|[/\\])/, machineFacts().home) : null;
}

function defaultAgentDir(place: AgentPlace): string {
  return path.join(placeFacts(place).home, ...shapesFor(place.dialect).writes.agentFolder);
}

/** The folders in which a project's sessions may lie, that of today first. Looks at nothing but where links lead. */
export function projectFolders(disk: Disk, cwd: string, place: AgentPlace): string[] {
  const shapes = shapesFor(place.dialect);
  return [...new Set(lookBuckets(sessionsFolder(place), cwd, { disk, shapes, facts: placeFacts(place) }))];
}

/** Is a header's working directory that of the project, under whichever of its names? A folder that has gone has its text only. */
export function projectTest(disk: Disk, cwd: string, windows: boolean): (headerCwd: string) => boolean {
  const wanted = path.resolve(cwd);
  let real: string | null = null;
  const known = new Map<string, boolean>();
  const isSame = (headerCwd: string): boolean => {
    if (headerCwd === '') return false;
    if (samePath(headerCwd, wanted, windows)) return true;
    real ??= canonicalPath(wanted, disk);
    return samePath(realCwd(disk, headerCwd), real, windows);
  };
  return (headerCwd) => {
    let answer = known.get(headerCwd);
    if (answer === undefined) known.set(headerCwd, (answer = isSame(headerCwd)));
    return answer;
  };
}

/** A stated working directory without links. One that is not absolute, on this machine at least, stays a text. */
export function realCwd(disk: Disk, cwd: string): string {
  return path.isAbsolute(cwd) ? canonicalPath(cwd, disk) : cwd;
}
