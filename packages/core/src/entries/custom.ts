import { defineEntry } from './define-entry.ts';
import type { RawRecord } from './entry.ts';
import { setFlag } from './facts.ts';
import { asString, isRecord } from './read.ts';
import { noticeItem } from './setting-item.ts';

/** An extension's own state. Never sent to a model. */
export const custom = defineEntry({
  type: 'custom',
  category: 'state',
  neverSent: 'extension_state',
  describe(entry, facts) {
    facts.name = asString(entry['customType']);
    facts.title = facts.name ?? '';
    const notes = contextNotes(entry);
    if (notes === null) return;
    facts.chars = notes.length;
    setFlag(facts, 'contextNotes');
  },
  items: (entry, place) => [noticeItem(place, 'state', asString(entry['customType']))],
});

/** The customType under which an agent of the oh-my-pi family keeps its notebook. */
export const CONTEXT_NOTES = 'experimental_context_notes';

const MAX_NOTES_BYTES = 16_384;

/** The text of the agent's notebook, empty where it was cleared; null when the entry is not a notebook that is sent. */
export function contextNotes(entry: RawRecord): string | null {
  const { customType, data } = entry;
  if (customType !== CONTEXT_NOTES || !isRecord(data) || Object.keys(data).length !== 2) return null;
  const { version, text } = data;
  if (version !== 1 || typeof text !== 'string') return null;
  return text.length * 3 <= MAX_NOTES_BYTES || utf8Bytes(text) <= MAX_NOTES_BYTES ? text : null;
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
