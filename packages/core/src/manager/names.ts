import type { SessionEntry, SessionHeader, SessionInfoEntry } from '../entries/entry.ts';
import { sessionInfo } from '../entries/session-info.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import type { NewEntry } from './new-entries.ts';

export interface Rename {
  entry: NewEntry;
  /** The header with the new name; null where it holds none. */
  header: SessionHeader | null;
}

/** A name on one line. */
export function cleanName(name: string): string {
  return name.replace(/[\r\n]+/g, ' ').trim();
}

/** What a rename writes; null when it is refused: an empty name where there must be one, or a made up one in place of a person's. */
export function renamed(name: string, source: 'auto' | 'user', header: SessionHeader, shapes: Shapes): Rename | null {
  const clean = shapes.writes.cleanName(name);
  if (clean === null) return null;
  if (source === 'auto' && header.titleSource === 'user' && header.title !== undefined) return null;
  const change = shapes.writes.rename(clean, source, header);
  const isInHeader = Object.keys(change.header).length > 0;
  return { entry: change.entry as NewEntry, header: isInHeader ? { ...header, ...change.header } : null };
}

/** The name in force. A `session_info` entry names a session whose dialect has the name in the header only while that has none. */
export function nameOf(header: SessionHeader, entries: readonly SessionEntry[], shapes: Shapes): string | undefined {
  if (shapes.titleEntry === null && typeof header.title === 'string' && header.title !== '') return header.title;
  const last = entries.findLast((entry) => entry.type === sessionInfo.type) as SessionInfoEntry | undefined;
  return typeof last?.name === 'string' ? last.name.trim() || undefined : undefined;
}
