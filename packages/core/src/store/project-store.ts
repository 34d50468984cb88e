import * as path from 'node:path';

import type { BlobStore } from '../blobs/blob-store.ts';
import { FileBlobStore } from '../blobs/file-blob-store.ts';
import { ZstdDisk } from '../codec/zstd/zstd-disk.ts';
import type { Disk } from '../disk/disk.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { canonicalPath } from '../paths/canonical.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { logFileName, projectKey, type LogEncoding } from '../shapes/projects.ts';
import { DEFAULT_SHAPES } from '../shapes/registry.ts';
import { deleteSessionFolder } from '../storage/delete-session.ts';
import { PRIVATE_FOLDER, realTarget } from '../storage/names.ts';
import type { SessionStorage } from '../storage/storage.ts';
import { FileSessionStorage } from '../storage/storages.ts';
import type { FileHandle } from './file-handle.ts';
import { moveSession, type SessionMoves } from './file-handle-move.ts';
import { FileSessionStore, type FileLayout, type FilePlace } from './file-store.ts';
import {
  listProjects,
  listProjectsSync,
  logAt,
  ownFolder,
  projectLogsNamed,
  projectLogsOf,
  sessionFolder,
  type ProjectPlaces,
} from './project-sessions.ts';
import type { SessionStat } from './session-store.ts';
import { answerNow } from '../asking.ts';
import { entryForms } from './stored-forms.ts';
import { statOf } from './stored-rewrite.ts';
import { statSteps, type OnProblem } from './stored-sessions.ts';

export interface ProjectStoreOptions {
  /** The folder with the project directories. */
  root: string;
  /** How new sessions are stored; those that are there stay as they are. `zstd` by default. */
  encoding?: LogEncoding;
  /** Whose entries are written. */
  shapes?: Shapes;
  storage?: SessionStorage;
  /** Every write also survives a power failure. */
  durable?: boolean;
  /** Epoch ms. */
  now?: () => number;
}

/** Sessions in project directories: a directory for each, with its log, its blobs and what else belongs to it. */
export class ProjectSessionStore extends FileSessionStore {
  readonly root: string;

  constructor(options: ProjectStoreOptions) {
    const { shapes = DEFAULT_SHAPES, durable = false, now = Date.now } = options;
    const traits = { sync: true, durable, blobs: shapes.writes.compact };
    super({ traits, layout: new ProjectLayout(options, shapes, durable), now });
    this.root = path.resolve(options.root);
  }
}

class ProjectLayout implements FileLayout {
  readonly shapes: Shapes;
  readonly stored: Disk;
  readonly disk: Disk;
  readonly key: string;
  readonly #places: ProjectPlaces;
  readonly #logName: string;
  readonly #durable: boolean;

  constructor({ root, encoding = 'zstd', storage }: ProjectStoreOptions, shapes: Shapes, durable: boolean) {
    const { disk } = storage ?? new FileSessionStorage({ durable });
    this.shapes = shapes;
    this.stored = disk;
    this.disk = new ZstdDisk(disk);
    this.key = path.resolve(root);
    this.#places = { root: this.key, disk: this.disk, stored: disk, shapes };
    this.#logName = logFileName(encoding);
    this.#durable = durable;
  }

