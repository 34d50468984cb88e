import { defineEntry } from './define-entry.ts';
import { contentFacts } from './content.ts';
import { setFlag } from './facts.ts';
import type { RawRecord } from './entry.ts';
import { asString, isRecord } from './read.ts';
import { noticeItem } from './setting-item.ts';

/** Replaces or drops another entry's content in the model's view (Pi 1.6); history keeps the original. */
export const contextEdit = defineEntry({
  type: 'context_edit',
  category: 'annotation',
  neverSent: 'annotation',
  describe(entry, facts) {
    facts.target = asString(entry['targetId']);
    facts.chars = contentFacts(replacementContent(entry)).chars;
    setFlag(facts, 'drops', entry['replacement'] === null);
  },
  items: (entry, place) => [
    noticeItem(place, 'edit', entry['replacement'] === null ? null : 'replaced', asString(entry['targetId'])),
  ],
});

/** The content that an edit puts in place: `{ content }` as Pi 1.6 writes it, or text or blocks themselves. */
export function replacementContent(edit: RawRecord): unknown {
  const replacement = edit['replacement'];
  return isRecord(replacement) ? replacement['content'] : replacement;
}
