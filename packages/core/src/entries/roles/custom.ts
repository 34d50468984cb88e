import type { TranscriptItem } from '../../transcript/items.ts';
import { contentFacts, IMAGE_CHARS } from '../content.ts';
import { itemBase, type ItemPlace } from '../define-entry.ts';
import type { RawRecord } from '../entry.ts';
import { setFlag, type EntryFacts } from '../facts.ts';
import { imagesBeside } from '../images.ts';
import { besideParts, clipStrings, contentParts, ImageCounter } from '../parts.ts';
import { asString } from '../read.ts';
import { defineRole, type MessageRole } from './define-role.ts';

/** A message that an extension put in. `custom_message` entries have the same fields. */
export function describeCustom(message: RawRecord, facts: EntryFacts): void {
  const content = contentFacts(message['content']);
  facts.name = asString(message['customType']);
  facts.title = content.firstText === '' ? (facts.name ?? '') : content.firstText;
  facts.chars = content.chars;
  facts.imageChars = content.images * IMAGE_CHARS;
  setFlag(facts, 'hasImages', content.images > 0 || imagesBeside(message).length > 0);
  setFlag(facts, 'hidden', message['display'] !== true);
  setFlag(facts, 'fromUser', message['attribution'] === 'user');
}

export function customItems(message: RawRecord, place: ItemPlace): TranscriptItem[] {
  const images = new ImageCounter();
  return [
    {
      ...itemBase(place, 0),
      kind: 'custom',
      customType: asString(message['customType']) ?? '',
      display: message['display'] === true,
      parts: [...contentParts(message['content'], images), ...besideParts(message, images)],
      ...(message['details'] === undefined ? {} : { details: clipStrings(message['details']).value }),
    },
  ];
}

function customRole(role: string): MessageRole {
  return defineRole({ role, describe: describeCustom, items: customItems });
}

export const custom = customRole('custom');
/** The old name of `custom`, before version 3. */
export const hookMessage = customRole('hookMessage');
