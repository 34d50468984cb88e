import { modelContext } from '../../src/context/view.ts';
import { interruptedTurnClosers } from '../../src/context/interrupted.ts';
import type { SessionEntry } from '../../src/entries/entry.ts';
import { openRoot } from '../../src/store/roots.ts';
import { firstDifference } from '../compare.ts';
import { essenceOfEntry, essenceOfEvent, type HarnessEvent } from './essence.ts';

/** What the harness reads back of a log that it wrote. */
export interface Reading {
  events: HarnessEvent[];
  /** Numbers of the events that the model sees. */
  surface: number[];
  /** What it would add to a turn that nobody ended. */
  closers: HarnessEvent[];
}

const CHUNK = 'assistant/chunk';
const PARTIAL = 'assistant/partial';

/** Reads a log with ours: every event, what the model sees, what an unended turn lacks. Null where nothing differs. */
export async function compareReading(root: string, path: string, theirs: Reading): Promise<string | null> {
  const opened = await openRoot({ path: root, dialect: 'dsh' });
  const file = (await opened.scan()).sessions.find((session) => session.path === path);
  if (file === undefined) return 'ours does not list it';
  const reader = opened.openReader(file);
  try {
    await reader.ready;
    const { outline, shapes } = reader;
    const [found] = reader.problems;
    if (found !== undefined) return `ours has a problem with it: ${found.code}`;
    const entries = await reader.load(Array.from({ length: outline.rowCount }, (_, row) => row));
    const surface = modelContext(outline, outline.leafRow, shapes)
      .emissions.filter(({ kind }) => kind !== 'systemCheckpoint')
      .map(({ row }) => Number(outline.id(row)));
    return (
      compareEvents(entries, theirs.events) ??
      firstDifference(surface, theirs.surface, 'surface') ??
      firstDifference(closersOf(entries, outline.id(outline.leafRow)), theirs.closers.flatMap(closer), 'closers')
    );
  } finally {
    reader.close();
  }
}

/** Pieces of answers are no entries of their own; those of an answer that broke off are one. */
function compareEvents(entries: readonly SessionEntry[], events: readonly HarnessEvent[]): string | null {
  const whole = entries.filter((entry) => (entry as { event?: unknown }).event !== PARTIAL);
  const wanted = events.filter(({ type }) => type !== CHUNK);
  const difference = firstDifference(whole.map(essenceOfEntry), wanted.map(essenceOfEvent), 'events');
  if (difference !== null) return difference;
  for (const entry of entries) {
    if (whole.includes(entry)) continue;
    const { content } = entry as unknown as { content: { text?: string; thinking?: string }[] };
    const ours = content.map(({ text, thinking }) => text ?? thinking ?? '').join('');
    const other = firstDifference(ours, textFrom(events, Number(entry.id)), `pieces from ${entry.id}`);
    if (other !== null) return other;
  }
  return null;
}

/** The text of the pieces that follow one another from an event on. */
function textFrom(events: readonly HarnessEvent[], seq: number): string {
  let text = '';
  for (let i = seq; events[i]?.type === CHUNK; i++) {
    const { chunk } = events[i]!.data as { chunk: { text?: string } };
    text += chunk.text ?? '';
  }
  return text;
}

function closersOf(entries: readonly SessionEntry[], leaf: string): unknown[] {
  return interruptedTurnClosers(entries, leaf).map((message) => {
    const { toolCallId, details } = message as unknown as { toolCallId: string; details?: { error?: { code?: string } } };
    return [toolCallId, details?.error?.code];
  });
}

/** Results only: that a step and a turn end is no message. */
function closer({ type, data }: HarnessEvent): unknown[] {
  if (type !== 'tool/result') return [];
  const { message, error } = data as { message: { source: { callId: string } }; error: { code: string } };
  return [[message.source.callId, error.code]];
}
