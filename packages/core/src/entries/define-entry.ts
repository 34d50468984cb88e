import type { ReasonCode } from '../context/types.ts';
import type { CallLog, ToolOutcome, TranscriptItem } from '../transcript/items.ts';
import type { RawRecord } from './entry.ts';
import type { EntryFacts } from './facts.ts';

/**
 * What an entry type is to every view, so that no view lists types.
 * message: talk; summary: stands for talk; setting: changes what is in force; annotation: says something of another
 * entry or of the session; state: an extension's own; opaque: unknown.
 */
export type EntryCategory = 'message' | 'summary' | 'setting' | 'annotation' | 'state' | 'opaque';

/** Where an entry stands when its items are made. */
export interface ItemPlace {
  entryId: string;
  row: number;
  time: number | null;
  /** The result that answers a call on the same path, or null. */
  resultOf(callId: string): ToolOutcome | null;
  /** Is the call that this id answers on the same path? Then the result rides there. */
  callOnPath(callId: string): boolean;
  /** What a log of events says of a call of this entry; null in other sessions. */
  logOf(callId: string): CallLog | null;
}

/** Everything that the rest of the system may ask of an entry type. One file each, one line in `registry.ts`. */
export interface EntryKind {
  readonly type: string;
  readonly category: EntryCategory;
  /** Why it never becomes a message for the model; null when it can. */
  readonly neverSent: ReasonCode | null;
  /** Fills in what the outline keeps. Fields may hold anything. */
  describe(entry: RawRecord, facts: EntryFacts): void;
  /** What a reader sees. */
  items(entry: RawRecord, place: ItemPlace): TranscriptItem[];
}

export function defineEntry(kind: EntryKind): EntryKind {
  return kind;
}

/** The fields that every item of an entry has; `block` numbers the items. */
export function itemBase(place: ItemPlace, block: number): { id: string; entryId: string; row: number; time: number | null } {
  return { id: `${place.entryId}#${String(block)}`, entryId: place.entryId, row: place.row, time: place.time };
}
