import * as path from 'node:path';

import { codecFor } from '../codec/registry.ts';
import type { Disk, DiskEntry, DiskStat } from '../disk/disk.ts';
import { inParallel } from '../parallel.ts';
import { problem, type Problem } from '../problems.ts';
import { logName, logsAmong } from '../shapes/projects.ts';
import {
  addFile,
  enter,
  entriesOf,
  relative,
  report,
  reportOddFile,
  visitLink,
  withoutAliases,
  type FoundSession,
  type Scan,
} from './scan.ts';

export interface ProjectScanOptions {
  /** Session directories hold sub-sessions, too: those of our own entries do, those of DeepSeek Harness do not. */
  subSessions: boolean;
  /** Of a log in two encodings the one that counts; both are given as they were found. */
  choose: (logs: readonly FoundLog[]) => Promise<string>;
}

export interface FoundLog {
  path: string;
  stat: DiskStat;
}

export interface FoundProjects {
  sessions: FoundSession[];
  problems: Problem[];
  /** Folders with blobs, each one session's. */
  blobFolders: string[];
}

interface ProjectScan extends Scan {
  options: ProjectScanOptions;
  blobFolders: string[];
}

/** A session's directory, or a log that has none and lies directly in a project directory. */
interface Spot {
  at: string;
  entry: DiskEntry;
}

const PARALLEL = 32;
const BLOBS = 'blobs';
const OF_A_LOG = /^session\./i;

/**
 * Finds the sessions in project directories: one for each session directory, whose path is what it is known by. Of several
 * versions of a log the highest counts; other files are left alone. Each directory is read once, and one file of it is
 * looked at.
 */
export async function scanProjects(
  disk: Disk,
  base: string,
  options: ProjectScanOptions,
  signal?: AbortSignal,
): Promise<FoundProjects> {
  const scan: ProjectScan = { disk, base, sessions: [], problems: [], signal, options, blobFolders: [] };
  const spots: Spot[] = [];
  await inParallel(await entriesOf(scan, base), PARALLEL, async (project) => {
    const at = path.join(base, project.name);
    if (project.kind === 'link') await tryTo(scan, at, () => visitLink(scan, at, { linksAllowed: true }));
    if (project.kind !== 'directory') return;
    for (const entry of await entriesOf(scan, at)) spots.push({ at: path.join(at, entry.name), entry });
  });
  await inParallel(spots, PARALLEL, (spot) => tryTo(scan, spot.at, () => visitSpot(scan, spot)));
  return { sessions: withoutAliases(scan), problems: scan.problems, blobFolders: scan.blobFolders.sort() };
}

async function visitSpot(scan: ProjectScan, { at, entry: { name, kind } }: Spot): Promise<void> {
  if (kind === 'directory') return visitSession(scan, at);
  if (kind === 'link') return visitLink(scan, at, { linksAllowed: true });
  if (name.startsWith('.') || codecFor(name) === null) return;
  if (kind === 'other') return reportOddFile(scan, at);
  const flat = problem('flat_session', 'The session lies directly in a project directory.', { path: at });
  addFile(scan, at, await scan.disk.stat(at), null, { problems: [flat] });
}

async function visitSession(scan: ProjectScan, folder: string): Promise<void> {
  const entries = await entriesOf(scan, folder);
  const files = new Set(entries.filter(({ kind }) => kind === 'file').map(({ name }) => name));
  const logs = logsAmong(files);
  if (logs.length > 0) await addSession(scan, folder, logs);
  const owner = logs.length > 0 ? relative(scan, folder) : null;
  await inParallel(entries, PARALLEL, async (entry) => {
    const at = path.join(folder, entry.name);
    await tryTo(scan, at, () => visitInside(scan, at, entry, { owner, files }));
  });
}

interface Around {
  /** Relative path of the session. */
  owner: string | null;
  /** Names of the files in its directory. */
  files: ReadonlySet<string>;
}

/** What lies beside a log. */
async function visitInside(scan: ProjectScan, at: string, { name, kind }: DiskEntry, { owner, files }: Around): Promise<void> {
  if (kind === 'directory') {
    if (name === BLOBS) scan.blobFolders.push(at);
    else if (scan.options.subSessions) await enter(scan, at, name, { depth: 1, owner, linksAllowed: true }, files);
    return;
  }
  const isLog = logName(name) !== null;
  if (isLog && kind === 'link') return visitLink(scan, at, { linksAllowed: true });
  if (isLog && kind === 'other') return reportOddFile(scan, at);
  const isSubSession = kind === 'file' && codecFor(name) !== null && !name.startsWith('.') && !OF_A_LOG.test(name);
  if (isSubSession && scan.options.subSessions) addFile(scan, at, await scan.disk.stat(at), owner);
}

async function addSession(scan: ProjectScan, folder: string, names: readonly string[]): Promise<void> {
  const logs: FoundLog[] = [];
  for (const name of names) {
    const at = path.join(folder, name);
    await tryTo(scan, at, async () => void logs.push({ path: at, stat: await scan.disk.stat(at) }));
  }
  const [first, second] = logs;
  if (first === undefined) return;
  const chosen = second === undefined ? first.path : await scan.options.choose(logs);
  const problems = logs
    .filter(({ path: at }) => at !== chosen)
    .map(({ path: at }) => problem('two_encodings', 'The directory holds its session twice, raw and compressed.', { path: at }));
  const log = logs.find(({ path: at }) => at === chosen) ?? first;
  addFile(scan, log.path, log.stat, null, {
    relativePath: relative(scan, folder),
    fingerprint: [...logs.map(({ path: at, stat }) => fingerprintOf(at, stat))].join(' '),
    problems,
  });
}

/** It is another state of the session, too, when its log has another name. */
export function fingerprintOf(at: string, { dev, ino, size, mtimeNs }: DiskStat): string {
  return [path.basename(at), dev, ino, size, mtimeNs].map(String).join(':');
}

async function tryTo(scan: ProjectScan, at: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    report(scan, at, error);
  }
}
