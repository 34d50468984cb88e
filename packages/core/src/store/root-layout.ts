import * as path from 'node:path';

import { diskCode, type Disk } from '../disk/disk.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { logsAmong, NO_CWD } from '../shapes/projects.ts';
import { SHAPES, shapesFor } from '../shapes/registry.ts';
import { summariseSlices } from './slices.ts';

/** Names of the layouts and shapes that a root can be said to have. */
export const DIALECTS = ['musepi', 'pi', 'projects', 'dsh'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** How the sessions of a root lie, and who probably wrote them. */
export interface RootLayout {
  /** null: nothing says it. */
  dialect: Dialect | null;
  /** Each session has a directory of its own, in a project directory. */
  projects: boolean;
  hint: Shapes | null;
}

/** The folder in a path below which DeepSeek Harness keeps all that it has. */
const HARNESS_FOLDER = '.dsh';
/** So many folders are looked into before it is decided that there are none of a kind. */
const LOOK_INTO = 32;

export function layoutOf(dialect: Dialect): RootLayout {
  const hint = dialect === 'projects' ? null : shapesFor(dialect);
  return { dialect, projects: dialect === 'projects' || dialect === 'dsh', hint };
}

/** By the folders in the path, by what lies in the root's folders, else by their names. */
export async function guessLayout(sessionsPath: string, kind: string, disk: Disk): Promise<RootLayout> {
  const parts = sessionsPath.split(path.sep);
  if (parts.includes(HARNESS_FOLDER) && kind === 'directory') return layoutOf('dsh');
  for (const shapes of SHAPES) if (shapes.folders.some((folder) => parts.includes(folder))) return ofShapes(shapes);
  if (kind !== 'directory') return ofShapes(null);
  const folders = (await disk.readdir(sessionsPath)).filter((entry) => entry.kind === 'directory').map((entry) => entry.name);
  const log = await firstProjectLog(sessionsPath, folders, disk);
  if (log !== null) return layoutOf((await isHarnessLog(log, disk)) ? 'dsh' : 'projects');
  for (const shapes of SHAPES) {
    if (folders.length > 0 && folders.every((name) => shapes.isBucketName(name))) return ofShapes(shapes);
  }
  return ofShapes(null);
}

/** Are there logs of DeepSeek Harness in a folder? */
export async function isHarnessRoot(sessionsPath: string, disk: Disk): Promise<boolean> {
  return (await guessLayout(sessionsPath, 'directory', disk)).dialect === 'dsh';
}

function ofShapes(hint: Shapes | null): RootLayout {
  return { dialect: hint === null ? null : hint.id, projects: false, hint };
}

/** The log of some session directory in a project directory; null where there is none among the first ones. */
async function firstProjectLog(root: string, folders: readonly string[], disk: Disk): Promise<string | null> {
  const projects = folders.filter((name) => name === NO_CWD || /^--.+--$/.test(name));
  for (const project of projects.slice(0, LOOK_INTO)) {
    const inside = await namesIn(path.join(root, project), 'directory', disk);
    for (const session of inside.slice(0, LOOK_INTO)) {
      const folder = path.join(root, project, session);
      const [log] = logsAmong(await namesIn(folder, 'file', disk));
      if (log !== undefined) return path.join(folder, log);
    }
  }
  return null;
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
  const { size, mtimeMs } = await disk.stat(file);
  const found = { path: file, relativePath: '', sizeBytes: size, modifiedMs: mtimeMs, fingerprint: '' };
  const summary = await summariseSlices(disk, { ...found, parentRelativePath: null, problems: [] }, null);
  return summary.shapes.id === 'dsh';
}
