import { createHash } from 'node:crypto';
import * as path from 'node:path';

import { diskCode, type Disk, type DiskEntry, type DiskKind, type DiskStat } from '../disk/disk.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { isHarnessHeader } from '../logs/dsh/header.ts';
import { inParallel } from '../parallel.ts';
import { problem } from '../problems.ts';
import { foldedSegment, logName, logsAmong, projectKey, segmentsOf, sessionSegment } from '../shapes/projects.ts';
import { answerLater, answerNow, ask, type Asking } from '../asking.ts';
import type { SessionStat } from './session-store.ts';
import { runSync } from './steps.ts';
import { scanLog } from './stored-log.ts';
import { idOf, newestFirst, statSteps, tell, type Looking, type OnProblem } from './stored-sessions.ts';

/** The disk as sessions are read, and as it has them. */
export type LogPlaces = Pick<Looking, 'disk' | 'stored'>;

/** A root of project directories. */
export interface ProjectPlaces extends Looking {
  root: string;
}

/** Where a session may lie: the directory of one, or a log directly in a project directory. */
interface Spot {
  at: string;
  flat: boolean;
}

/** So many folders and files are looked at beside each other. */
const BESIDE = 32;
const ENDINGS = ['.jsonl', '.jsonl.zstd'];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The directory of a new session. Where the disk has another one there, whose id differs in case alone, it has another name.
 * @throws `invalid_argument` for an empty id or working directory
 */
export function sessionFolder(places: ProjectPlaces, { id, cwd }: SessionHeader): string {
  const key = projectKey(cwd);
  if (key === null || id === '')
    throw new SessionStoreError('invalid_argument', 'A session needs an id, and a working directory is not empty.', { id });
  const folder = path.join(places.root, key);
  const usual = path.join(folder, sessionSegment(id, sha256));
  const there = answerNow(logIn(places, usual));
  const other = there === null ? null : idOf(places.disk, there);
  return other === null || other === id ? usual : path.join(folder, foldedSegment(id, sha256));
}

/**
 * The log that a path means: that in a session's directory, or the log itself, under whichever of its names it lies there
 * now. The path itself where there is none.
 */
export function logAt(places: LogPlaces, at: string): string {
  const isLog = logName(path.basename(at)) !== null;
  if (isLog && kindOf(places.stored, at) === 'file') return at;
  return answerNow(logIn(places, isLog ? path.dirname(at) : at)) ?? at;
}

function kindOf(disk: Disk, at: string): DiskKind | null {
  try {
    return disk.statSync(at).kind;
  } catch (error) {
    tell(error, at, undefined);
    return null;
  }
}

/** Logs of an id by the names of their folders, in every project. */
export function projectLogsNamed(places: ProjectPlaces, id: string, onProblem?: OnProblem): string[] {
  const segments = segmentsOf(id, sha256);
  const found: string[] = [];
  for (const folder of answerNow(foldersIn(places.stored, places.root, onProblem))) {
    for (const segment of segments) {
      const log = answerNow(logIn(places, path.join(folder, segment), onProblem));
      const flat = ENDINGS.map((ending) => path.join(folder, segment + ending));
      for (const file of [log, ...flat]) if (file !== null && idOf(places.disk, file, onProblem) === id) found.push(file);
    }
  }
  // A disk that does not tell case finds one folder under two names.
  return found.filter((file, i) => !found.slice(0, i).some((earlier) => answerNow(isOne(places.stored, earlier, file))));
}

/** Logs of an id by their headers, whatever their folders are called: looks into all of them. */
export function projectLogsOf(places: ProjectPlaces, id: string, onProblem?: OnProblem): string[] {
  const found: string[] = [];
  for (const folder of answerNow(foldersIn(places.stored, places.root, onProblem))) {
    for (const { at, flat } of answerNow(spotsIn(places.stored, folder, onProblem))) {
      const file = flat ? at : answerNow(logIn(places, at, onProblem));
      if (file !== null && idOf(places.disk, file, onProblem) === id) found.push(file);
    }
  }
  return found;
}

/** All sessions, newest first. What is wrong with one of them is told, and costs none of the others. */
export async function listProjects(places: ProjectPlaces, onProblem: OnProblem): Promise<SessionStat[]> {
  const folders = await answerLater(foldersIn(places.stored, places.root, onProblem));
  const spots: Spot[] = [];
  await inParallel(folders, BESIDE, async (folder) => {
    for (const spot of await answerLater(spotsIn(places.stored, folder, onProblem))) spots.push(spot);
  });
  const stats: SessionStat[] = [];
  await inParallel(spots, BESIDE, async (spot) => {
    const stat = await answerLater(statOfSpot(places, spot, onProblem));
    if (stat !== null) stats.push(stat);
  });
  tellRepeated(stats, onProblem);
  return newestFirst(stats);
}

