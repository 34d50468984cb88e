import type { RawRecord, SessionHeader } from '../entries/entry.ts';
import { asString } from '../entries/read.ts';

/** A session header needs `type: "session"` and a string id; nothing else is asked of it. */
export function isHeader(record: RawRecord): boolean {
  return record['type'] === 'session' && typeof record['id'] === 'string';
}

/** The title line that may stand before the header (musepi): its place is fixed so that a rename can overwrite it. */
export interface TitleSlot {
  title: string;
  source: string | null;
  updatedAt: string | null;
}

/** Reads a title line; null when the record is none. Missing `updatedAt` and `pad` are accepted: we only read. */
export function titleSlot(record: RawRecord): TitleSlot | null {
  if (record['type'] !== 'title' || record['v'] !== 1 || typeof record['title'] !== 'string') return null;
  const { source, updatedAt, pad } = record;
  if (source !== undefined && source !== 'auto' && source !== 'user') return null;
  if (pad !== undefined && typeof pad !== 'string') return null;
  return { title: record['title'], source: asString(source), updatedAt: asString(updatedAt) };
}

/** The header with the slot's title in it: a title replaces, an empty one removes; the same for the source. */
export function foldTitle(header: SessionHeader, slot: TitleSlot | null): SessionHeader {
  if (slot === null) return header;
  const folded: SessionHeader = { ...header };
  if (slot.title === '') delete folded.title;
  else folded.title = slot.title;
  if (slot.source === null) delete folded.titleSource;
  else folded.titleSource = slot.source;
  return folded;
}

/** The version that a header states; 1 without a figure. */
export function headerVersion(header: SessionHeader): number {
  return typeof header.version === 'number' ? header.version : 1;
}
