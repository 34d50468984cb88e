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
import { logName } from '../shapes/projects.ts';
import { DEFAULT_SHAPES } from '../shapes/registry.ts';
import { LogChooser } from './choose-log.ts';
import type { DecodeThread } from './decode-thread.ts';
import { FileReader } from './file-reader.ts';
import { placeProblems } from './place-problems.ts';
import type { SessionReader } from './reader.ts';
import { attachments, NO_BLOBS, SessionFolderBlobs, type RootBlobs } from './root-blobs.ts';
import { guessLayout, isHarness, isRefusedAt, layoutOf, type Dialect, type RootLayout } from './root-layout.ts';
import { scanProjects, type FoundLog } from './scan-projects.ts';
import { scanSessions, type FoundSession } from './scan.ts';
import { summariseSlices, type SliceSummary } from './slices.ts';

export interface RootSpec {
  /** An agent folder, a sessions folder, a flat folder of session files, or one file. */
  path: string;
  dialect?: Dialect;
  /** Where the agents' host notes which sessions are paused: see `readPause`. Absolute; not known by default. */
  journal?: string;
}

export interface SessionFile extends FoundSession {
  /** Opaque: `<rootId>~<16 hex>` */
  key: string;
  rootId: string;
}

interface RootPlace {
  path: string;
  sessionsPath: string;
  layout: RootLayout;
  blobs: RootBlobs;
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
  readonly #layout: RootLayout;
  readonly #blobs: RootBlobs;
  readonly #chooser: LogChooser;
  readonly #journal: string | null;

  constructor(disk: Disk, place: RootPlace) {
    this.#disk = disk;
    this.#layout = place.layout;
    this.path = place.path;
    this.sessionsPath = place.sessionsPath;
    this.hint = place.layout.hint;
    this.dialect = place.layout.dialect ?? DEFAULT_SHAPES.id;
    this.id = `${this.dialect}-${sha256(place.path).slice(0, 8)}`;
    this.#blobs = place.blobs;
    this.#chooser = new LogChooser(disk, this.hint);
    this.#journal = place.journal;
  }

  /** Finds the session files, and opens none unless a session lies there twice. Directories that cannot be read are problems. */
  async scan(signal?: AbortSignal): Promise<{ sessions: SessionFile[]; problems: Problem[] }> {
    const { sessions, problems } = await this.#find(signal);
    return { sessions: sessions.map((found) => ({ ...found, key: this.keyOf(found.relativePath), rootId: this.id })), problems };
  }

  async #find(signal: AbortSignal | undefined): Promise<{ sessions: FoundSession[]; problems: Problem[] }> {
    if (!this.#layout.projects) return scanSessions(this.#disk, this.sessionsPath, signal);
    const options = {
      subSessions: this.#layout.subSessions,
      choose: (logs: readonly FoundLog[]) => this.#chooser.choose(logs),
    };
    const found = await scanProjects(this.#disk, this.sessionsPath, options, signal);
    if (this.#blobs instanceof SessionFolderBlobs) this.#blobs.know(found.blobFolders);
    return found;
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

  /** What is wrong with where a session lies, by what was found and by its header. */
  async placeProblems(file: SessionFile, summary: SliceSummary): Promise<Problem[]> {
    if (!this.#layout.projects) return [...file.problems];
    const isVersioned = isHarness(summary.shapes);
    return [...file.problems, ...(await placeProblems(this.#disk, this.sessionsPath, file.path, summary.header, isVersioned))];
  }

  /** Each session has a directory, and an id that no other session of the root may have. */
  get idsAreUnique(): boolean {
    return this.#layout.projects;
  }

  /** Ids of the sessions that their host has paused; none where no journal is known. @throws `storage_io` */
  async pausedSessions(): Promise<ReadonlySet<string>> {
    return this.#journal === null ? new Set() : listPaused(this.#journal, this.#disk);
  }

  /** Has the host paused the session with this id? @throws `storage_io` */
  async isPaused(sessionId: string): Promise<boolean> {
    return this.#journal !== null && isPaused(this.#journal, sessionId, this.#disk);
  }

  /**
   * Bytes of a blob, checked against its hash; undefined when this root has none. Throws `blob_corrupt`.
   *
   * @param file the session that refers to it, where that is known
   */
  async blob(hash: string, file?: SessionFile): Promise<Uint8Array | undefined> {
    return this.#blobs.get(hash, file?.path);
  }

  /** Is the blob in this root and whole? Where each session has its own: is it that session's? */
  async blobState(hash: string, file?: SessionFile): Promise<BlobState> {
    return this.#blobs.blobState(hash, file?.path);
  }
}

/** Opens a root. Throws `invalid_root` with a sentence for the person who named it. */
export async function openRoot(spec: RootSpec, disk: Disk = new NodeDisk()): Promise<SessionRoot> {
  const real = await realPath(spec.path, disk);
  const { kind } = await disk.stat(real);
  if (kind !== 'file' && kind !== 'directory') throw invalid(spec.path, 'is neither a folder nor a file');
  if (kind === 'file' && codecFor(real) === null) throw invalid(spec.path, 'is not a session file');
  const inner = kind === 'directory' ? path.join(real, 'sessions') : null;
  const isAgentFolder = inner !== null && (await isDirectory(inner, disk));
  const sessionsPath = isAgentFolder ? await disk.realpath(inner) : real;
  const named = spec.dialect === undefined ? await guessLayout(sessionsPath, kind, disk) : layoutOf(spec.dialect);
  const layout = { ...named, projects: named.projects && kind === 'directory' };
  if (spec.dialect !== undefined && kind === 'directory' && (await isRefusedAt(sessionsPath, spec.dialect, disk)))
    throw invalid(spec.path, 'belongs to DeepSeek Harness, and is read as dsh only');
  const above = isAgentFolder ? real : agentFolderAbove(kind === 'file' ? path.dirname(real) : real);
  const blobs = blobsOf(disk, layout, sessionsPath, above);
  return new SessionRoot(disk, { path: real, sessionsPath, layout, blobs, journal: spec.journal ?? null });
}

function blobsOf(disk: Disk, { blobs, projects }: RootLayout, sessionsPath: string, above: string | null): RootBlobs {
  const isOneLog = logName(path.basename(sessionsPath)) !== null;
  if (blobs !== 'attachments' && isOneLog) return new FileBlobs(disk, path.join(path.dirname(sessionsPath), 'blobs'));
  if (blobs === 'session' && projects) return new SessionFolderBlobs(disk, sessionsPath);
  if (above === null) return NO_BLOBS;
  return blobs === 'attachments' ? attachments(disk, above) : new FileBlobs(disk, path.join(above, 'blobs'));
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

function sha256(text: string): string {
  return hash('sha256', text);
}
