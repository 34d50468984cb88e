import * as path from 'node:path';

import type { BlobStore } from '../blobs/blob-store.ts';
import { FileBlobStore } from '../blobs/file-blob-store.ts';
import type { Disk } from '../disk/disk.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import { lookBucket, lookBuckets, writeBucket, type BucketOptions } from '../paths/buckets.ts';
import { canonicalPath, machineFacts } from '../paths/canonical.ts';
import type { PathFacts } from '../shapes/buckets.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { DEFAULT_SHAPES } from '../shapes/registry.ts';
import { artifactsFolder } from '../storage/delete-session.ts';
import { PRIVATE_FOLDER } from '../storage/names.ts';
import type { SessionStorage } from '../storage/storage.ts';
import { FileSessionStorage } from '../storage/storages.ts';
import type { FileHandle } from './file-handle.ts';
import { FileMoves, moveSession } from './file-handle-move.ts';
import { FileSessionStore, type FileLayout, type FilePlace } from './file-store.ts';
import type { SessionStat } from './session-store.ts';
import { runAsync, runSync, type Steps } from './steps.ts';
import { entryForms } from './stored-forms.ts';
import {
  filesIn,
  findByHeader,
  findByName,
  newestFirst,
  sessionFiles,
  statOfFile,
  type OnProblem,
  type SessionPlaces,
} from './stored-sessions.ts';

export interface BucketStoreOptions {
  /** The agent's folder: with sessions in `sessions`, a folder for each working directory, and blobs in `blobs`. */
  agentDir: string;
  /** All sessions lie in this folder instead, whatever their working directory. */
  folder?: string;
  /** Whose files are written. */
  shapes?: Shapes;
  storage?: SessionStorage;
  /** Instead of the agent folder's. */
  blobs?: BlobStore;
  facts?: PathFacts;
  /** Every write also survives a power failure. */
  durable?: boolean;
  /** Epoch ms. */
  now?: () => number;
}

/** So many files are looked at before others get their turn. */
const AT_ONCE = 32;

/** Sessions as files of the MusePi and Pi families. */
export class BucketSessionStore extends FileSessionStore {
  constructor(options: BucketStoreOptions) {
    const { shapes = DEFAULT_SHAPES, durable = false, now = Date.now } = options;
    const traits = { sync: true, durable, blobs: shapes.writes.compact };
    super({ traits, layout: new BucketLayout(options, shapes, durable, now), now });
  }
}

class BucketLayout implements FileLayout {
  readonly shapes: Shapes;
  readonly stored: Disk;
  readonly disk: Disk;
  readonly key: string;
  readonly #storage: SessionStorage;
  readonly #places: SessionPlaces;
  readonly #facts: PathFacts;
  readonly #place: FilePlace;
  readonly #now: () => number;

  constructor(options: BucketStoreOptions, shapes: Shapes, durable: boolean, now: () => number) {
    const { agentDir, folder, facts = machineFacts() } = options;
    this.#storage = options.storage ?? new FileSessionStorage({ durable });
    const { disk } = this.#storage;
    const blobs = options.blobs ?? new FileBlobStore(disk, path.join(agentDir, 'blobs'), { durable });
    this.shapes = shapes;
    this.stored = disk;
    this.disk = disk;
    this.key = path.resolve(agentDir);
    this.#facts = facts;
    this.#places = { disk, folder: path.resolve(folder ?? path.join(agentDir, 'sessions')), flat: folder !== undefined };
    this.#place = { forms: entryForms(shapes, blobs), blobs, artifactsOf: artifactsFolder, relocated: () => undefined };
    this.#now = now;
  }

