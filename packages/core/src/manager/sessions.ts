import * as path from 'node:path';

import type { FileEntry, SessionEntry, SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import type { SessionHandle } from '../store/session-store.ts';
import { writeError } from '../store/stored-file.ts';
import { EntryTree } from './entry-tree.ts';
import type { Ground } from './ground.ts';
import { groundOfSource } from './grounds.ts';
import { forkedHeader, newHeader, type HeaderFields } from './headers.ts';
import type { ForkOptions } from './options.ts';
import { SessionWriter } from './session-writer.ts';

/** A session that is open for writing. A move gives it another writer. */
export interface OpenSession {
  readonly tree: EntryTree;
  writer: SessionWriter;
  cwd: string;
  /** It was read from a store. */
  loaded: boolean;
}

/** A new session. Nothing is written yet. */
export function startSession(ground: Ground, fields: HeaderFields): OpenSession {
  const header = newHeader(fields, ground.now());
  const session = newSession(ground, header, [], fields.cwd);
  ground.remember(session.cwd, session.writer.handle, true);
  return session;
}

/** A new session that begins with entries of another one. Nothing is written yet. @param leafId the last one by default */
export function copySession(
  ground: Ground,
  header: SessionHeader,
  entries: readonly SessionEntry[],
  leafId: string | null | undefined = undefined,
): OpenSession {
  const session = newSession(ground, header, [...entries], header.cwd ?? '');
  if (leafId !== undefined) session.tree.moveLeaf(leafId);
  return session;
}

/**
 * Opens a stored session for writing, or begins one where there is none.
 * @param launchCwd the working directory where the session names none that exists
 */
export function openSession(
  ground: Ground,
  file: string,
  cwdOverride?: string,
  sessionId?: string,
  launchCwd: string = process.cwd(),
): OpenSession {
  try {
    const session =
      openStored(ground, file, cwdOverride, launchCwd) ?? beginAt(ground, file, cwdOverride ?? launchCwd, sessionId);
    ground.remember(session.cwd, session.writer.handle, false);
    return session;
  } catch (error) {
    throw writeError(error, file);
  }
}

/** Opens another session in place of one, or the same one anew. */
export function openOther(ground: Ground, file: string, current: OpenSession): OpenSession {
  const { handle } = current.writer;
  if (handle.path === null || !handle.stored || path.resolve(file) !== handle.path) {
    return openSession(ground, file, undefined, undefined, current.cwd);
  }
  handle.checkSync();
  current.tree.moveLeaf(current.tree.entries.at(-1)?.id ?? null);
  current.loaded = true;
  return current;
}

/** Null where there is no session. */
function openStored(ground: Ground, file: string, cwdOverride: string | undefined, launchCwd: string): OpenSession | null {
  let handle: SessionHandle;
  try {
    handle = ground.open(file, 'write');
  } catch (error) {
    if (error instanceof SessionStoreError && NO_SESSION.has(error.code)) return null;
    throw error;
  }
  try {
    const { header, entries } = contentOf(handle);
    const named = typeof header.cwd === 'string' && header.cwd !== '' && ground.hasFolder(header.cwd) ? header.cwd : launchCwd;
    return sessionOn(ground, handle, header, entries, cwdOverride ?? named);
  } catch (error) {
    ground.letGo(handle);
    throw error;
  }
}

const NO_SESSION: ReadonlySet<string> = new Set(['session_not_found', 'session_invalid']);

/** What is at the path is no session: a file with other content stays as it is until the first write. */
function beginAt(ground: Ground, file: string, cwd: string, id: string | undefined): OpenSession {
  const header = newHeader({ id: id ?? ground.idAt(file), cwd }, ground.now());
  const handle = ground.createAt(file, header);
  const session = sessionOn(ground, handle, header, [], cwd);
  return ground.isBlank(file) ? storedNow(ground, session) : session;
}

/** Stores a new session, also one without an answer. When that fails there is no session. @throws `storage_io` */
export function storedNow(ground: Ground, session: OpenSession): OpenSession {
  try {
    session.writer.materialise();
    return session;
  } catch (error) {
    ground.letGo(session.writer);
    throw error;
  }
}

/** The session to go on with in a working directory. `moveHere`: it is to be moved there, with its project. */
export function continueSession(
  ground: Ground,
  cwd: string,
  sessionId: string | undefined,
): { session: OpenSession; moveHere: boolean } {
  const choice = ground.recent(cwd);
  const session =
    choice.kind === 'new'
      ? startSession(ground, { id: sessionId, cwd })
      : openSession(ground, choice.path, undefined, undefined, cwd);
  return { session, moveHere: choice.kind === 'move' };
}

/** A copy of a session file in another project, stored at once. */
export function forkFile(ground: Ground, sourcePath: string, cwd: string, options: ForkOptions): OpenSession {
  const source = groundOfSource(sourcePath, options);
  const handle = source.open(sourcePath, 'read');
  try {
    const { header, entries } = contentOf(handle);
    const forked = forkedHeader(header, handle.path, cwd, ground.store.shapes, ground.now());
    const copy = storedNow(ground, copySession(ground, forked, entries));
    if (options.copyArtifacts !== false) ground.copyArtifacts(handle, copy.writer.handle);
    return copy;
  } finally {
    source.letGo(handle);
  }
}

/** Records that are read at a time: those of a large session would take much room beside its entries. */
const READ_RECORDS = 16 * 1024;

function contentOf(handle: SessionHandle): { header: SessionHeader; entries: SessionEntry[] } {
  // Whoever only reads reads everything each time.
  const limit = handle.mode === 'write' ? READ_RECORDS : Number.POSITIVE_INFINITY;
  for (;;) {
    const values: FileEntry[] = [];
    const take = (): number => {
      const records = handle.readSync(values.length, limit);
      for (const { value } of records) values.push(value);
      return records.length;
    };
    let taken = take();
    const { revision } = handle;
    while (taken === limit) taken = take();
    // Where somebody has replaced the session in between, these are parts of two.
    if (handle.revision === revision) return { header: values.shift() as SessionHeader, entries: values as SessionEntry[] };
  }
}

/** A session around a handle that was read already, or that has nothing to be read. */
export function sessionOn(
  ground: Ground,
  handle: SessionHandle,
  header: SessionHeader,
  entries: SessionEntry[],
  cwd: string,
): OpenSession {
  const tree = new EntryTree(entries);
  const loaded = handle.stored;
  const session: OpenSession = { tree, cwd, loaded, writer: undefined as never };
  session.writer = new SessionWriter(handle, tree, header, loaded ? entries.length : 0, {
    logger: ground.options.logger,
    onProblem: ground.options.onProblem,
    onStored: () => ground.remember(session.cwd, handle, false),
  });
  return session;
}

function newSession(ground: Ground, header: SessionHeader, entries: SessionEntry[], cwd: string): OpenSession {
  return sessionOn(ground, ground.create(header), header, entries, cwd);
}
