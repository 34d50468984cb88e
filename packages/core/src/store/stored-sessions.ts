import * as path from 'node:path';

import { diskCode, readSpanSync, type Disk, type DiskEntry, type DiskFile, type DiskStat } from '../disk/disk.ts';
import { lastMessageTime } from '../outline/summary.ts';
import { problem, type Problem } from '../problems.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { isAbsent } from '../storage/names.ts';
import { answerNow, ask, type Asking } from '../asking.ts';
import { letGo } from './let-go.ts';
import type { SessionStat } from './session-store.ts';
import { tailOf } from './slice-lines.ts';
import { headSteps, readHead, type HeadResult } from './stored-head.ts';

const ENDING = '.jsonl';
const TAIL_BYTES = 32 * 1024;

/** Told of what could not be read. */
export type OnProblem = (found: Problem) => void;

/** Where sessions lie: in folders of a folder, or in the folder itself. */
export interface SessionPlaces {
  disk: Disk;
  folder: string;
  flat: boolean;
}

/** Paths of all session files. What belongs to a session, in the folder named like it, is none. */
export function* sessionFiles({ disk, folder, flat }: SessionPlaces, onProblem?: OnProblem): Generator<string> {
  const entries = entriesOf(disk, folder, onProblem);
  const files = new Set<string>();
  for (const { name, kind } of entries) if (isSessionName(name) && kind === 'file') files.add(name);
  for (const name of files) yield path.join(folder, name);
  if (flat) return;
  for (const { name, kind } of entries) {
    if ((kind === 'directory' || kind === 'link') && !files.has(name + ENDING))
      yield* filesIn(disk, path.join(folder, name), onProblem);
  }
}

/** Paths of the session files directly in a folder. */
export function* filesIn(disk: Disk, folder: string, onProblem?: OnProblem): Generator<string> {
  for (const { name, kind } of entriesOf(disk, folder, onProblem))
    if (isSessionName(name) && kind === 'file') yield path.join(folder, name);
}

/** Files whose name ends in an id, and whose header has it. */
export function findByName(places: SessionPlaces, id: string, onProblem?: OnProblem): string[] {
  const found: string[] = [];
  for (const file of sessionFiles(places, onProblem)) {
    const name = path.basename(file);
    if ((name.endsWith(`_${id}${ENDING}`) || name === id + ENDING) && idOf(places.disk, file, onProblem) === id) found.push(file);
  }
  return found;
}

/** Files whose header has an id, whatever their name: looks into all of them. */
export function findByHeader(places: SessionPlaces, id: string, onProblem?: OnProblem): string[] {
  const found: string[] = [];
  for (const file of sessionFiles(places, onProblem)) if (idOf(places.disk, file, onProblem) === id) found.push(file);
  return found;
}

/** What the ends of a session file tell; null for a file that is none, which is a problem unless it is empty or gone. */
export function statOfFile(disk: Disk, file: string, shapes: Shapes, onProblem?: OnProblem): SessionStat | null {
  return answerNow(statSteps({ disk, stored: disk, shapes }, file, onProblem));
}

/** How files are looked at. */
export interface Looking {
  /** As sessions are read. */
  disk: Disk;
  /** As the disk has them: their size is that of their bytes there. */
  stored: Disk;
  shapes: Shapes;
}

/** See `statOfFile`. */
export function* statSteps({ disk, stored, shapes }: Looking, file: string, onProblem?: OnProblem): Asking<SessionStat | null> {
  try {
    const stat = yield* ask({ now: () => stored.statSync(file), later: () => stored.stat(file) });
    const open = yield* ask({ now: () => disk.openSync(file, 'read'), later: () => disk.openNoFollow(file) });
    try {
      const result = yield* headSteps(open);
      if (result.kind === 'invalid')
        onProblem?.(problem('header_missing', 'The file does not begin with a session header.', { path: file }));
      if (result.kind !== 'valid') return null;
      const { header } = result.head;
      return {
        id: header.id,
        header,
        revision: revisionOf(stat),
        sizeBytes: stat.size,
        modified: (shapes.modifiedBy === 'message' ? lastMessage(open) : null) ?? stat.mtimeMs,
        path: file,
      };
    } finally {
      letGo(open);
    }
  } catch (error) {
    tell(error, file, onProblem);
    return null;
  }
}

/** Newest first; of the same time the one whose file name is later. */
export function newestFirst(stats: SessionStat[]): SessionStat[] {
  return stats.sort((a, b) => b.modified - a.modified || (path.basename(a.path ?? '') < path.basename(b.path ?? '') ? 1 : -1));
}

export function revisionOf({ ino, size, mtimeNs }: DiskStat): string {
  return `${String(ino)}:${String(size)}:${String(mtimeNs)}`;
}

function endOf(file: DiskFile): Uint8Array {
  const { size } = file.statSync();
  return readSpanSync(file, Math.max(0, size - TAIL_BYTES), Math.min(size, TAIL_BYTES));
}

function lastMessage(file: DiskFile): number | null {
  const bytes = file.lastBytes?.(TAIL_BYTES) ?? endOf(file);
  const rows = tailOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return rows === null ? null : lastMessageTime(rows);
}

/** The id in a file's header; null for what is no session, or cannot be read. */
export function idOf(disk: Disk, file: string, onProblem?: OnProblem): string | null {
  const result = headOrNull(disk, file, onProblem);
  return result?.kind === 'valid' ? result.head.header.id : null;
}

/** Null for what the disk does not let us read. */
function headOrNull(disk: Disk, file: string, onProblem: OnProblem | undefined): HeadResult | null {
  try {
    const open = disk.openSync(file, 'read');
    try {
      return readHead(open);
    } finally {
      letGo(open);
    }
  } catch (error) {
    tell(error, file, onProblem);
    return null;
  }
}

function isSessionName(name: string): boolean {
  return name.endsWith(ENDING) && !name.startsWith('.');
}

function entriesOf(disk: Disk, folder: string, onProblem: OnProblem | undefined): DiskEntry[] {
  try {
    return disk.readdirSync(folder);
  } catch (error) {
    tell(error, folder, onProblem);
    return [];
  }
}

/** What has gone was never there, and what is no folder has no files; the rest is a problem. */
export function tell(error: unknown, at: string, onProblem: OnProblem | undefined): void {
  const code = diskCode(error);
  if (code === null) throw error;
  if (!isAbsent(error)) onProblem?.(problem('unreadable', `It cannot be read (${code}).`, { path: at }));
}
