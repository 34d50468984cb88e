import { createHash } from 'node:crypto';
import * as path from 'node:path';

import type { BlobStore } from '../blobs/blob-store.ts';
import { diskCode, type Disk } from '../disk/disk.ts';
import { NodeDisk } from '../disk/node-disk.ts';
import { SessionStoreError } from '../errors.ts';
import { inParallel } from '../parallel.ts';
import { problem, type Problem } from '../problems.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { logName, logsAmong, segmentsOf } from '../shapes/projects.ts';
import { DshHandle } from './dsh-handle.ts';
import { eventCount } from './event-count.ts';
import { AttachmentStore } from './root-blobs.ts';
import { HARNESS, harnessShapes } from './root-layout.ts';
import { openRoot, type SessionFile, type SessionRoot } from './roots.ts';
import type { AccessMode, SessionRef, SessionStat, SessionStore } from './session-store.ts';
import type { SliceSummary } from './slices.ts';

export interface DshStoreOptions {
  /** The folder with the project directories; it need not be there. */
  root: string;
  /** Where attachments lie; beside the root by default. */
  attachments?: string;
  disk?: Disk;
}

interface Found {
  file: SessionFile;
  summary: SliceSummary;
}

const PARALLEL = 8;

/** The sessions of DeepSeek Harness, for reading. Nothing is ever written, made or locked. */
export class DshSessionStore implements SessionStore {
  readonly traits = { sync: false, durable: false, blobs: false };
  readonly #path: string;
  readonly #disk: Disk;
  readonly #blobs: BlobStore;

  constructor({ root, attachments, disk = new NodeDisk() }: DshStoreOptions) {
    this.#path = path.resolve(root);
    this.#disk = disk;
    this.#blobs = new AttachmentStore(disk, attachments ?? path.join(path.dirname(this.#path), 'attachments'));
  }

  get shapes(): Shapes {
    return harnessShapes();
  }

  create(): never {
    throw readOnly();
  }

  /** @throws also `unsupported` for writing */
  async open(ref: SessionRef, mode: AccessMode): Promise<DshHandle> {
    if (mode === 'write') throw readOnly();
    const root = await this.#root();
    const found = root === null ? [] : await this.#find(root, ref);
    const [first, second] = found;
    if (root === null || first === undefined)
      throw new SessionStoreError('session_not_found', 'There is no such session.', { ref });
    if (second !== undefined)
      throw new SessionStoreError('session_ambiguous', 'Several sessions have this id: open one by its path.', { ref });
    return this.#handle(root, first);
  }

  openSync(): never {
    throw new SessionStoreError('unsupported', 'Logs of DeepSeek Harness are not read at once.');
  }

  async stat(id: string): Promise<SessionStat | undefined> {
    const root = await this.#root();
    const [first] = root === null ? [] : await this.#find(root, id);
    return first === undefined ? undefined : this.#statOf(first);
  }

  /** All sessions, newest first. One that is bad is a problem, and costs none of the others. @throws `storage_io` for a root that cannot be read */
  async list(): Promise<{ sessions: SessionStat[]; problems: Problem[] }> {
    const root = await this.#root();
    if (root === null) return { sessions: [], problems: [] };
    const { sessions: files, problems } = await root.scan();
    const sessions: SessionStat[] = [];
    await inParallel(files, PARALLEL, async (file) => {
      try {
        const summary = await root.summarise(file);
        const stat = await this.#statOf({ file, summary });
        problems.push(...(await root.placeProblems(file, summary)));
        if (stat !== undefined) sessions.push(stat);
        else problems.push(problem('header_missing', 'The log does not begin with a session header.', { path: file.path }));
      } catch (error) {
        if (!(error instanceof SessionStoreError)) throw error;
        // What has gone meanwhile was never there.
        if (error.code !== 'session_not_found') problems.push(problem('unreadable', error.message, { path: file.path }));
      }
    });
    problems.push(...repeated(sessions));
    return { sessions: sessions.sort(newestFirst), problems };
  }

  listSync(): never {
    throw new SessionStoreError('unsupported', 'Logs of DeepSeek Harness are not listed at once.');
  }

