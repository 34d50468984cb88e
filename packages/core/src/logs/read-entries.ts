import {
  CURRENT_SESSION_VERSION,
  type FileEntry,
  type RawRecord,
  type SessionEntry,
  type SessionHeader,
} from '../entries/entry.ts';
import type { Outline } from '../outline/outline.ts';
import type { Problem } from '../problems.ts';
import { foldTitle, isHeader, titleSlot } from './header.ts';
import { followRepeatedIds, recordId, upgradeEntry } from './migrate.ts';
import { parseJsonlLenient } from './parse.ts';
import { SessionDecoder } from './session-decoder.ts';
import { decodeUtf8, type DecodeUtf8 } from './utf8.ts';

export interface SessionContent {
  /** As stored, with the title line folded in; null when the file has none. */
  header: SessionHeader | null;
  /** In file order, in the current version's form. */
  entries: SessionEntry[];
  problems: Problem[];
}

/** Collects bodies beside the outline; push all chunks, then ask once. */
export class SessionContentDecoder {
  readonly #bodies: RawRecord[] = [];
  readonly #decoder: SessionDecoder;
  #changed = new Uint8Array(0);

  constructor(decode: DecodeUtf8 = decodeUtf8) {
    this.#decoder = new SessionDecoder({ decode, onEntry: (value) => this.#bodies.push(value), later: true });
  }

  /** The same entries as rows. */
  get outline(): Outline {
    return this.#decoder.outline;
  }

  /** What is known of the file besides the bodies. */
  get decoder(): SessionDecoder {
    return this.#decoder;
  }

  push(chunk: Uint8Array): void {
    this.#decoder.push(chunk);
  }

  /** After `finish`: is the row's entry another than the stored one, in an older version's form, say? */
  isChanged(row: number): boolean {
    return this.#changed[row] === 1;
  }

  finish(): SessionContent {
    this.#decoder.settle();
    const { outline, version, header, problems } = this.#decoder;
    const idOfRecord = (n: number): string | null => (n > 0 && outline.rowOf(recordId(n)) >= 0 ? recordId(n) : null);
    const repeated = outline.hasRepeats;
    const meant = (reference: string): string => {
      const row = outline.resolve(reference);
      return row < 0 ? reference : outline.id(row);
    };
    this.#changed = new Uint8Array(this.#bodies.length);
    // Where each has an id of its own, the parent is the one that is stated.
    const isCurrent = version >= CURRENT_SESSION_VERSION && !repeated;
    const entries = this.#bodies.map((body, row) => {
      if (isCurrent && !outline.isRenamed(row)) return body as unknown as SessionEntry;
      const parent = outline.parent(row);
      const stated = typeof body['parentId'] === 'string' ? body['parentId'] : null;
      const upgraded = upgradeEntry(body, {
        version,
        id: outline.isRenamed(row) ? outline.id(row) : (body['id'] as string),
        parentId: parent >= 0 ? outline.id(parent) : stated,
        idOfRecord,
      });
      const entry = repeated ? followRepeatedIds(upgraded, meant) : upgraded;
      if (entry !== body) this.#changed[row] = 1;
      return entry as unknown as SessionEntry;
    });
    return { header, entries, problems };
  }
}

/**
 * Records of a session file: the header with the title line folded in, then the entries as they are stored.
 * Empty without a valid header at the beginning; lines that cannot be read are left out.
 */
export function parseSessionEntries(text: string): FileEntry[] {
  const { records } = parseJsonlLenient(text);
  return fileEntries(records.map((record) => record.value as RawRecord));
}

/** See `parseSessionEntries`. */
export function fileEntries(records: readonly RawRecord[]): FileEntry[] {
  const slot = records[0] === undefined ? null : titleSlot(records[0]);
  const rest = slot === null ? records : records.slice(1);
  const header = rest[0];
  if (header === undefined || !isHeader(header)) return [];
  const entries = rest.slice(1).filter((record) => record['type'] !== 'session' && typeof record['type'] === 'string');
  return [foldTitle(header as SessionHeader, slot), ...(entries as unknown as FileEntry[])];
}
