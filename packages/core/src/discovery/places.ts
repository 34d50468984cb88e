import { homedir, tmpdir } from 'node:os';
import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import { NodeDisk } from '../disk/node-disk.ts';
import { absoluteBucket, samePath, type PathFacts } from '../shapes/buckets.ts';
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
  /** The folder of the agent, with `sessions` in it; by default that of the dialect below the home folder. */
  agentDir?: string;
  /** What the names of buckets depend on; by default this machine's. */
  facts?: PathFacts;
}

export function placeFacts({ facts }: AgentPlace): PathFacts {
  return facts ?? { home: homedir(), temp: tmpdir(), windows: process.platform === 'win32' };
}

/** The folder with an agent's buckets. */
export function sessionsFolder(place: AgentPlace): string {
  const { agentFolder } = shapesFor(place.dialect).writes;
  return path.join(place.agentDir ?? path.join(placeFacts(place).home, ...agentFolder), 'sessions');
}

/** The folders in which a project's sessions may lie, that of today first. Looks at nothing but where links lead. */
export function projectFolders(disk: Disk, cwd: string, place: AgentPlace): string[] {
  const facts = placeFacts(place);
  const real = { home: canonical(disk, facts.home), temp: canonical(disk, facts.temp), windows: facts.windows };
  const resolved = path.resolve(cwd);
  const { bucketName } = shapesFor(place.dialect).writes;
  const names = [
    bucketName(canonical(disk, resolved), real),
    absoluteBucket(canonical(disk, resolved)),
    absoluteBucket(resolved),
  ];
  return [...new Set(names)].map((name) => path.join(sessionsFolder(place), name));
}

/** Is a header's working directory that of the project, under whichever of its names? A folder that has gone has its text only. */
export function projectTest(disk: Disk, cwd: string, windows: boolean): (headerCwd: string) => boolean {
  const wanted = path.resolve(cwd);
  let real: string | null = null;
  const known = new Map<string, boolean>();
  const isSame = (headerCwd: string): boolean => {
    if (headerCwd === '') return false;
    if (samePath(headerCwd, wanted, windows)) return true;
    real ??= canonical(disk, wanted);
    return samePath(canonical(disk, headerCwd), real, windows);
  };
  return (headerCwd) => {
    let answer = known.get(headerCwd);
    if (answer === undefined) known.set(headerCwd, (answer = isSame(headerCwd)));
    return answer;
  };
}

/** The path without links, or as it is where it leads nowhere. */
export function canonical(disk: Disk, at: string): string {
  try {
    return disk.realpathSync(at);
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return at;
  }
}
