import { createHash } from 'node:crypto';
import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import type { FolderNames, LegacyBucket, PathFacts } from '../shapes/buckets.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { moveBeside } from '../storage/beside.ts';
import { isAbsent, PRIVATE_FOLDER } from '../storage/names.ts';
import { canonicalFacts, canonicalPath } from './canonical.ts';
import { moveBucket } from './move-bucket.ts';

/** Told what could not be done, and why; nothing is lost by it. */
export type PathWarning = (message: string, data: { path: string; errno?: string }) => void;

export interface BucketOptions {
  disk: Disk;
  /** Whose names the buckets have. */
  shapes: Shapes;
  /** As they are named: see `machineFacts`. */
  facts: PathFacts;
  warn?: PathWarning;
}

/** The folder for the sessions of a working directory. Nothing is written: it need not exist. */
export function lookBucket(sessionsDir: string, cwd: string, options: BucketOptions): string {
  return path.join(sessionsDir, namesOf(cwd, options).today);
}

/** All folders in which sessions of a working directory may lie: today's, then those of earlier versions. Nothing is written. */
export function lookBuckets(sessionsDir: string, cwd: string, options: BucketOptions): string[] {
  const { today, legacy } = namesOf(cwd, options);
  return [today, ...legacy.map(({ name }) => name)].map((name) => path.join(sessionsDir, name));
}

/**
 * The folder for the sessions of a working directory, for writing: what lies in folders of earlier versions is moved into
 * it, and it is made. Once in a process the other buckets of the home folder get their names of today, too. Sessions that
 * name another working directory, and those that somebody has open, stay; no file is replaced. What the disk refuses is
 * told to `warn`: the first write finds out whether there is a folder.
 */
export function writeBucket(sessionsDir: string, cwd: string, options: BucketOptions): string {
  const { disk, warn } = options;
  const { today, legacy } = namesOf(cwd, options);
  const bucket = path.join(sessionsDir, today);
  const displace = (): void => {
    if (kindOf(disk, bucket) === 'file') moveBeside(disk, bucket, 'damaged');
  };
  attempt(bucket, warn, displace, NO_FOLDER);
  renameHomeBuckets(sessionsDir, options);
  for (const { name, exact } of legacy) {
    const from = path.join(sessionsDir, name);
    const belongs = exact ? null : belongsTo(today, options);
    attempt(from, warn, () => {
      if (kindOf(disk, from) === 'directory') moveBucket({ disk, from, to: bucket, belongs, needsProof: false });
    });
  }
  attempt(bucket, warn, () => disk.mkdirSync(bucket, PRIVATE_FOLDER), NO_FOLDER);
  return bucket;
}

/** Sessions folders whose buckets were looked through in this process. */
const renamed = new WeakMap<Disk, Set<string>>();

function renameHomeBuckets(sessionsDir: string, options: BucketOptions): void {
  const { disk, shapes, facts, warn } = options;
  const legacy = shapes.writes.legacyBuckets;
  const done = renamed.get(disk) ?? new Set();
  if (legacy === null || done.has(sessionsDir)) return;
  renamed.set(disk, done.add(sessionsDir));
  attempt(sessionsDir, warn, () => {
    const homes = [path.resolve(facts.home), canonicalPath(facts.home, disk)];
    for (const { name, kind } of entriesOf(disk, sessionsDir)) {
      const today = kind === 'directory' ? legacy.today(name, homes) : null;
      if (today === null) continue;
      const from = path.join(sessionsDir, name);
      const to = path.join(sessionsDir, today);
      const belongs = belongsTo(today, options);
      attempt(from, warn, () => moveBucket({ disk, from, to, belongs, needsProof: true }));
    }
  });
}

/** Does a session with this working directory belong into the bucket of that name? Nobody knows where a relative one is. */
function belongsTo(bucket: string, { disk, shapes, facts }: BucketOptions): (cwd: string) => boolean {
  const real = canonicalFacts(facts, disk);
  return (cwd) => path.isAbsolute(cwd) && shapes.writes.bucketName(canonicalPath(cwd, disk), real) === bucket;
}

function namesOf(cwd: string, { disk, shapes, facts }: BucketOptions): { today: string; legacy: LegacyBucket[] } {
  const folder: FolderNames = { resolved: path.resolve(cwd), canonical: canonicalPath(cwd, disk) };
  const real = canonicalFacts(facts, disk);
  const { bucketName, legacyBuckets } = shapes.writes;
  return { today: bucketName(folder.canonical, real), legacy: legacyBuckets?.names(folder, real, sha256OfText) ?? [] };
}

function sha256OfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function entriesOf(disk: Disk, folder: string): ReturnType<Disk['readdirSync']> {
  try {
    return disk.readdirSync(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** null: there is nothing. Links are not followed. */
function kindOf(disk: Disk, at: string): string | null {
  try {
    return disk.lstatSync(at).kind;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

const NO_FOLDER = 'The folder for sessions could not be made.';
const NOT_MOVED = 'Sessions of an earlier version could not all be moved to the folder of today.';

/** Does what may fail with the disk. */
function attempt(at: string, warn: PathWarning | undefined, work: () => void, message = NOT_MOVED): void {
  try {
    work();
  } catch (error) {
    const errno = diskCode(error);
    if (errno === null) throw error;
    warn?.(message, { path: at, errno });
  }
}
