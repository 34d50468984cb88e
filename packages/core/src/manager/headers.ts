import { CURRENT_SESSION_VERSION, type SessionHeader } from '../entries/entry.ts';
import { SessionStoreError } from '../errors.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { isSessionId, newSessionId } from './ids.ts';

export interface HeaderFields {
  /** Chosen by the caller; a new one by default. */
  id?: string | undefined;
  cwd: string;
  parentSession?: string | undefined;
  [field: string]: unknown;
}

/** The header of a new session. @param now epoch ms  @throws `invalid_argument` for an id that could not be part of a file name */
export function newHeader({ id, cwd, parentSession, ...fields }: HeaderFields, now: number): SessionHeader {
  if (id !== undefined && !isSessionId(id)) {
    throw new SessionStoreError('invalid_argument', 'A session id has letters, digits and inner dots, dashes and underscores.', {
      id,
    });
  }
  const header: SessionHeader = {
    type: 'session',
    version: CURRENT_SESSION_VERSION,
    id: id ?? newSessionId(now),
    timestamp: new Date(now).toISOString(),
    cwd,
  };
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) header[field] = value;
  if (parentSession !== undefined) header.parentSession = parentSession;
  return header;
}

/**
 * The header of a copy of a session in some working directory.
 * @param path where the source lies, null in memory
 */
export function forkedHeader(
  source: SessionHeader,
  path: string | null,
  cwd: string,
  shapes: Shapes,
  now: number,
): SessionHeader {
  const taken: Record<string, unknown> = { ...shapes.writes.forkHeader(source) };
  const directories = taken['additionalDirectories'];
  if (Array.isArray(directories)) {
    const others = directories.filter((directory) => directory !== cwd);
    taken['additionalDirectories'] = others.length === 0 ? undefined : others;
  }
  const parentSession = shapes.writes.forkParent === 'path' ? (path ?? undefined) : source.id;
  return newHeader({ ...taken, cwd, parentSession }, now);
}

/** The file name of a session: its time without characters that some file systems refuse, then its id. */
export function sessionFileName(header: SessionHeader): string {
  return `${(header.timestamp ?? '').replace(/[:.]/g, '-')}_${header.id}.jsonl`;
}
