import type { Problem } from '../problems.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import type { SessionStore } from '../store/session-store.ts';

/** How sessions are listed. Looking never writes. */
export interface ListOptions {
  /** Reads whole files: exact counts and all texts. By default their ends only. */
  full?: boolean;
  /** Only sessions whose header names this working directory. */
  cwd?: string;
  /** Asks this store for its sessions; folders are not looked into then. */
  store?: SessionStore;
  /** Who probably wrote the files, where they do not say it themselves. */
  dialect?: Shapes['id'];
  /** After each file. */
  onProgress?: (done: number, total: number) => void;
  /** Told of what could not be read, and of files that are no sessions. */
  onProblem?: (problem: Problem) => void;
  signal?: AbortSignal;
}
