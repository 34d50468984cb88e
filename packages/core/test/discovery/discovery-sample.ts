import { mkdirSync, utimesSync } from 'node:fs';
import path from 'node:path';

import type { Disk } from '../../src/disk/disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import { findRecent } from '../../src/discovery/continue-recent.ts';
import {
  findMostRecentSession,
  getRecentSessions,
  listAllSessions,
  listSessions,
  type ListAllOptions,
} from '../../src/discovery/listing.ts';
import type { Breadcrumb } from '../../src/paths/breadcrumbs.ts';
import type { AgentPlace } from '../../src/discovery/places.ts';
import { resolveResumableSession, type ResumeOptions } from '../../src/discovery/resolve.ts';
import { temporaryFolder, writeFiles } from '../store/node-fixture.ts';

/**
 * One case: what lies on the disk, what is asked, what comes out. `$` stands for the folder it all lies in; `$/home/ann` is the
 * home folder, `$/tmp` that for temporary files. A text `x*5000` is 5,000 times that character.
 */
export interface DiscoverySample {
  /** Where the expectation comes from. */
  source: string;
  folders?: string[];
  /** Written one second after the other, unless `mtimes` says epoch ms. Lines are records, or texts as they are. */
  files: Record<string, unknown[]>;
  mtimes?: Record<string, number>;
  asks: (Ask & { expected: unknown })[];
}

type Ask =
  | { list: string; options?: ListAllOptions }
  | { listAll: ListAllOptions }
  | { recent: string; limit?: number; now?: number }
  | { mostRecent: string; options?: ListAllOptions }
  | { resume: string; cwd: string; sessionDir?: string; options?: ResumeOptions }
  | { continue: string; sessionDir?: string; breadcrumb?: Crumb; place?: AgentPlace };

/** `identityOf`: the folder whose identity was noted. */
interface Crumb {
  cwd: string;
  sessionFile: string;
  fresh?: boolean;
  identityOf?: string;
}

const FIRST_MTIME = Date.UTC(2026, 0, 1);

/** Makes the sample's files; answers where `$` is. */
export type MakeDisk = (sample: DiscoverySample) => { disk: Disk; base: string };

function contentOf(lines: readonly unknown[]): string {
  const expanded = JSON.parse(JSON.stringify(lines), (_, value: unknown) => {
    const repeated = typeof value === 'string' ? /^(.)\*(\d+)$/.exec(value) : null;
    return repeated === null ? value : repeated[1]!.repeat(Number(repeated[2]));
  }) as unknown[];
  return expanded.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('');
}

function filesOf(sample: DiscoverySample): { name: string; content: string; mtime: number }[] {
  return Object.entries(sample.files).map(([name, lines], i) => {
    return { name, content: contentOf(lines), mtime: sample.mtimes?.[name] ?? FIRST_MTIME + i * 1000 };
  });
}

export function inMemory(sample: DiscoverySample): { disk: Disk; base: string } {
  const disk = new MemoryDisk();
  const base = '/base';
  for (const folder of [...(sample.folders ?? []), '$']) disk.mkdirSync(folder.replace('$', base));
  for (const { name, content, mtime } of filesOf(sample)) {
    disk.writeFile(name.replace('$', base), new TextEncoder().encode(content.replaceAll('$', base)), mtime);
  }
  return { disk, base };
}

export function onDisk(sample: DiscoverySample): { disk: Disk; base: string } {
  const base = temporaryFolder();
  for (const folder of sample.folders ?? []) mkdirSync(folder.replace('$', base), { recursive: true });
  for (const { name, content, mtime } of filesOf(sample)) {
    const at = name.replace('$', base);
    writeFiles(path.dirname(at), { [path.basename(at)]: content.replaceAll('$', base) });
    utimesSync(at, mtime / 1000, mtime / 1000);
  }
  return { disk: new NodeDisk(), base };
}

/** The answer to a question, `$` in place of the folder. */
export async function answer(ask: Ask, disk: Disk, base: string): Promise<unknown> {
  const here = JSON.parse(JSON.stringify(ask).replaceAll('$', base)) as Ask;
  const found = (await run(here, { disk }, base)) ?? null;
  return JSON.parse(JSON.stringify(found).replaceAll(base, '$')) as unknown;
}

async function run(ask: Ask, storage: { disk: Disk }, base: string): Promise<unknown> {
  const facts = { home: `${base}/home/ann`, temp: `${base}/tmp`, windows: false };
  if ('list' in ask) return listSessions(ask.list, storage, ask.options);
  if ('listAll' in ask) return listAllSessions(storage, { facts, ...ask.listAll });
  if ('recent' in ask) {
    return getRecentSessions(ask.recent, ask.limit, storage, ask.now === undefined ? {} : { now: ask.now });
  }
  if ('mostRecent' in ask) return findMostRecentSession(ask.mostRecent, storage, ask.options);
  if ('resume' in ask) {
    return resolveResumableSession(ask.resume, ask.cwd, ask.sessionDir, { facts, storage, ...ask.options });
  }
  const crumb: Breadcrumb | null =
    ask.breadcrumb === undefined
      ? null
      : {
          cwd: ask.breadcrumb.cwd,
          sessionFile: ask.breadcrumb.sessionFile,
          fresh: ask.breadcrumb.fresh ?? false,
          identity: ask.breadcrumb.identityOf === undefined ? null : storage.disk.statSync(ask.breadcrumb.identityOf),
        };
  return findRecent(storage.disk, ask.continue, crumb, ask.sessionDir, { facts, ...ask.place });
}

/** Everything below a folder with size and time: to see that looking changes nothing. */
export function listing(disk: Disk, folder: string): string[] {
  return disk.readdirSync(folder).flatMap(({ name, kind }) => {
    const at = path.join(folder, name);
    const { size, mtimeNs } = disk.statSync(at);
    const own = `${at} ${kind === 'file' ? String(size) : ''} ${String(mtimeNs)}`;
    return kind === 'directory' ? [own, ...listing(disk, at)] : [own];
  });
}