  fileFor(header: SessionHeader): string {
    return path.join(this.#bucketOf(header), fileName(header, this.#now()));
  }

  fileAt(named: string): string {
    // Its bytes would be taken for something that is no session.
    if (named.endsWith('.zstd'))
      throw new SessionStoreError('unsupported', 'Compressed sessions lie in project directories.', { path: named });
    return named;
  }

  place(): FilePlace {
    return this.#place;
  }

  byName(id: string, onProblem?: OnProblem): string[] {
    return findByName(this.#places, id, onProblem);
  }

  byHeader(id: string, onProblem?: OnProblem): string[] {
    return findByHeader(this.#places, id, onProblem);
  }

  statOf(file: string): SessionStat | null {
    return statOfFile(this.disk, file, this.shapes);
  }

  list(onProblem: OnProblem): Promise<SessionStat[]> {
    return runAsync(this.#stats(sessionFiles(this.#places, onProblem), onProblem));
  }

  listSync(cwd?: string): SessionStat[] {
    if (cwd === undefined) return runSync(this.#stats(sessionFiles(this.#places)));
    const real = canonicalPath(cwd, this.disk);
    const stats = runSync(this.#stats(this.#filesOf(cwd)));
    return stats.filter(({ header }) => header.cwd === undefined || canonicalPath(header.cwd, this.disk) === real);
  }

  async delete(file: string): Promise<void> {
    await this.#storage.deleteSessionWithArtifacts(file);
  }

  async move(handle: FileHandle, cwd: string): Promise<void> {
    const name = path.basename(handle.path);
    const folder = this.#places.flat ? path.dirname(handle.path) : this.#writeBucket(cwd, !handle.stored);
    await moveSession(handle, cwd, path.join(folder, name), new FileMoves(this.disk));
  }

  #bucketOf({ cwd }: SessionHeader): string {
    const { folder, flat } = this.#places;
    return flat ? folder : lookBucket(folder, cwd ?? '', this.#bucketOptions);
  }

  #filesOf(cwd: string): Generator<string> {
    const { disk, folder, flat } = this.#places;
    if (flat) return sessionFiles(this.#places);
    return inAll(lookBuckets(folder, cwd, this.#bucketOptions), (bucket) => filesIn(disk, bucket));
  }

  /** Where the folder is the one for its working directory, older ones are merged into it. */
  makeFolder(file: string, header: SessionHeader): void {
    const folder = path.dirname(file);
    if (!this.#places.flat && folder === this.#bucketOf(header)) this.#writeBucket(header.cwd ?? '', false);
    this.disk.mkdirSync(folder, PRIVATE_FOLDER);
  }

  #writeBucket(cwd: string, lookOnly: boolean): string {
    return (lookOnly ? lookBucket : writeBucket)(this.#places.folder, cwd, this.#bucketOptions);
  }

  get #bucketOptions(): BucketOptions {
    return { disk: this.disk, shapes: this.shapes, facts: this.#facts };
  }

  *#stats(files: Iterable<string>, onProblem?: OnProblem): Steps<SessionStat[]> {
    const stats: SessionStat[] = [];
    let looked = 0;
    for (const file of files) {
      const stat = statOfFile(this.disk, file, this.shapes, onProblem);
      if (stat !== null) stats.push(stat);
      if (++looked % AT_ONCE === 0) yield;
    }
    return newestFirst(stats);
  }
}

function* inAll(folders: readonly string[], files: (folder: string) => Iterable<string>): Generator<string> {
  for (const folder of folders) yield* files(folder);
}

/** A name that all file systems take, in the order of time. @throws `invalid_argument` for an id that could not be part of it */
function fileName({ timestamp, id }: SessionHeader, nowMs: number): string {
  if (!/^[^\s/\\:*?"<>|.\u0000-\u001f]([^/\\:*?"<>|\u0000-\u001f]{0,199})$/.test(id))
    throw new SessionStoreError('invalid_argument', 'The id cannot be part of a file name.', { id });
  const time = Date.parse(timestamp ?? '');
  return `${new Date(Number.isNaN(time) ? nowMs : time).toISOString().replace(/[:.]/g, '-')}_${id}.jsonl`;
}
