import { createHash, randomBytes } from 'node:crypto';
import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';

/** Permissions of what we create: sessions are nobody else's business. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** Longest name that still takes our endings: file systems allow 255 bytes. */
const MAX_NAME_BYTES = 200;

/** 16 hex digits. */
export function unique(): string {
  return randomBytes(8).toString('hex');
}

/** SHA-256 in 64 hex digits. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The path beside `file` with another name. */
export function siblingPath(file: string, name: (base: string) => string): string {
  return path.join(path.dirname(file), name(baseOf(file)));
}

/** The name that ours begin with; of one that is too long to be continued, its beginning and its hash. */
export function baseOf(file: string): string {
  const base = path.basename(file);
  if (Buffer.byteLength(base) <= MAX_NAME_BYTES) return base;
  return `${base.slice(0, 40)}~${sha256(Buffer.from(base)).slice(0, 16)}`;
}

/** What a new content is written to, before it takes the name of `file`. */
export function tempPath(file: string): string {
  return siblingPath(file, (base) => `.${base}.${unique()}.tmp`);
}

/** Where `file` is moved aside by a disk that does not let it be replaced. */
export function backupPath(file: string): string {
  return siblingPath(file, (base) => `${base}.${unique()}.bak`);
}

/**
 * Where a path really leads: links are followed, also at its last step, so that two names of one file are one path. What
 * does not exist keeps its name.
 */
export function realTarget(disk: Disk, file: string): string {
  return (
    realpathIfThere(disk, file) ?? path.join(realpathIfThere(disk, path.dirname(file)) ?? path.dirname(file), path.basename(file))
  );
}

function realpathIfThere(disk: Disk, file: string): string | null {
  try {
    return disk.realpathSync(file);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** There is nothing by that name. */
export function isAbsent(error: unknown): boolean {
  const code = diskCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Removes a file that is in nobody's way. False: it is still there, because of the disk. */
export function removeIfPossible(disk: Disk, file: string): boolean {
  try {
    disk.unlinkSync(file);
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return isAbsent(error);
  }
  return true;
}
