import type { SystemItem, TranscriptItem } from '../../transcript/items.ts';
import { contentText } from '../content.ts';
import { itemBase, type ItemPlace } from '../define-entry.ts';
import type { RawRecord } from '../entry.ts';
import type { EntryFacts } from '../facts.ts';
import { clip, clipStrings } from '../parts.ts';
import { asArray, asRecord, asString } from '../read.ts';
import { defineRole } from './define-role.ts';

/** A change of the system prompt. */
export interface SystemPatch {
  /** Text without a name: the base prompt, or further instructions; empty for none. */
  text: string;
  /** Named parts in the order of the file; a null text removes the part. */
  sections: { name: string; text: string | null }[];
  toolsAdded: { name: string; description: string | null }[];
  /** Names. They go before others come. */
  toolsRemoved: string[];
}

/** Reads a system message (Pi 1.6): the first one states prompt and tools, later ones patch them. */
export function systemPatch(message: RawRecord): SystemPatch {
  const sections = Object.entries(asRecord(message['sections'])).flatMap(([name, text]) =>
    text === null || typeof text === 'string' ? [{ name, text }] : [],
  );
  const toolsAdded = asArray(message['toolsAdded']).map((raw) => {
    const tool = asRecord(raw);
    return { name: asString(tool['name']) ?? '', description: asString(tool['description']) };
  });
  const toolsRemoved = asArray(message['toolsRemoved']).map((raw) => asString(asRecord(raw)['name']) ?? '');
  return { text: contentText(message['content']), sections, toolsAdded, toolsRemoved };
}

/** Characters that a system message puts into the context: its texts, and the declarations of tools as JSON. */
export function systemChars(message: RawRecord): number {
  const { text, sections } = systemPatch(message);
  let chars = text.length;
  for (const section of sections) chars += section.text?.length ?? 0;
  const { toolsAdded } = message;
  if (!Array.isArray(toolsAdded)) return chars;
  // Serialisers recurse: what is nested deeper than any tool's declaration is cut first.
  return chars + JSON.stringify(clipStrings(toolsAdded, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY).value).length;
}

/** The prompt and the tool loadout. */
export const system = defineRole({
  role: 'system',
  describe(message: RawRecord, facts: EntryFacts): void {
    facts.title = title(systemPatch(message));
    facts.chars = systemChars(message);
  },
  items(message: RawRecord, place: ItemPlace): TranscriptItem[] {
    const { text, sections, toolsAdded, toolsRemoved } = systemPatch(message);
    const named = text === '' ? sections : [{ name: '', text }, ...sections];
    const item: SystemItem = {
      ...itemBase(place, 0),
      kind: 'system',
      sections: named.map((section) => (section.text === null ? section : { name: section.name, ...clip(section.text) })),
      toolsAdded: toolsAdded.map((tool) => tool.name),
      toolsRemoved,
    };
    return [item];
  },
});

/** What it changes: names of parts, else its text, else the tools that come and go. */
function title({ text, sections, toolsAdded, toolsRemoved }: SystemPatch): string {
  if (sections.length > 0) return sections.map((section) => section.name).join(', ');
  if (text !== '') return text;
  return [...toolsRemoved.map((name) => `-${name}`), ...toolsAdded.map(({ name }) => `+${name}`)].join(' ');
}
