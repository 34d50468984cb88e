import type { TranscriptItem } from '../../transcript/items.ts';
import { itemBase, type ItemPlace } from '../define-entry.ts';
import type { RawRecord } from '../entry.ts';
import { setFlag, type EntryFacts } from '../facts.ts';
import { imagesBeside } from '../images.ts';
import { clip, ImageCounter, PART_LIMIT } from '../parts.ts';
import { asNumber, asString } from '../read.ts';
import { defineRole } from './define-role.ts';

function describeSummary(message: RawRecord, facts: EntryFacts): void {
  const summary = asString(message['summary']) ?? '';
  facts.title = summary;
  facts.chars = summary.length;
  setFlag(facts, 'emptySummary', summary === '');
}

/** Normally made while reading, but found stored in foreign files. */
export const branchSummary = defineRole({
  role: 'branchSummary',
  describe: describeSummary,
  items: (message: RawRecord, place: ItemPlace): TranscriptItem[] => [branchSummaryItem(message, place)],
});

/** Normally made while reading, but found stored in foreign files. */
export const compactionSummary = defineRole({
  role: 'compactionSummary',
  describe: describeSummary,
  items: (message: RawRecord, place: ItemPlace): TranscriptItem[] => [compactionItem(message, place)],
});

export function branchSummaryItem(source: RawRecord, place: ItemPlace): TranscriptItem {
  const { text, truncated } = clip(asString(source['summary']) ?? '');
  return {
    ...itemBase(place, 0),
    kind: 'branchSummary',
    summary: text,
    fromId: asString(source['fromId']),
    ...(truncated === undefined ? {} : { truncated }),
  };
}

export function compactionItem(source: RawRecord, place: ItemPlace): TranscriptItem {
  const counter = new ImageCounter();
  const images = imagesBeside(source)
    .slice(0, PART_LIMIT)
    .map((image) => counter.ref(image));
  const { text, truncated } = clip(asString(source['summary']) ?? '');
  return {
    ...itemBase(place, 0),
    kind: 'compaction',
    summary: text,
    shortSummary: asString(source['shortSummary']),
    tokensBefore: asNumber(source['tokensBefore']),
    tokensAfter: asNumber(source['tokensAfter']),
    firstKeptEntryId: asString(source['firstKeptEntryId']),
    ...(images.length === 0 ? {} : { images }),
    ...(truncated === undefined ? {} : { truncated }),
  };
}
