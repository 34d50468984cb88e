import type { FileEntry, SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { problem } from '../problems.ts';
import { isAbsent } from '../storage/names.ts';
import { changeSince, type FileChange } from '../storage/seen.ts';
import { readGrowth } from './foreign-growth.ts';
import type { ForeignChange, LogRecord } from './session-store.ts';
import { runSync } from './steps.ts';
import { headResult } from './stored-head.ts';
import { loadLog, type LoadedLog } from './stored-log.ts';
import { StoredRecord, type RawSource } from './stored-record.ts';
import type { FileState } from './stored-state.ts';

/** So long a look is good for, ms. */
const FRESH_MS = 20;

/** Looks whether somebody else has changed the file, unless it was looked at a moment ago, and takes over what they did. */
export function look(state: FileState, source: RawSource, force: boolean): void {
  const now = performance.now();
  if (state.log === null || (!force && now - state.lookedAt < FRESH_MS)) return;
  if (state.lost) {
    if (isBack(state)) reload(state, source);
    return;
  }
  const change = changeOf(state);
  state.lookedAt = now;
  if (change === 'none') return;
  if (change === 'gone') lose(state);
  else if (change !== 'grown' || !grow(state, source)) reload(state, source);
}

/** Reads the file anew, as one that somebody else has written, and tells its owner. */
export function reload(state: FileState, source: RawSource): void {
  const { disk, forms } = state.ground;
  let loaded: LoadedLog;
  try {
    loaded = runSync(loadLog(disk, state.path, forms));
  } catch (error) {
    if (!isNoSession(error)) throw error;
    lose(state);
    return;
  }
  if (loaded.log.header.id !== state.header.id) {
    lose(state);
    return;
  }
  state.trusted = false;
  state.adopt(loaded.log, loaded.entries);
  const records = recordsOf(loaded.log.header, loaded.entries, source, 1);
  tell(state, 'replaced', records, 'Another program has rewritten the session file.');
}

/** Records around a header, which is number 0, and entries; by default all of them. */
export function recordsOf(
  header: SessionHeader,
  entries: readonly FileEntry[],
  source: RawSource,
  offset = 0,
  limit = Number.POSITIVE_INFINITY,
): LogRecord[] {
  const end = Math.min(offset + limit, entries.length + 1);
  const records: LogRecord[] = [];
  for (let number = offset; number < end; number++)
    records.push(new StoredRecord(number === 0 ? header : entries[number - 1]!, source));
  return records;
}

function changeOf({ file, ground, path }: FileState): FileChange {
  try {
    return file.changed();
  } catch (error) {
    // What a failed append left could not be cut off, and now the file is gone with it.
    if (isAbsent(error)) return changeSince(ground.disk, path, file.seen!).change;
    throw error;
  }
}

/** There is a session of ours at the path again. */
function isBack({ ground, path, header }: FileState): boolean {
  try {
    const result = headResult(ground.disk, path);
    return result.kind === 'valid' && result.head.header.id === header.id;
  } catch (error) {
    if (isNoSession(error)) return false;
    throw error;
  }
}

/** Takes over what was appended. False: it is not as simple as that. */
function grow(state: FileState, source: RawSource): boolean {
  const { ground, path, file } = state;
  const log = state.log!;
  // Numbers and parents of an old version follow from all that is before; a line that goes on has become another one.
  if (log.differs || (log.tornAt === null && !file.endsLine)) return false;
  const growth = readGrowth(ground.disk, path, log.tornAt ?? file.size, log.spans.count, ground.forms);
  const records = growth.records.map(({ value, ...place }) => {
    state.added(value, place);
    return new StoredRecord(value, source);
  });
  state.trusted = false;
  log.problems = [...log.problems, ...growth.problems];
  log.tornAt = growth.tornAt;
  state.tornByOthers = growth.tornAt !== null;
  state.expect(growth.seen);
  if (records.length > 0) tell(state, 'appended', records, 'Another program has appended to the session file.');
  return true;
}

/** There is no session of ours any more: nothing is to be taken over, but the owner is told. */
function lose(state: FileState): void {
  state.lose();
  tell(state, 'appended', [], 'Another program has removed the session file, or put something else in its place.');
}

/** Half a line of somebody else's stands on its own now, and can be read by nobody. */
export function tellTorn(state: FileState): void {
  tell(state, 'appended', [], 'Another program has left half a line in the session file.');
}

function tell(state: FileState, kind: ForeignChange['kind'], records: LogRecord[], message: string): void {
  state.onForeign?.({ kind, records, problem: problem('changed_while_reading', message, { path: state.path }) });
}

function isNoSession(error: unknown): boolean {
  return error instanceof SessionStoreError && (error.code === 'session_not_found' || error.code === 'session_invalid');
}
