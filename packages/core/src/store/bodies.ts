import type { RawRecord, SessionEntry } from '../entries/entry.ts';
import { isRecord, parsedJson } from '../entries/read.ts';
import { toolResult } from '../entries/roles/tool-result.ts';
import { harnessBody } from '../logs/dsh/entry.ts';
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
  // Most rows lie one after the other; what was made of several lines lies around others.
  const byPlace = [...new Set(rows)].sort((a, b) => source.outline.offset(a) - source.outline.offset(b));
  for (const { rows: group, end } of groups(byPlace, source.outline)) {
    const start = source.outline.offset(group[0]!);
    const bytes = await source.read(start, end - start);
    for (const row of group) {
      const from = source.outline.offset(row) - start;
      bodies.set(row, bodyOf(bytes.subarray(from, from + source.outline.bytes(row)), row, source));
    }
  }
  return rows.map((row) => bodies.get(row)!);
}

interface Group {
  rows: number[];
  /** Where its last byte is. */
  end: number;
}

/** @param rows by their offset */
function groups(rows: readonly number[], outline: Outline): Group[] {
  const all: Group[] = [];
  for (const row of rows) {
    const from = outline.offset(row);
    const end = from + outline.bytes(row);
    const group = all.at(-1);
    if (group !== undefined && from - group.end <= GAP && Math.max(end, group.end) - outline.offset(group.rows[0]!) <= MOST) {
      group.rows.push(row);
      group.end = Math.max(end, group.end);
    } else all.push({ rows: [row], end });
  }
  return all;
}

function bodyOf(bytes: Uint8Array, row: number, { outline, version, isHarness = false }: BodySource): SessionEntry {
  const text = nodeDecodeUtf8(bytes, 0, bytes.length);
  const parent = outline.parent(row);
  if (isHarness) {
    const id = outline.id(row);
    const parentId = parent < 0 ? null : outline.id(parent);
    const tool = outline.role(row) === toolResult.role ? outline.name(row) : '';
    const body = harnessBody(text, { id, parentId, kept: outline.kept(row), tool: tool === '' ? null : tool });
    return (body ?? { type: outline.type(row), id, parentId }) as unknown as SessionEntry;
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
