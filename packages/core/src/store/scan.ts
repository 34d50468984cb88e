import * as path from 'node:path';

import { codecFor } from '../codec/registry.ts';
import { diskCode, type Disk, type DiskEntry, type DiskStat } from '../disk/disk.ts';
import { inParallel } from '../parallel.ts';
import { problem, type Problem } from '../problems.ts';

export interface FoundSession {
  /** For opening; never sent to a client as an address. */
  path: string;
  /** Inside the root, for keys. */
  relativePath: string;
  sizeBytes: number;
  modifiedMs: number;
  /** Changes when the file does. */
  fingerprint: string;
  /** The session that a sub-session belongs to. */
  parentRelativePath: string | null;
  /** What is wrong with where it lies. */
  problems: readonly Problem[];
}

/** Sub-sessions of sub-sessions … lie this deep at most. */
const MAX_DEPTH = 8;
const PARALLEL = 16;

export interface Scan {
  disk: Disk;
  base: string;
  sessions: (FoundSession & { identity: string })[];
  problems: Problem[];
  signal: AbortSignal | undefined;
}

/**
 * Finds the session files below a folder (or the one file): buckets, flat folders, and the folders beside a session
 * that hold its sub-sessions. Links to folders are followed one level deep where they stay inside.
 */
export async function scanSessions(
  disk: Disk,
  base: string,
  signal?: AbortSignal,
): Promise<{ sessions: FoundSession[]; problems: Problem[] }> {
  const scan: Scan = { disk, base, sessions: [], problems: [], signal };
  const stat = await disk.stat(base);
  if (stat.kind === 'file') addFile(scan, base, stat, null);
  else await scanDirectory(scan, base, { depth: 0, owner: null, linksAllowed: true });
  return { sessions: withoutAliases(scan), problems: scan.problems };
}

export interface Level {
  depth: number;
  /** Relative path of the session whose folder this is inside. */
  owner: string | null;
  linksAllowed: boolean;
}

async function scanDirectory(scan: Scan, directory: string, level: Level): Promise<void> {
  const entries = await entriesOf(scan, directory);
  const files = new Set(entries.filter((entry) => entry.kind === 'file').map((entry) => entry.name));
  await inParallel(entries, PARALLEL, (entry) => visit(scan, directory, entry, level, files));
}

/** What is in a folder, by name; nothing where it cannot be read, which is a problem. */
export async function entriesOf(scan: Scan, directory: string): Promise<DiskEntry[]> {
  scan.signal?.throwIfAborted();
  try {
    const entries = await scan.disk.readdir(directory);
    return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  } catch (error) {
    report(scan, directory, error);
    return [];
  }
}

async function visit(scan: Scan, directory: string, entry: DiskEntry, level: Level, files: ReadonlySet<string>): Promise<void> {
  const at = path.join(directory, entry.name);
  try {
    if (entry.kind === 'link') await visitLink(scan, at, level);
    else if (entry.kind === 'directory') await enter(scan, at, entry.name, level, files);
    else if (entry.kind === 'file' && codecFor(entry.name) !== null) addFile(scan, at, await scan.disk.stat(at), level.owner);
    else if (entry.kind === 'other' && codecFor(entry.name) !== null) reportOddFile(scan, at);
  } catch (error) {
    report(scan, at, error);
  }
}

/** Goes into a folder: below a session's own, all belongs to it. @param files names beside the folder */
export async function enter(scan: Scan, at: string, name: string, level: Level, files: ReadonlySet<string>): Promise<void> {
  if (level.depth >= MAX_DEPTH) return;
  const session = `${name}.jsonl`;
  const owner = files.has(session) ? relative(scan, `${at}.jsonl`) : level.owner;
  await scanDirectory(scan, at, { depth: level.depth + 1, owner, linksAllowed: level.linksAllowed });
}

/** A pipe, a socket or a device that has a session's name. */
export function reportOddFile(scan: Scan, at: string): void {
  scan.problems.push(problem('unreadable', 'It is neither a file nor a folder.', { path: at }));
}

/** Links are not followed; why, is a problem of the root. */
export async function visitLink(scan: Scan, at: string, { linksAllowed }: Pick<Level, 'linksAllowed'>): Promise<void> {
  const skip = (why: string): void => void scan.problems.push(problem('link_skipped', why, { path: at }));
  let real: string;
  try {
    real = await scan.disk.realpath(at);
  } catch (error) {
    if (diskCode(error) === 'ENOENT') return skip('The link leads nowhere.');
    if (diskCode(error) === 'ELOOP') return skip('The link leads back to itself.');
    throw error;
  }
  const stat = await scan.disk.stat(real);
  if (stat.kind === 'file') {
    if (codecFor(at) !== null) skip('Links to files are not followed.');
    return;
  }
  if (!real.startsWith(scan.base + path.sep)) return skip('The link leads out of its root.');
  // What it leads to lies in the root and is found there.
  skip(linksAllowed ? 'The link leads to a folder that is listed itself.' : 'Links inside links are not followed.');
}

/** @param own what differs from a file that is a session for itself. */
export function addFile(scan: Scan, at: string, stat: DiskStat, owner: string | null, own: Partial<FoundSession> = {}): void {
  const identity = `${String(stat.dev)}:${String(stat.ino)}`;
  scan.sessions.push({
    identity,
    path: at,
    relativePath: relative(scan, at),
    sizeBytes: stat.size,
    modifiedMs: stat.mtimeMs,
    fingerprint: `${identity}:${String(stat.size)}:${String(stat.mtimeNs)}`,
    parentRelativePath: owner,
    problems: [],
    ...own,
  });
}

/** Sessions by path; of several names of one file the first counts, whichever was looked at first. */
export function withoutAliases(scan: Scan): FoundSession[] {
  const seen = new Set<string>();
  const sessions: FoundSession[] = [];
  scan.sessions.sort((a, b) => (a.relativePath < b.relativePath ? -1 : a.relativePath > b.relativePath ? 1 : 0));
  for (const { identity, ...found } of scan.sessions) {
    if (!seen.has(identity)) sessions.push(found);
    else scan.problems.push(problem('link_skipped', 'The same file is listed under another name.', { path: found.path }));
    seen.add(identity);
  }
  return sessions;
}

/** A path inside the root. */
export function relative(scan: Scan, at: string): string {
  if (at === scan.base) return path.basename(at);
  return at.startsWith(scan.base + path.sep) ? at.slice(scan.base.length + 1) : path.relative(scan.base, at);
}

/** What the disk says of a place is a problem of it; everything else passes through. */
export function report(scan: Scan, at: string, error: unknown): void {
  const code = diskCode(error);
  if (code === null) throw error;
  // A file that went away between listing and looking was never there.
  if (code !== 'ENOENT') scan.problems.push(problem('unreadable', `It cannot be read (${code}).`, { path: at }));
}
