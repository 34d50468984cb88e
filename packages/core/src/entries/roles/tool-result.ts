import type { ToolOutcome, TranscriptItem } from '../../transcript/items.ts';
import { contentFacts, IMAGE_CHARS } from '../content.ts';
import { itemBase, type ItemPlace } from '../define-entry.ts';
import type { RawRecord } from '../entry.ts';
import { readUsage, setFlag, type EntryFacts } from '../facts.ts';
import { imagesBeside } from '../images.ts';
import { besideParts, clipStrings, contentParts, ImageCounter } from '../parts.ts';
import { asString } from '../read.ts';
import { defineRole } from './define-role.ts';

/** The answer to a tool call. */
export const toolResult = defineRole({
  role: 'toolResult',
  describe(message: RawRecord, facts: EntryFacts): void {
    const content = contentFacts(message['content']);
    facts.calls = [asString(message['toolCallId']) ?? ''];
    facts.isAnswer = true;
    facts.name = asString(message['toolName']);
    facts.title = `${facts.name ?? ''} ${content.firstText}`;
    facts.chars = content.chars;
    facts.imageChars = content.images * IMAGE_CHARS;
    facts.usage = readUsage(message['usage']);
    setFlag(facts, 'error', message['isError'] === true);
    setFlag(facts, 'hasImages', content.images > 0 || imagesBeside(message).length > 0);
    setFlag(facts, 'nullContent', content.missing);
  },
  /** None where the call is on the same path: there the result rides in the call's item. */
  items(message: RawRecord, place: ItemPlace): TranscriptItem[] {
    const callId = asString(message['toolCallId']) ?? '';
    if (place.callOnPath(callId)) return [];
    const result = outcomeOf(message, place);
    return [{ ...itemBase(place, 0), kind: 'toolResult', callId, name: asString(message['toolName']) ?? '', result }];
  },
});

/** A tool's result as it is shown. */
export function outcomeOf(message: RawRecord, place: { entryId: string; row: number; time: number | null }): ToolOutcome {
  const images = new ImageCounter();
  const outcome: ToolOutcome = {
    entryId: place.entryId,
    row: place.row,
    time: place.time,
    isError: message['isError'] === true,
    parts: [...contentParts(message['content'], images), ...besideParts(message, images)],
  };
  if (message['details'] !== undefined && message['details'] !== null) outcome.details = clipStrings(message['details']).value;
  return outcome;
}
