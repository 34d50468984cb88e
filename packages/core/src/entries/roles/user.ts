import type { TranscriptItem } from '../../transcript/items.ts';
import { contentFacts, IMAGE_CHARS } from '../content.ts';
import { itemBase, type ItemPlace } from '../define-entry.ts';
import type { RawRecord } from '../entry.ts';
import { setFlag, type EntryFacts } from '../facts.ts';
import { besideParts, clip, contentParts, ImageCounter } from '../parts.ts';
import { defineRole, type MessageRole } from './define-role.ts';

const SKILL = /^<skill name="([^"\n]*)"(?: location="([^"\n]*)")?>\n?([\s\S]*?)\n?<\/skill>\n*/;

/** A prompt: user, and developer for text that a program puts in the user's place. */
function promptRole(role: string): MessageRole {
  return defineRole({
    role,
    describe(message: RawRecord, facts: EntryFacts): void {
      const content = contentFacts(message['content']);
      facts.title = withoutSkill(content.firstText);
      facts.chars = content.chars;
      facts.imageChars = content.images * IMAGE_CHARS;
      setFlag(facts, 'hasImages', content.images > 0);
      setFlag(facts, 'hasText', content.firstText !== '');
      setFlag(facts, 'nullContent', content.missing);
    },
    items(message: RawRecord, place: ItemPlace): TranscriptItem[] {
      const images = new ImageCounter();
      const parts = [...contentParts(message['content'], images), ...besideParts(message, images)];
      const item: TranscriptItem = { ...itemBase(place, 0), kind: 'user', role, parts };
      const first = parts[0];
      const skill = first?.type === 'text' ? SKILL.exec(first.text) : null;
      if (first?.type === 'text' && skill !== null) {
        item.skill = { name: skill[1]!, location: skill[2] ?? null, ...clip(skill[3]!) };
        first.text = first.text.slice(skill[0].length);
      }
      return [item];
    },
  });
}

/** A skill command is stored in front of the prompt proper. */
function withoutSkill(text: string): string {
  if (!text.startsWith('<skill ')) return text;
  const rest = text.replace(SKILL, '');
  return rest.trim() === '' ? text : rest;
}

export const user = promptRole('user');
export const developer = promptRole('developer');
