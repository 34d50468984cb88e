import { readSpanSync, writeAllSync, type DiskFile } from '../disk/disk.ts';
import type { FileEntry, SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { titleSlot } from '../logs/header.ts';
import { see, type Seen } from '../storage/seen.ts';
import { look, reload } from './foreign-look.ts';
import type { Guard, LogRecord } from './session-store.ts';
import type { Steps } from './steps.ts';
import type { BodySource, StoredBody } from './stored-body.ts';
import type { StoredHead } from './stored-head.ts';
import { checkEntries, headerLine, headerOf } from './stored-lines.ts';
import { pieces } from './stored-log.ts';
import type { RawSource } from './stored-record.ts';
import { Rewrite } from './stored-rewrite.ts';
import { isRoomy, sameButTitle, sameHeader, SLOT_BYTES, slotLine } from './stored-slot.ts';
import { conflict, type FileState } from './stored-state.ts';

const LF = 10;

/** Replaces all records of the file. See `SessionHandle.replace`. */
export function* replaceRecords(state: FileState, source: RawSource, records: readonly LogRecord[], guard: Guard): Steps<void> {
  look(state, source, true);
  state.checkWritable();
  if (guard.revision !== state.revision) throw conflict(state.path);
  const header = headerOf(records, state.header.id);
  checkEntries(records, 1);
  const work = new Rewrite(state, source);
  try {
    const { spans } = state.log!;
    const from: BodySource | null = work.old && { file: work.old, spans, numberOf: state.numbers() };
    const head = writeHead(state, work.body, header, work.old);
    const count = spans.count;
    yield* work.body.records(records, 1, from, state.ground.forms.prepare);
    work.settle();
    if (from !== null) work.body.numbered(from, count, spans.count);
    const entries = records.slice(1).map(({ value }) => value);
    for (const value of work.appended) entries.push(value);
    adoptWritten(state, work, head, header, work.commit(), entries);
  } catch (error) {
    throw afterFailure(state, source, error);
  } finally {
    work.end();
  }
}

/** Gives the file another header. See `SessionHandle.updateHeader`. */
export function* replaceHeader(state: FileState, source: RawSource, header: SessionHeader): Steps<void> {
  look(state, source, true);
  state.checkWritable();
  if (state.mustReplace) throw conflict(state.path);
  headerOf([{ value: header }], state.header.id);
  if (sameHeader(header, state.header)) return;
  const { slot } = state.head;
  if (slot !== null && isRoomy(slot.span) && sameButTitle(header, state.header)) writeSlot(state, header);
  else yield* replaceBeginning(state, source, header);
}

/** Writes a new beginning and copies all that follows it. */
function* replaceBeginning(state: FileState, source: RawSource, header: SessionHeader): Steps<void> {
  const work = new Rewrite(state, source);
  try {
    const old = work.old!;
    const { file } = state;
    const head = writeHead(state, work.body, header, null);
    const start = lineEnd(old, state.head.span.offset + state.head.span.length, file.size);
    const moved = work.body.size - start;
    let copied = start;
    const take = (bytes: Uint8Array): void => {
      work.body.bytes(bytes);
      copied += bytes.length;
    };
    yield* pieces(old, copied, file.size, take);
    work.settle();
    for (const step = pieces(old, copied, file.size, take); step.next().done !== true;);
    const seen = work.commit();
    const log = state.log!;
    log.spans.shift(moved, head.span);
    const tornAt = log.tornAt === null ? null : log.tornAt + moved;
    const { tornByOthers } = state;
    state.adopt({ ...log, head, header, tornAt, seen });
    state.epoch++;
    state.tornByOthers = tornByOthers;
    state.trusted = true;
  } catch (error) {
    throw afterFailure(state, source, error);
  } finally {
    work.end();
  }
}

/** Where the line after `at` begins. */
function lineEnd(file: DiskFile, at: number, size: number): number {
  for (let from = at; from < size;) {
    const bytes = readSpanSync(file, from, Math.min(4096, size - from));
    const found = bytes.indexOf(LF);
    if (found >= 0) return from + found + 1;
    if (bytes.length === 0) break;
    from += bytes.length;
  }
  return size;
}

/** Title line, where there was one, and header. What stays the same is copied. */
function writeHead(state: FileState, body: StoredBody, header: SessionHeader, old: DiskFile | null): StoredHead {
  const { slot, span } = state.head;
  const isSame = old !== null && state.head.header.version === header.version && sameHeader(header, state.header);
  let slotValue: StoredHead['slot'] = null;
  if (slot !== null) {
    const line = isSame ? readSpanSync(old, slot.span.offset, slot.span.length) : slotLine(header, state.ground.now());
    const text = line.at(-1) === LF ? line.subarray(0, -1) : line;
    body.bytes(text);
    body.bytes(new Uint8Array([LF]));
    slotValue = { value: slotOf(text) ?? slot.value, span: { offset: 0, length: text.length } };
  }
  const offset = body.size;
  // With a title line before it, the header's own title may be an old one.
  body.line(isSame ? readSpanSync(old, span.offset, span.length) : headerLine(header), !isSame || slot === null);
  return { header, slot: slotValue, span: { offset, length: body.size - offset - 1 } };
}

function slotOf(line: Uint8Array): ReturnType<typeof titleSlot> {
  return titleSlot(JSON.parse(new TextDecoder().decode(line)) as Record<string, unknown>);
}

function adoptWritten(
  state: FileState,
  { body }: Rewrite,
  head: StoredHead,
  header: SessionHeader,
  seen: Seen,
  entries: FileEntry[],
): void {
  const { problems } = state.log!;
  state.adopt({ head, header, spans: body.spans, problems, differs: false, tornAt: null, seen }, entries);
  state.trusted = true;
}

/** Writes the title over the old one. */
function writeSlot(state: FileState, header: SessionHeader): void {
  const { ground, path, file: known } = state;
  const line = slotLine(header, ground.now());
  const file = ground.disk.openSync(path, 'readwrite');
  try {
    const { ino, dev, size } = file.statSync();
    if (ino !== known.seen?.ino || dev !== known.seen.dev || size !== known.size) throw conflict(path);
    const before = readSpanSync(file, 0, SLOT_BYTES);
    try {
      writeAllSync(file, line, 0, path);
      if (ground.durable) file.syncSync();
    } catch (error) {
      writeAllSync(file, before, 0, path);
      throw error;
    }
    const value = slotOf(line.subarray(0, -1)) ?? state.head.slot!.value;
    state.head = { ...state.head, header, slot: { value, span: state.head.slot!.span } };
    state.log = { ...state.log!, head: state.head, header };
    state.expect(see(file, known.size));
  } finally {
    file.closeSync();
  }
}

/** Where records turned out not to lie where they were, the file is read anew first. */
function afterFailure(state: FileState, source: RawSource, error: unknown): unknown {
  if (error instanceof SessionStoreError && error.data['moved'] === true) reload(state, source);
  // The new content may have been put in place before the disk refused something: nothing is to be appended to the old one.
  state.lookedAt = Number.NEGATIVE_INFINITY;
  return error;
}