/** @param keys only these projects; all by default */
export function listProjectsSync(places: ProjectPlaces, keys?: readonly string[]): SessionStat[] {
  const folders = keys?.map((key) => path.join(places.root, key)) ?? answerNow(foldersIn(places.stored, places.root));
  const stats: SessionStat[] = [];
  for (const folder of folders) {
    for (const spot of answerNow(spotsIn(places.stored, folder))) {
      const stat = answerNow(statOfSpot(places, spot));
      if (stat !== null) stats.push(stat);
    }
  }
  return newestFirst(stats);
}

function* foldersIn(disk: Disk, root: string, onProblem?: OnProblem): Asking<string[]> {
  const entries = yield* entriesOf(disk, root, onProblem);
  return entries.filter(({ kind }) => kind === 'directory').map(({ name }) => path.join(root, name));
}

function* spotsIn(disk: Disk, folder: string, onProblem?: OnProblem): Asking<Spot[]> {
  const spots: Spot[] = [];
  for (const { name, kind } of yield* entriesOf(disk, folder, onProblem)) {
    const isLog = kind === 'file' && !name.startsWith('.') && ENDINGS.some((ending) => name.endsWith(ending));
    if (isLog || kind === 'directory') spots.push({ at: path.join(folder, name), flat: isLog });
  }
  return spots;
}

/** Null where a folder has no log. Of both encodings it is the one with more records. */
export function* logIn(places: LogPlaces, folder: string, onProblem?: OnProblem): Asking<string | null> {
  const entries = yield* entriesOf(places.stored, folder, onProblem);
  const names = logsAmong(entries.filter(({ kind }) => kind === 'file').map(({ name }) => name));
  const [file, other] = names.map((name) => path.join(folder, name));
  if (file === undefined) return null;
  if (other === undefined) return file;
  const isOther = recordsIn(places.disk, other) > recordsIn(places.disk, file);
  onProblem?.(
    problem('two_encodings', 'The directory holds its session twice, raw and compressed.', { path: isOther ? file : other }),
  );
  return isOther ? other : file;
}

function recordsIn(disk: Disk, file: string): number {
  try {
    return runSync(scanLog(disk, file)).spans.count;
  } catch (error) {
    if (!(error instanceof SessionStoreError)) throw error;
    return 0;
  }
}

function* statOfSpot(places: ProjectPlaces, { at, flat }: Spot, onProblem?: OnProblem): Asking<SessionStat | null> {
  const file = flat ? at : yield* logIn(places, at, onProblem);
  if (file === null) return null;
  if (flat) onProblem?.(problem('flat_session', 'The session lies directly in a project directory.', { path: file }));
  const stat = yield* statSteps(places, file, onProblem);
  if (stat === null) return null;
  if (isHarnessHeader(stat.header)) {
    onProblem?.(problem('unsupported_format', 'It is a log of DeepSeek Harness.', { path: file }));
    return null;
  }
  if (!flat && !(yield* isInPlace(places.stored, places.root, at, stat.header)))
    onProblem?.(problem('misplaced_session', 'The session lies in a directory that its header does not give.', { path: file }));
  return stat;
}

/** Does a header give the directory in which its session lies, under any of its names? */
export function* isInPlace(disk: Disk, root: string, at: string, { id, cwd }: SessionHeader): Asking<boolean> {
  const key = projectKey(cwd);
  if (key === null) return false;
  const folders = segmentsOf(id, sha256).map((segment) => path.join(root, key, segment));
  if (folders.includes(at)) return true;
  // A link, or a disk that does not tell upper from lower case: it is the same directory under another name.
  for (const folder of folders) if (yield* isOne(disk, folder, at)) return true;
  return false;
}

function* isOne(disk: Disk, one: string, other: string): Asking<boolean> {
  try {
    const [a, b] = [yield* statAt(disk, one), yield* statAt(disk, other)];
    return a.dev === b.dev && a.ino === b.ino;
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return false;
  }
}

function statAt(disk: Disk, at: string): Asking<DiskStat> {
  return ask({ now: () => disk.statSync(at), later: () => disk.stat(at) });
}

function tellRepeated(stats: readonly SessionStat[], onProblem: OnProblem): void {
  const seen = new Set<string>();
  for (const { id, path: at } of stats) {
    if (seen.has(id)) onProblem(problem('session_repeated', 'Another session of the root has the same id.', { path: at ?? '' }));
    seen.add(id);
  }
}

function* entriesOf(disk: Disk, folder: string, onProblem?: OnProblem): Asking<DiskEntry[]> {
  try {
    return yield* ask({ now: () => disk.readdirSync(folder), later: () => disk.readdir(folder) });
  } catch (error) {
    tell(error, folder, onProblem);
    return [];
  }
}

/** The directory that a log owns; null for one that lies directly in a project directory. */
export function ownFolder(file: string): string | null {
  return logName(path.basename(file)) === null ? null : path.dirname(file);
}
