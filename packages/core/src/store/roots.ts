import { hash } from 'node:crypto';
import * as path from 'node:path';

import type { BlobChecker, BlobState } from '../blobs/check.ts';
import { FileBlobs } from '../blobs/file-blobs.ts';
import { codecFor } from '../codec/registry.ts';
import { diskCode, type Disk } from '../disk/disk.ts';
import { NodeDisk } from '../disk/node-disk.ts';
import { SessionStoreError } from '../errors.ts';
import { isPaused, listPaused } from '../paths/pause.ts';
import type { Problem } from '../problems.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { DEFAULT_SHAPES, SHAPES, shapesFor } from '../shapes/registry.ts';
import type { DecodeThread } from './decode-thread.ts';
import { FileReader } from './file-reader.ts';
import type { SessionReader } from './reader.ts';
import { scanSessions, type FoundSession } from './scan.ts';
import { summariseSlices, type SliceSummary } from './slices.ts';

export interface RootSpec {
  /** An agent folder, a sessions folder, a flat folder of session files, or one file. */
  path: string;
  dialect?: Dialect;
  /** Where the agents' host notes which sessions are paused: see `readPause`. Absolute; not known by default. */
  journal?: string;
}

/** Names of the layouts and shapes that a root can be said to have. */
export const DIALECTS = ['musepi', 'pi', 'projects', 'dsh'] as const;
export type Dialect = (typeof DIALECTS)[number];

export interface SessionFile extends FoundSession {
  /** Opaque: `<rootId>~<16 hex>` */
  key: string;
  rootId: string;
}

interface RootPlace {
  path: string;
  sessionsPath: string;
  agentPath: string | null;
  hint: Shapes | null;
  journal: string | null;
}

/** One place with sessions. Looking at it never writes. */
export class SessionRoot implements BlobChecker {
  readonly id: string;
  readonly dialect: string;
  /** Real path of what was named. */
  readonly path: string;
  /** Where the session files lie. */
  readonly sessionsPath: string;
  /** Who probably wrote them; null when nothing says it. */
  readonly hint: Shapes | null;
  readonly #disk: Disk;
  readonly #blobs: FileBlobs | null;
  readonly #journal: string | null;

  constructor(disk: Disk, place: RootPlace) {
    this.#disk = disk;
    this.path = place.path;
    this.sessionsPath = place.sessionsPath;
    this.hint = place.hint;
    this.dialect = (place.hint ?? DEFAULT_SHAPES).id;
    this.id = `${this.dialect}-${sha256(place.path).slice(0, 8)}`;
    this.#blobs = place.agentPath === null ? null : new FileBlobs(disk, path.join(place.agentPath, 'blobs'));
    this.#journal = place.journal;
  }

