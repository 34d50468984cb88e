import { readSpanSync } from '../disk/disk.ts';
import type { FileEntry } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { keepBytes } from '../storage/beside.ts';
import { isAbsent } from '../storage/names.ts';
import { see } from '../storage/seen.ts';
import { look, tellTorn } from './foreign-look.ts';
import type { LogRecord } from './session-store.ts';
import { joinLines, lineOf, textOf } from './stored-lines.ts';
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
  const add = adding(state, records);
  for (let attempt = 1; ; attempt++) {
    if (state.mustReplace) throw conflict(state.path);
    state.checkWritable();
    try {
      // Nothing that is not finished stands before what is added.
      if (state.log!.tornAt !== null && !state.tornByOthers) cutTail(state, state.log!.tornAt);
      const isTorn = state.tornByOthers;
      add();
      state.grew();
      if (isTorn) tellTorn(state);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !(isAbsent(error) || isConflict(error))) throw error;
      look(state, source, true);
    }
  }
}

/** Prepares the records once; what comes of it adds them. */
function adding(state: FileState, records: readonly LogRecord[]): () => void {
  const { prepare } = state.ground.forms;
  const text = records.length === 1 ? textOf(records[0]!, prepare) : null;
  if (text !== null) return () => addText(state, records[0]!.value, text);
  const lines = records.map((record) => lineOf(record, prepare));
  return () => addLines(state, records, lines);
}

/** One record goes as a text, which is written without a detour: most appends are of one. */
function addText(state: FileState, value: FileEntry, text: string): void {
  const { file } = state;
  const isApart = file.endsLine;
  const offset = file.size + (isApart ? 0 : 1);
  file.appendText(isApart ? `${text}\n` : `\n${text}\n`);
  settled(state);
  state.added(value, { offset, length: file.size - offset - 1, faithful: true });
}

function addLines(state: FileState, records: readonly LogRecord[], lines: readonly Uint8Array[]): void {
  const { file } = state;
  const bytes = joinLines(lines);
  let at = file.size;
  if (file.endsLine) file.append(bytes);
  else {
    file.append(Buffer.concat([LINE_END, bytes]));
    at++;
  }
  settled(state);
  for (const [i, line] of lines.entries()) {
    state.added(records[i]!.value, { offset: at, length: line.length, faithful: true });
    at += line.length + 1;
  }
}

/** What was appended ends with a line feed. */
function settled(state: FileState): void {
  state.log!.tornAt = null;
  state.tornByOthers = false;
}

/** Keeps an incomplete last line beside the file and cuts it off. */
function cutTail(state: FileState, from: number): void {
  const { ground, path, file: known } = state;
  const file = ground.disk.openSync(path, 'readwrite');
  try {
    const { ino, dev, size } = file.statSync();
    if (ino !== known.seen?.ino || dev !== known.seen.dev || size !== known.size) throw conflict(path);
    keepBytes(ground.stored, path, 'tail', readSpanSync(file, from, size - from), { durable: ground.durable });
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
