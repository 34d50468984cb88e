import type { SystemItem, TranscriptItem } from '../../transcript/items.ts';
import { contentText } from '../content.ts';
import { itemBase, type ItemPlace } from '../define-entry.ts';
import type { RawRecord } from '../entry.ts';
import type { EntryFacts } from '../facts.ts';
import { clip } from '../parts.ts';
import { asArray, asRecord, asString } from '../read.ts';
import { defineRole } from './define-role.ts';

/** The prompt and the tool loadout (Pi 1.6): later ones patch earlier ones. */
export const system = defineRole({
  role: 'system',
  describe(message: RawRecord, facts: EntryFacts): void {
    const sections = sectionsOf(message);
    facts.title = sections.map((section) => section.name).join(', ');
    for (const section of sections) facts.chars += section.text?.length ?? 0;
    for (const tool of asArray(message['toolsAdded'])) facts.chars += JSON.stringify(tool)?.length ?? 0;
  },
  items(message: RawRecord, place: ItemPlace): TranscriptItem[] {
    const item: SystemItem = {
      ...itemBase(place, 0),
      kind: 'system',
      sections: sectionsOf(message).map(({ name, text }) => (text === null ? { name, text } : { name, ...clip(text) })),
      toolsAdded: toolNames(message['toolsAdded']),
      toolsRemoved: toolNames(message['toolsRemoved']),
    };
    return [item];
  },
});

function sectionsOf(message: RawRecord): { name: string; text: string | null }[] {
  const sections: { name: string; text: string | null }[] = [];
  const plain = contentText(message['content']);
  if (plain !== '') sections.push({ name: 'content', text: plain });
  const source = message['sections'];
  if (Array.isArray(source)) {
    for (const raw of source) {
      const section = asRecord(raw);
      const name = asString(section['name']) ?? asString(section['id']) ?? '';
      sections.push({ name, text: asString(section['text']) ?? asString(section['content']) });
    }
  } else {
    for (const [name, text] of Object.entries(asRecord(source))) sections.push({ name, text: asString(text) });
  }
  return sections;
}

function toolNames(value: unknown): string[] {
  return asArray(value).map((tool) => asString(tool) ?? asString(asRecord(tool)['name']) ?? '');
}
