import { readSpanSync } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import { keepBytes } from '../storage/beside.ts';
import { isAbsent } from '../storage/names.ts';
import { see } from '../storage/seen.ts';
import { look } from './foreign-look.ts';
import type { LogRecord } from './session-store.ts';
import { joinLines, lineOf } from './stored-lines.ts';
import type { RawSource } from './stored-record.ts';
import { conflict, type FileState } from './stored-state.ts';

/** The file changes under our hands so often at most. */
const ATTEMPTS = 3;
const LINE_END = new Uint8Array([10]);

/** Adds records at the end: all of them or none. @throws `session_conflict` where the file must be replaced */
export function appendRecords(state: FileState, source: RawSource, records: readonly LogRecord[]): void {
  look(state, source, false);
  if (records.length === 0) return;
  if (state.mustReplace) throw conflict(state.path);
  const lines = records.map((record) => lineOf(record, state.ground.forms.prepare));
  for (let attempt = 1; ; attempt++) {
    if (state.mustReplace) throw conflict(state.path);
    state.checkWritable();
    try {
      addLines(state, records, lines);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !(isAbsent(error) || isConflict(error))) throw error;
      look(state, source, true);
    }
  }
}

function addLines(state: FileState, records: readonly LogRecord[], lines: readonly Uint8Array[]): void {
  const log = state.log!;
  if (log.tornAt !== null && !state.tornByOthers) cutTail(state, log.tornAt);
  const { file } = state;
  const bytes = joinLines(lines);
  let at = file.size;
  if (file.endsLine) file.append(bytes);
  else {
    file.append(Buffer.concat([LINE_END, bytes]));
    at++;
  }
  log.tornAt = null;
  state.tornByOthers = false;
  for (const [i, line] of lines.entries()) {
    state.added(records[i]!.value, { offset: at, length: line.length, faithful: true });
    at += line.length + 1;
  }
  state.changed();
}

/** Keeps an incomplete last line beside the file and cuts it off. */
function cutTail(state: FileState, from: number): void {
  const { ground, path, file: known } = state;
  const file = ground.disk.openSync(path, 'readwrite');
  try {
    const { ino, dev, size } = file.statSync();
    if (ino !== known.seen?.ino || dev !== known.seen.dev || size !== known.size) throw conflict(path);
    keepBytes(ground.disk, path, 'tail', readSpanSync(file, from, size - from), { durable: ground.durable });
    file.truncateSync(from);
    if (ground.durable) file.syncSync();
    state.log!.tornAt = null;
    state.epoch++;
    state.expect(see(file));
  } finally {
    file.closeSync();
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof SessionStoreError && error.code === 'session_conflict';
}
