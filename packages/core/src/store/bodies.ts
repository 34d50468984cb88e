import type { RawRecord, SessionEntry } from '../entries/entry.ts';
import { isRecord, parsedJson } from '../entries/read.ts';
import { harnessBody } from '../logs/dsh/log.ts';
import { mendLineFeeds } from '../logs/held-lines.ts';
import { recordId, upgradeEntry } from '../logs/migrate.ts';
import type { DecodeUtf8 } from '../logs/utf8.ts';
import type { Outline } from '../outline/outline.ts';

/** Larger chunks are not kept alive for the sake of speed. */
const CACHED_BYTES = 4 * 1024 * 1024;
/** The last bytes decoded and a Buffer over them: many lines are decoded from one chunk. */
let lastBytes: Uint8Array = new Uint8Array(0);
let lastBuffer: Buffer = Buffer.alloc(0);

/** Node's own decoder, faster than the portable one. */
export const nodeDecodeUtf8: DecodeUtf8 = (bytes, start, end) => {
  if (bytes instanceof Buffer) return bytes.toString('utf8', start, end);
  if (bytes.length > CACHED_BYTES)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', start, end);
  if (bytes !== lastBytes) {
    lastBytes = bytes;
    lastBuffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  return lastBuffer.toString('utf8', start, end);
};

export interface BodySource {
  outline: Outline;
  /** Version of the file. */
  version: number;
  /** The file is a log of events. */
  isHarness?: boolean;
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Spans that lie this close together are read at once. */
const GAP = 64 * 1024;
const MOST = 8 * 1024 * 1024;

/** Bodies of rows in the order asked for, as version 3 has them. Neighbours in the file are read together. */
export async function loadBodies(rows: readonly number[], source: BodySource): Promise<SessionEntry[]> {
  const bodies = new Map<number, SessionEntry>();
  for (const group of groups(
    [...new Set(rows)].sort((a, b) => a - b),
    source.outline,
  )) {
    const start = source.outline.offset(group[0]!);
    const last = group.at(-1)!;
    const bytes = await source.read(start, source.outline.offset(last) + source.outline.bytes(last) - start);
    for (const row of group) {
      const from = source.outline.offset(row) - start;
      bodies.set(row, bodyOf(bytes.subarray(from, from + source.outline.bytes(row)), row, source));
    }
  }
  return rows.map((row) => bodies.get(row)!);
}

function groups(rows: readonly number[], outline: Outline): number[][] {
  const all: number[][] = [];
  let group: number[] = [];
  for (const row of rows) {
    const last = group.at(-1);
    const near =
      last !== undefined &&
      outline.offset(row) - (outline.offset(last) + outline.bytes(last)) <= GAP &&
      outline.offset(row) + outline.bytes(row) - outline.offset(group[0]!) <= MOST;
    if (near) group.push(row);
    else {
      group = [row];
      all.push(group);
    }
  }
  return all;
}

function bodyOf(bytes: Uint8Array, row: number, { outline, version, isHarness = false }: BodySource): SessionEntry {
  const text = nodeDecodeUtf8(bytes, 0, bytes.length);
  const parent = outline.parent(row);
  if (isHarness) {
    const context = { id: outline.id(row), parentId: parent < 0 ? null : outline.id(parent), kept: outline.kept(row) };
    const { id, parentId } = context;
    return (harnessBody(text, context) ?? { type: outline.type(row), id, parentId }) as unknown as SessionEntry;
  }
  const value = parsed(text, outline.type(row));
  const upgraded = upgradeEntry(value, {
    version,
    id: outline.has(row, 'generatedId') ? outline.id(row) : (value['id'] as string),
    parentId: parent < 0 ? null : outline.id(parent),
    idOfRecord: (n) => (n > 0 && outline.rowOf(recordId(n)) >= 0 ? recordId(n) : null),
  });
  return upgraded as unknown as SessionEntry;
}

/** The file may have been overwritten in place since it was decoded: then the entry is shown empty, not as an error. */
function parsed(text: string, type: string): RawRecord {
  return parseRecord(text) ?? parseRecord(mendLineFeeds(text)) ?? { type };
}

function parseRecord(text: string): RawRecord | null {
  const value = parsedJson(text);
  return isRecord(value) ? value : null;
}
