import { defineEntry } from './define-entry.ts';
import { setFlag } from './facts.ts';
import { asString } from './read.ts';
import { noticeItem } from './setting-item.ts';

/** Hides a subtree from views, or shows it again. The last one for a target wins. */
export const archive = defineEntry({
  type: 'archive',
  category: 'annotation',
  neverSent: 'annotation',
  describe(entry, facts) {
    facts.target = asString(entry['targetId']);
    setFlag(facts, 'clears', entry['archived'] === false);
  },
  items: (entry, place) => [
    noticeItem(place, 'archive', entry['archived'] === false ? null : 'archived', asString(entry['targetId'])),
  ],
});
