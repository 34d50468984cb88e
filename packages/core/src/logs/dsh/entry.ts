import { compaction } from '../../entries/compaction.ts';
import type { RawRecord } from '../../entries/entry.ts';
import { event as eventEntry } from '../../entries/event.ts';
import { message } from '../../entries/message.ts';
import { asEpoch, asRecord, isRecord, parsedJson } from '../../entries/read.ts';
import { toolResult } from '../../entries/roles/tool-result.ts';
import { fieldsOf, PARTIAL_ANSWER } from './events.ts';
import { mendLineFeeds } from '../held-lines.ts';
import { AnswerPieces, chunkRow, type ChunkRow } from './stream.ts';

/** What an event does not tell of its entry. */
export interface EntryContext {
  id: string;
  parentId: string | null;
  /** Of a compaction: the first kept entry. */
  kept: string | null;
  /** Of a tool's result: the tool's name, which the call has. */
  tool: string | null;
}

/** The entry of an event. Nothing of the event changes. */
export function harnessEntry(event: RawRecord, { id, parentId, kept, tool }: EntryContext): RawRecord {
  const entry = fieldsOf(event);
  entry['id'] = id;
  entry['parentId'] = parentId;
  entry['timestamp'] = timeText(event['time']);
  if (entry['type'] === compaction.type) entry['firstKeptEntryId'] = kept;
  if (tool === null || entry['type'] !== message.type) return entry;
  const inner = asRecord(entry['message']);
  if (inner['role'] === toolResult.role) inner['toolName'] = tool;
  return entry;
}

/** The entry of an answer that broke off: what its rows hold, joined. null where that is nothing. */
export function partialEntry(
  rows: readonly RawRecord[],
  { turn, step, time }: Pick<ChunkRow, 'turn' | 'step' | 'time'>,
  { id, parentId }: Pick<EntryContext, 'id' | 'parentId'>,
): RawRecord | null {
  const pieces = new AnswerPieces();
  for (const row of rows) pieces.add(row);
  const content = pieces.content();
  if (content.length === 0) return null;
  return {
    type: eventEntry.type,
    event: PARTIAL_ANSWER,
    data: { turn, step },
    content,
    ...(turn === null ? {} : { turn }),
    ...(step === null ? {} : { step }),
    id,
    parentId,
    timestamp: timeText(time),
  };
}

/** The entry of stored bytes: of one event, or of the rows of an answer that broke off. null: they are not what they were. */
export function harnessBody(text: string, context: EntryContext): RawRecord | null {
  const end = text.indexOf('\n');
  const first = parsedJson(end < 0 ? text : text.slice(0, end));
  const open = isRecord(first) ? chunkRow(first) : null;
  // What is no row of pieces is one record, even where raw line feeds break it.
  if (open === null || open === 'bad') return oneBody(text, context);
  const rows = text
    .split('\n')
    .map(parsedJson)
    .filter((value): value is RawRecord => isRecord(value) && isPieceOf(chunkRow(value), open));
  return partialEntry(rows, open, context);
}

function oneBody(text: string, context: EntryContext): RawRecord | null {
  const value = parsedJson(text) ?? parsedJson(mendLineFeeds(text));
  return isRecord(value) ? harnessEntry(value, context) : null;
}

function isPieceOf(row: ReturnType<typeof chunkRow>, { turn, step }: ChunkRow): boolean {
  return row !== null && row !== 'bad' && row.turn === turn && row.step === step;
}

/** ISO 8601; empty for what is no time. */
function timeText(time: unknown): string {
  const ms = asEpoch(time);
  return ms === null ? '' : new Date(ms).toISOString();
}
