import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import { readHeaderSync } from '../discovery/read-info.ts';
import { isAbsent, PRIVATE_FOLDER } from '../storage/names.ts';
import { lockPath } from '../storage/owner-lock.ts';

export interface BucketMove {
  disk: Disk;
  /** A folder. */
  from: string;
  to: string;
  /** Does a session with this working directory go along? null: all do. */
  belongs: ((cwd: string) => boolean) | null;
  /** Nothing is moved unless at least one session says that it belongs. */
  needsProof: boolean;
}

const SUFFIX = '.jsonl';

/**
 * Moves the sessions of a folder into another one, with all that lies beside them, each in one step. A name that is taken
 * stays where it is, with its session; so does a session that belongs elsewhere, or that somebody has open. The folder goes
 * when it is empty. Errors are the platform's; after one, what was moved is moved, and the rest is where it was.
 */
export function moveBucket(move: BucketMove): void {
  const { disk, from, to } = move;
  const names = disk.readdirSync(from).map(({ name }) => name);
  const sessions = names.filter((name) => name.endsWith(SUFFIX));
  const verdicts = new Map(sessions.map((name) => [name, judge(move, name)]));
  const found = new Set(verdicts.values());
  if (move.needsProof && !found.has('belongs')) return;
  // A lock without a session is that of one about to be written.
  const allGo = !found.has('stays') && !names.some((name) => name.startsWith('.') && name.endsWith('.owner'));
  if (allGo && !exists(disk, to)) {
    disk.renameSync(from, to);
    return;
  }
  disk.mkdirSync(to, PRIVATE_FOLDER);
  const beside = bySession(names, verdicts);
  for (const [session, verdict] of verdicts) {
    // Sessions that say nothing go along only where no other one stays.
    if (verdict === 'belongs' || (verdict === 'silent' && allGo)) moveSession(move, session, beside.get(session) ?? []);
  }
  if (allGo) for (const name of beside.get(null) ?? []) moveEntry(move, name);
  removeIfEmpty(disk, from);
}

/** silent: a session that says nothing of a working directory, or a file that is none. */
type Verdict = 'belongs' | 'silent' | 'stays';

function judge({ disk, from, belongs }: BucketMove, name: string): Verdict {
  const file = path.join(from, name);
  try {
    if (exists(disk, lockPath(file))) return 'stays';
    if (belongs === null) return 'belongs';
    const cwd = readHeaderSync(disk, file)?.cwd;
    if (typeof cwd !== 'string' || cwd === '') return 'silent';
    return belongs(cwd) ? 'belongs' : 'stays';
  } catch (error) {
    // What cannot be read is nobody's.
    if (diskCode(error) === null) throw error;
    return 'stays';
  }
}

/** What lies beside each session: its folder of artifacts, copies that were kept of it. Under null what is of no session. */
function bySession(names: readonly string[], sessions: ReadonlyMap<string, Verdict>): Map<string | null, string[]> {
  const groups = new Map<string | null, string[]>();
  for (const name of names) {
    if (sessions.has(name)) continue;
    const owner = sessions.has(name + SUFFIX) ? name + SUFFIX : copyOf(name, sessions);
    const group = groups.get(owner);
    if (group === undefined) groups.set(owner, [name]);
    else group.push(name);
  }
  return groups;
}

/** Of `x.jsonl.before-…` the session `x.jsonl`. */
function copyOf(name: string, sessions: ReadonlyMap<string, Verdict>): string | null {
  for (let at = name.indexOf(`${SUFFIX}.`); at !== -1; at = name.indexOf(`${SUFFIX}.`, at + 1)) {
    const session = name.slice(0, at + SUFFIX.length);
    if (sessions.has(session)) return session;
  }
  return null;
}

/** The session goes last: until then what went ahead of it is found again by the next attempt. */
function moveSession(move: BucketMove, session: string, beside: readonly string[]): void {
  if (exists(move.disk, path.join(move.to, session))) return;
  for (const name of beside) moveEntry(move, name);
  moveEntry(move, session);
}

function moveEntry({ disk, from, to }: BucketMove, name: string): void {
  const target = path.join(to, name);
  if (!exists(disk, target)) disk.renameSync(path.join(from, name), target);
}

function removeIfEmpty(disk: Disk, folder: string): void {
  try {
    disk.rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(diskCode(error) ?? '')) throw error;
  }
}

function exists(disk: Disk, at: string): boolean {
  try {
    disk.lstatSync(at);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}
