import type { SessionHeader } from '../entries/entry.ts';
import type { Problem } from '../problems.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import type { SessionStorage } from '../storage/storage.ts';
import type { SessionStore } from '../store/session-store.ts';

export interface SessionLogger {
  warn(message: string, data?: Record<string, unknown>): void;
  error(message: string, data?: Record<string, unknown>): void;
}

export interface SessionManagerOptions {
  /** Whose format is written: the id of the shapes. */
  dialect?: Shapes['id'];
  /** Where sessions are kept; by default files in the folder of the dialect's agent. */
  store?: SessionStore;
  /** Files of another disk; for tests. */
  storage?: SessionStorage;
  /** Every write also survives a power failure, and costs accordingly. */
  durable?: boolean;
  sessionId?: string;
  logger?: SessionLogger;
  /** Told of what comes up after opening: that somebody else has written to the session, say. See also `problems`. */
  onProblem?: (problem: Problem) => void;
  /** Epoch ms. */
  now?: () => number;
  /** A new entry id: 8 hex digits by default. Is asked again where the id is taken. */
  newId?: () => string;
}

export interface NewSessionOptions {
  id?: string;
  parentSession?: string;
  title?: string;
  titleSource?: SessionHeader['titleSource'];
}

export interface ForkOptions extends SessionManagerOptions {
  /** The folder of artifacts is copied, too; so it is by default. */
  copyArtifacts?: boolean;
}
