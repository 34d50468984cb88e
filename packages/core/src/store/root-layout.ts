import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import { SessionStoreError } from '../errors.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { logsAmong, NO_CWD } from '../shapes/projects.ts';
import { SHAPES, shapesFor } from '../shapes/registry.ts';
import { summariseSlices } from './slices.ts';

/** Names of the layouts and shapes that a root can be said to have. */
export const DIALECTS = ['musepi', 'pi', 'projects', 'dsh'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** The dialect of DeepSeek Harness. */
export const HARNESS = 'dsh';

export const harnessShapes = (): Shapes => shapesFor(HARNESS);

/** How the sessions of a root lie, and who probably wrote them. */
export interface RootLayout {
  /** null: nothing says it. */
  dialect: Dialect | null;
  /** Each session has a directory of its own, in a project directory. */
  projects: boolean;
  /** Where blobs lie: in the agent's folder, with each session, or with the attachments of DeepSeek Harness. */
  blobs: 'agent' | 'session' | 'attachments';
  /** Below a session lie those that it has started. */
  subSessions: boolean;
  hint: Shapes | null;
}

/** The folder in a path below which DeepSeek Harness keeps all that it has. */
const HARNESS_FOLDER = '.dsh';
/** So many folders are looked into before it is decided that there are none of a kind. */
const LOOK_INTO = 32;
/** So many logs are read for it: one of them may be damaged. */
const READ = 4;

export function layoutOf(dialect: Dialect): RootLayout {
  if (dialect === 'projects') return { dialect, projects: true, blobs: 'session', subSessions: true, hint: null };
  const hint = shapesFor(dialect);
  if (dialect === HARNESS) return { dialect, projects: true, blobs: 'attachments', subSessions: false, hint };
  return ofShapes(hint);
}

/** A root of that dialect may not be where DeepSeek Harness keeps its sessions: what is written there it cannot list. */
export async function isRefusedAt(sessionsPath: string, dialect: Dialect, disk: Disk): Promise<boolean> {
  return dialect === 'projects' && (await guessLayout(sessionsPath, 'directory', disk)).dialect === HARNESS;
}

/** Are they those of DeepSeek Harness, which names its logs after their version? */
export function isHarness(shapes: Shapes): boolean {
  return shapes.id === HARNESS;
}

/** By the folders in the path, by what lies in the root's folders, else by their names. */
export async function guessLayout(sessionsPath: string, kind: string, disk: Disk): Promise<RootLayout> {
  const parts = sessionsPath.split(path.sep);
  if (parts.includes(HARNESS_FOLDER) && kind === 'directory') return layoutOf(HARNESS);
  for (const shapes of SHAPES) if (shapes.folders.some((folder) => parts.includes(folder))) return ofShapes(shapes);
  if (kind !== 'directory') return ofShapes(null);
  const folders = (await disk.readdir(sessionsPath)).filter((entry) => entry.kind === 'directory').map((entry) => entry.name);
  const logs = await firstProjectLogs(sessionsPath, folders, disk);
  for (const log of logs) if (await isHarnessLog(log, disk)) return layoutOf(HARNESS);
  if (logs.length > 0) return layoutOf('projects');
  for (const shapes of SHAPES) {
    if (folders.length > 0 && folders.every((name) => shapes.isBucketName(name))) return ofShapes(shapes);
  }
  return ofShapes(null);
}

function ofShapes(hint: Shapes | null): RootLayout {
  return { dialect: hint === null ? null : hint.id, projects: false, blobs: 'agent', subSessions: true, hint };
}

/** Logs of a few session directories in project directories. */
async function firstProjectLogs(root: string, folders: readonly string[], disk: Disk): Promise<string[]> {
  const logs: string[] = [];
  const projects = folders.filter((name) => name === NO_CWD || /^--.+--$/.test(name));
  for (const project of projects.slice(0, LOOK_INTO)) {
    const inside = await namesIn(path.join(root, project), 'directory', disk);
    for (const session of inside.slice(0, LOOK_INTO)) {
      const folder = path.join(root, project, session);
      for (const log of logsAmong(await namesIn(folder, 'file', disk))) logs.push(path.join(folder, log));
      if (logs.length >= READ) return logs;
    }
  }
  return logs;
}

async function namesIn(folder: string, kind: 'file' | 'directory', disk: Disk): Promise<string[]> {
  try {
    const entries = await disk.readdir(folder);
    return entries.filter((entry) => entry.kind === kind).map(({ name }) => name);
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return []; // it is named when the root is scanned
  }
}

async function isHarnessLog(file: string, disk: Disk): Promise<boolean> {
  try {
    const { size, mtimeMs } = await disk.stat(file);
    const found = { path: file, relativePath: '', sizeBytes: size, modifiedMs: mtimeMs, fingerprint: '' };
    const summary = await summariseSlices(disk, { ...found, parentRelativePath: null, problems: [] }, null);
    return isHarness(summary.shapes);
  } catch (error) {
    if (diskCode(error) === null && !(error instanceof SessionStoreError)) throw error;
    return false; // it is named when the root is scanned
  }
}
