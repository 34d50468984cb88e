import { CURRENT_SESSION_VERSION, type FileEntry, type RawRecord, type SessionHeader } from '../entries/entry.ts';
import { isRecord } from '../entries/read.ts';
import { headerVersion, isHeader } from './header.ts';

/** The id that a v1 entry gets: its record number (the header is 0) as 8 hex digits, the same at every reading. */
export function recordId(recordNumber: number): string {
  return recordNumber.toString(16).padStart(8, '0');
}

export interface UpgradePlace {
  /** Of the file. */
  version: number;
  id: string;
  parentId: string | null;
  /** The id of record n of the file, or null when there is no such entry. For `firstKeptEntryIndex`. */
  idOfRecord(n: number): string | null;
}

/** A record as version 3 has it: a new object where anything differs, else the same one. */
export function upgradeEntry(value: RawRecord, place: UpgradePlace): RawRecord {
  let entry = value;
  const stated = place.version < 2 || typeof value['parentId'] === 'string';
  if (value['id'] !== place.id || (stated && value['parentId'] !== place.parentId)) {
    entry = { ...value, id: place.id, parentId: place.parentId };
  }
  if (place.version < 2 && entry['type'] === 'compaction' && typeof entry['firstKeptEntryIndex'] === 'number') {
    const { firstKeptEntryIndex, ...rest } = entry;
    const kept = place.idOfRecord(firstKeptEntryIndex as number);
    entry = kept === null ? rest : { ...rest, firstKeptEntryId: kept };
  }
  if (
    place.version < 3 &&
    entry['type'] === 'message' &&
    isRecord(entry['message']) &&
    entry['message']['role'] === 'hookMessage'
  ) {
    entry = { ...entry, message: { ...entry['message'], role: 'custom' } };
  }
  return entry;
}

const REFERENCES = ['firstKeptEntryId', 'targetId', 'providerReplayThroughEntryId'];

/**
 * An entry whose references name the entries that they mean, where a repeated id has become several.
 * @param meant the id in use for a reference.
 */
export function followRepeatedIds(value: RawRecord, meant: (reference: string) => string): RawRecord {
  let entry = value;
  for (const field of REFERENCES) {
    const reference = value[field];
    if (typeof reference === 'string' && meant(reference) !== reference) entry = { ...entry, [field]: meant(reference) };
  }
  return entry;
}

/**
 * Brings the records of a file (header and entries, title line folded in already) to the current version.
 * Pure: a new array with new objects where something changed. Versions we do not know are left alone.
 */
export function migrateSessionEntries(records: FileEntry[]): { entries: FileEntry[]; migrated: boolean } {
  const header = records.find((record): record is SessionHeader => isHeader(record as unknown as RawRecord));
  const version = header === undefined ? 1 : headerVersion(header);
  if (version >= CURRENT_SESSION_VERSION) return { entries: [...records], migrated: false };
  const idOfRecord = (n: number): string | null => {
    const target = Number.isInteger(n) && n >= 0 ? records[n] : undefined;
    return target === undefined || target.type === 'session' ? null : recordId(n);
  };
  let parentId: string | null = null;
  const entries = records.map((record, number): FileEntry => {
    if (record.type === 'session') return { ...record, version: CURRENT_SESSION_VERSION } as SessionHeader;
    const raw = record as unknown as RawRecord;
    const place =
      version < 2
        ? { version, id: recordId(number), parentId, idOfRecord }
        : { version, id: raw['id'] as string, parentId: (raw['parentId'] ?? null) as string | null, idOfRecord };
    const entry = upgradeEntry(raw, place);
    parentId = entry['id'] as string;
    return entry as unknown as FileEntry;
  });
  return { entries, migrated: true };
}
