import { defineEntry } from './define-entry.ts';
import { setFlag } from './facts.ts';
import { asString, oneLine } from './read.ts';
import { noticeItem } from './setting-item.ts';

/** A rename (musepi); the header or the title slot holds the title itself. */
export const titleChange = defineEntry({
  type: 'title_change',
  category: 'annotation',
  neverSent: 'annotation',
  describe(entry, facts) {
    facts.name = oneLine(asString(entry['title']) ?? '', 1000);
    facts.title = facts.name;
    setFlag(facts, 'clears', facts.name === '');
  },
  items: (entry, place) => [noticeItem(place, 'title', asString(entry['title']))],
});