  /** Finds the session files; opens none. Directories that cannot be read are problems. */
  async scan(signal?: AbortSignal): Promise<{ sessions: SessionFile[]; problems: Problem[] }> {
    const { sessions, problems } = await scanSessions(this.#disk, this.sessionsPath, signal);
    return { sessions: sessions.map((found) => ({ ...found, key: this.keyOf(found.relativePath), rootId: this.id })), problems };
  }

  /** The key of the session at a path inside the root. */
  keyOf(relativePath: string): string {
    return `${this.id}~${sha256(relativePath.split(path.sep).join('/')).slice(0, 16)}`;
  }

  openReader(file: SessionFile, options: { signal?: AbortSignal; thread?: DecodeThread } = {}): SessionReader {
    return new FileReader({
      disk: this.#disk,
      path: file.path,
      codec: codecFor(file.path)!,
      ...(this.hint === null ? {} : { hint: this.hint }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      // The thread reads the real disk itself.
      ...(options.thread === undefined || !(this.#disk instanceof NodeDisk) ? {} : { thread: options.thread }),
    });
  }

  /** Reads the ends of a session file, or all of a small one. */
  summarise(file: SessionFile): Promise<SliceSummary> {
    return summariseSlices(this.#disk, file, this.hint);
  }

  /** Ids of the sessions that their host has paused; none where no journal is known. @throws `storage_io` */
  async pausedSessions(): Promise<ReadonlySet<string>> {
    return this.#journal === null ? new Set() : listPaused(this.#journal, this.#disk);
  }

  /** Has the host paused the session with this id? @throws `storage_io` */
  async isPaused(sessionId: string): Promise<boolean> {
    return this.#journal !== null && isPaused(this.#journal, sessionId, this.#disk);
  }

  /** Bytes of a blob, checked against its hash; undefined when this root has none. Throws `blob_corrupt`. */
  async blob(hash: string): Promise<Uint8Array | undefined> {
    return this.#blobs?.get(hash);
  }

  /** Is the blob in this root and whole? */
  async blobState(hash: string): Promise<BlobState> {
    return this.#blobs === null ? 'missing' : this.#blobs.blobState(hash);
  }
}

/** Opens a root. Throws `invalid_root` with a sentence for the person who named it. */
export async function openRoot(spec: RootSpec, disk: Disk = new NodeDisk()): Promise<SessionRoot> {
  const real = await realPath(spec.path, disk);
  const { kind } = await disk.stat(real);
  if (kind !== 'file' && kind !== 'directory') throw invalid(spec.path, 'is neither a folder nor a file');
  if (spec.dialect === 'projects' || spec.dialect === 'dsh')
    throw invalid(spec.path, `cannot be read as ${spec.dialect} by this version`);
  if (kind === 'file' && codecFor(real) === null) throw invalid(spec.path, 'is not a .jsonl file');
  const inner = kind === 'directory' ? path.join(real, 'sessions') : null;
  const isAgentFolder = inner !== null && (await isDirectory(inner, disk));
  const sessionsPath = isAgentFolder ? await disk.realpath(inner) : real;
  const agentPath = isAgentFolder ? real : agentFolderAbove(kind === 'file' ? path.dirname(real) : real);
  const hint = spec.dialect === undefined ? await guessShapes(sessionsPath, kind, disk) : shapesFor(spec.dialect);
  return new SessionRoot(disk, { path: real, sessionsPath, agentPath, hint, journal: spec.journal ?? null });
}

async function realPath(given: string, disk: Disk): Promise<string> {
  try {
    return await disk.realpath(given);
  } catch (error) {
    const code = diskCode(error);
    if (code === null) throw error;
    throw invalid(given, code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`);
  }
}

function invalid(given: string, why: string): SessionStoreError {
  return new SessionStoreError('invalid_root', `The root ${given} ${why}.`, { path: given });
}

async function isDirectory(at: string, disk: Disk): Promise<boolean> {
  try {
    return (await disk.stat(at)).kind === 'directory';
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return false;
  }
}

/** The agent folder that a sessions folder, a bucket or a file in it belongs to. */
function agentFolderAbove(at: string): string | null {
  const parts = at.split(path.sep);
  const index = parts.lastIndexOf('sessions');
  return index > 0 && index >= parts.length - 2 ? parts.slice(0, index).join(path.sep) : null;
}

/** By the folders in the path, else by the names of the buckets. */
async function guessShapes(sessionsPath: string, kind: string, disk: Disk): Promise<Shapes | null> {
  const parts = sessionsPath.split(path.sep);
  for (const shapes of SHAPES) if (shapes.folders.some((folder) => parts.includes(folder))) return shapes;
  if (kind === 'file') return null;
  const buckets = (await disk.readdir(sessionsPath)).filter((entry) => entry.kind === 'directory').map((entry) => entry.name);
  for (const shapes of SHAPES) {
    if (buckets.length > 0 && buckets.every((name) => shapes.isBucketName(name))) return shapes;
  }
  return null;
}

function sha256(text: string): string {
  return hash('sha256', text);
}
