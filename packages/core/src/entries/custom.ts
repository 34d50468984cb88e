import { defineEntry } from './define-entry.ts';
import { asString } from './read.ts';
import { noticeItem } from './setting-item.ts';

/** An extension's own state. Never sent to a model. */
export const custom = defineEntry({
  type: 'custom',
  category: 'state',
  neverSent: 'extension_state',
  describe(entry, facts) {
    facts.name = asString(entry['customType']);
    facts.title = facts.name ?? '';
  },
  items: (entry, place) => [noticeItem(place, 'state', asString(entry['customType']))],
});
