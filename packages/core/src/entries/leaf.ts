import { defineEntry } from './define-entry.ts';
import { asString } from './read.ts';
import { noticeItem } from './setting-item.ts';

/** A recorded move of the current position. For us a plain node, as for the agents' own clients. */
export const leaf = defineEntry({
  type: 'leaf',
  category: 'annotation',
  neverSent: 'annotation',
  describe(entry, facts) {
    facts.target = asString(entry['targetId']);
  },
  items: (entry, place) => [noticeItem(place, 'leaf', null, asString(entry['targetId']))],
});