  /** By the names of the folders; no header is read. */
  locate(id: string): string | undefined {
    for (const project of this.#foldersIn(this.#path)) {
      for (const segment of segmentsOf(id, sha256)) {
        const folder = path.join(project, segment);
        const [log] = logsAmong(this.#namesIn(folder, 'file'));
        if (log !== undefined) return path.join(folder, log);
      }
    }
    return undefined;
  }

  delete(): Promise<void> {
    return Promise.reject(readOnly());
  }

  publish(): never {
    throw readOnly();
  }

  /** Null where there is no such folder: no session was written yet. */
  async #root(): Promise<SessionRoot | null> {
    try {
      if ((await this.#disk.stat(this.#path)).kind !== 'directory')
        throw new SessionStoreError('storage_io', 'The root of the sessions is no folder.', { path: this.#path });
    } catch (error) {
      const code = diskCode(error);
      if (code === 'ENOENT') return null;
      if (code === null) throw error;
      throw new SessionStoreError('storage_io', `The root cannot be read (${code}).`, { path: this.#path }, error);
    }
    return openRoot({ path: this.#path, dialect: HARNESS }, this.#disk);
  }

  /** By the names of the folders first, then by all headers. */
  async #find(root: SessionRoot, ref: SessionRef): Promise<Found[]> {
    const { sessions } = await root.scan();
    if (typeof ref !== 'string') {
      const named = path.resolve(ref.path);
      // The scan has real paths.
      const at = named.startsWith(this.#path + path.sep) ? root.sessionsPath + named.slice(this.#path.length) : named;
      const file = sessions.find((one) => one.path === at || path.dirname(one.path) === at);
      return file === undefined ? [] : [{ file, summary: await root.summarise(file) }];
    }
    const segments = segmentsOf(ref, sha256);
    const isNamed = (file: SessionFile): boolean => segments.includes(path.basename(file.relativePath));
    const named = await this.#withId(root, sessions.filter(isNamed), ref);
    return named.length > 0 ? named : this.#withId(root, sessions, ref);
  }

  async #withId(root: SessionRoot, files: readonly SessionFile[], id: string): Promise<Found[]> {
    const found: Found[] = [];
    await inParallel(files, PARALLEL, async (file) => {
      try {
        const summary = await root.summarise(file);
        if (summary.id === id) found.push({ file, summary });
      } catch (error) {
        // One that cannot be read has no id; the list names it.
        if (!(error instanceof SessionStoreError)) throw error;
      }
    });
    return found;
  }

  async #handle(root: SessionRoot, { file, summary }: Found): Promise<DshHandle> {
    const reader = root.openReader(file);
    try {
      await reader.ready;
    } catch (error) {
      reader.close();
      throw error;
    }
    if (reader.header === null) {
      reader.close();
      throw new SessionStoreError('session_invalid', 'The log does not begin with a session header.', { path: file.path });
    }
    const isOwned = logName(path.basename(file.path)) !== null;
    return new DshHandle(reader, reader.header, {
      disk: this.#disk,
      path: file.path,
      folder: isOwned ? path.dirname(file.path) : null,
      blobs: this.#blobs,
      problems: await root.placeProblems(file, summary),
    });
  }

  async #statOf({ file, summary }: Found): Promise<SessionStat | undefined> {
    const { header, lastMessage } = summary;
    if (header === null) return undefined;
    const count = await eventCount(this.#disk, file.path);
    return {
      id: header.id,
      header,
      revision: file.fingerprint,
      ...(count === undefined ? {} : { eventCount: count }),
      sizeBytes: file.sizeBytes,
      modified: lastMessage ?? file.modifiedMs,
      path: file.path,
    };
  }

  #foldersIn(folder: string): string[] {
    return this.#namesIn(folder, 'directory').map((name) => path.join(folder, name));
  }

  #namesIn(folder: string, kind: 'file' | 'directory'): string[] {
    try {
      const entries = this.#disk.readdirSync(folder);
      return entries.filter((entry) => entry.kind === kind).map(({ name }) => name);
    } catch (error) {
      if (diskCode(error) === null) throw error;
      return [];
    }
  }
}

function repeated(stats: readonly SessionStat[]): Problem[] {
  const times = new Map<string, number>();
  for (const { id } of stats) times.set(id, (times.get(id) ?? 0) + 1);
  return stats
    .filter(({ id }) => times.get(id)! > 1)
    .map(({ path: at }) => problem('session_repeated', 'Another session of the root has the same id.', { path: at ?? '' }));
}

function newestFirst(a: SessionStat, b: SessionStat): number {
  return b.modified - a.modified || ((a.path ?? '') < (b.path ?? '') ? -1 : 1);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function readOnly(): SessionStoreError {
  return new SessionStoreError('unsupported', 'Logs of DeepSeek Harness are not written.');
}
