import { diskCode, type Disk, type DiskFile } from '../disk/disk.ts';
import { CURRENT_SESSION_VERSION, type FileEntry, type RawRecord } from '../entries/entry.ts';
import { asString } from '../entries/read.ts';
import { recordId, upgradeEntry } from '../logs/migrate.ts';
import { RecordDecoder } from '../logs/records.ts';
import type { Problem } from '../problems.ts';
import { see, type Seen } from '../storage/seen.ts';
import { nodeDecodeUtf8 } from './bodies.ts';
import { runSync } from './steps.ts';
import { storeError } from './store-error.ts';
import { isDamage, pieces } from './stored-log.ts';
import type { EntryForms } from './stored-forms.ts';

/** A record that somebody else appended. */
export interface GrownRecord {
  value: FileEntry;
  offset: number;
  length: number;
  /** See `StoredSpans`. */
  faithful: boolean;
}

/** What somebody else appended. */
export interface Growth {
  records: GrownRecord[];
  problems: Problem[];
  /** Where a line begins that they have not finished; null for none. */
  tornAt: number | null;
  /** The file as it is known now. */
  seen: Seen;
}

/** @param from where the first new line begins  @param count records before it; numbers those without an id */
export function readGrowth(disk: Disk, path: string, from: number, count: number, forms: EntryForms): Growth {
  try {
    const file = disk.openSync(path, 'read');
    try {
      return decodeGrowth(file, from, count, forms);
    } finally {
      file.closeSync();
    }
  } catch (error) {
    throw diskCode(error) === null ? error : storeError(error, path);
  }
}

function decodeGrowth(file: DiskFile, from: number, count: number, forms: EntryForms): Growth {
  const seen = see(file);
  const records: (GrownRecord & { line: number })[] = [];
  const problems: Problem[] = [];
  const decoder = new RecordDecoder(
    {
      record({ value, byteOffset: offset, byteLength: length, line }) {
        const { type } = value;
        if (typeof type !== 'string' || type === 'session') return;
        const entry = withId(value, count + records.length);
        const restored = forms.restore(entry).value as unknown as FileEntry;
        records.push({ value: restored, offset, length, faithful: entry === value, line });
      },
      problem: (found) => problems.push(found),
    },
    { decode: nodeDecodeUtf8, start: { offset: from, line: 1 } },
  );
  runSync(pieces(file, from, seen.size, (bytes) => decoder.push(bytes)));
  const tail = decoder.settle();
  const damaged = new Set(problems.filter(isDamage).map(({ line }) => line));
  const { offset } = decoder.committed;
  return {
    records: records.map(({ line, ...record }) => ({ ...record, faithful: record.faithful && !damaged.has(line) })),
    // Lines are counted from the first new one, which is not known by its number.
    problems: problems.map(({ line: _line, ...found }) => found),
    tornAt: tail.some(({ byteOffset = 0 }) => byteOffset >= offset) ? offset : null,
    seen,
  };
}

function withId(value: RawRecord, number: number): RawRecord {
  const id = asString(value['id']) ?? '';
  if (id !== '') return value;
  const parentId = asString(value['parentId']);
  return upgradeEntry(value, { version: CURRENT_SESSION_VERSION, id: recordId(number), parentId, idOfRecord: () => null });
}