  fileFor(header: SessionHeader): string {
    return path.join(sessionFolder(this.#places, header), this.#logName);
  }

  fileAt(named: string): string {
    return logAt(this.#places, named);
  }

  place(file: string): FilePlace {
    const blobs = new SessionBlobs(this.stored, file, this.#durable);
    return { forms: entryForms(this.shapes, blobs), blobs, artifactsOf: ownFolder, relocated: (to) => blobs.follow(to) };
  }

  byName(id: string, onProblem?: OnProblem): string[] {
    return projectLogsNamed(this.#places, id, onProblem);
  }

  byHeader(id: string, onProblem?: OnProblem): string[] {
    return projectLogsOf(this.#places, id, onProblem);
  }

  statOf(file: string): SessionStat | null {
    return answerNow(statSteps(this.#places, file));
  }

  list(onProblem: OnProblem): Promise<SessionStat[]> {
    return listProjects(this.#places, onProblem);
  }

  listSync(cwd?: string): SessionStat[] {
    if (cwd === undefined) return listProjectsSync(this.#places);
    const real = canonicalPath(cwd, this.stored);
    const keys = new Set([projectKey(cwd), projectKey(real)].filter((key) => key !== null));
    const stats = listProjectsSync(this.#places, [...keys]);
    return stats.filter(({ header }) => header.cwd !== undefined && canonicalPath(header.cwd, this.stored) === real);
  }

  /** Whoever makes folders that must last makes their names last, too. */
  makeFolder(file: string): void {
    const folder = path.dirname(file);
    this.stored.mkdirSync(folder, PRIVATE_FOLDER);
    if (!this.#durable) return;
    for (const above of [path.dirname(folder), path.dirname(path.dirname(folder))]) this.stored.syncDirectorySync(above);
  }

  async move(handle: FileHandle, cwd: string): Promise<void> {
    const from = handle.path;
    if (ownFolder(from) === null)
      throw new SessionStoreError('unsupported', 'A session directly in a project directory is not moved.', { path: from });
    const folder = sessionFolder(this.#places, { ...handle.header, cwd });
    const to = path.join(folder, path.basename(from));
    const isThere = realTarget(this.stored, to) === realTarget(this.stored, from);
    await moveSession(handle, cwd, isThere ? from : to, new FolderMoves(this.stored, this.#durable));
  }

  async delete(file: string): Promise<void> {
    deleteSessionFolder(this.stored, file, ownFolder(file));
  }
}

/** Moves the directory of a session, with all that is in it. */
class FolderMoves implements SessionMoves {
  readonly withLock = true;
  readonly #disk: Disk;
  readonly #durable: boolean;
  #done: { from: string; to: string } | null = null;

  constructor(disk: Disk, durable: boolean) {
    this.#disk = disk;
    this.#durable = durable;
  }

  get moved(): boolean {
    return this.#done !== null;
  }

  session(from: string, to: string): void {
    const [source, target] = [path.dirname(from), path.dirname(to)];
    if (statOf(this.#disk, target) !== null)
      throw new SessionStoreError('session_exists', 'There is a directory of that name already.', { path: target });
    this.#disk.mkdirSync(path.dirname(target), PRIVATE_FOLDER);
    this.#disk.renameSync(source, target);
    this.#done = { from: source, to: target };
    try {
      this.#sync();
    } catch (error) {
      this.undo();
      throw error;
    }
  }

  undo(): void {
    if (this.#done === null) return;
    const { from, to } = this.#done;
    this.#disk.mkdirSync(path.dirname(from), PRIVATE_FOLDER);
    this.#disk.renameSync(to, from);
    this.#done = null;
  }

  /** Both projects, and the root, which may have got a new one. */
  #sync(): void {
    const { from, to } = this.#done!;
    if (!this.#durable) return;
    for (const folder of [path.dirname(to), path.dirname(from), path.dirname(path.dirname(to))])
      this.#disk.syncDirectorySync(folder);
  }
}

/** The blobs of one session, which go where it goes. */
class SessionBlobs implements BlobStore {
  readonly #disk: Disk;
  readonly #durable: boolean;
  #blobs: FileBlobStore;

  constructor(disk: Disk, file: string, durable: boolean) {
    this.#disk = disk;
    this.#durable = durable;
    this.#blobs = this.#beside(file);
  }

  follow(file: string): void {
    this.#blobs = this.#beside(file);
  }

  put(bytes: Uint8Array): string {
    return this.#blobs.put(bytes);
  }

  get(hash: string): Promise<Uint8Array | undefined> {
    return this.#blobs.get(hash);
  }

  getSync(hash: string): Uint8Array | undefined {
    return this.#blobs.getSync(hash);
  }

  has(hash: string): boolean {
    return this.#blobs.has(hash);
  }

  #beside(file: string): FileBlobStore {
    return new FileBlobStore(this.#disk, path.join(path.dirname(file), 'blobs'), { durable: this.#durable });
  }
}
