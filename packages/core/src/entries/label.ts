import { defineEntry } from './define-entry.ts';
import { setFlag } from './facts.ts';
import { asString } from './read.ts';
import { noticeItem } from './setting-item.ts';

/** A bookmark on another entry. The last one for a target wins; an absent or empty label clears it. */
export const label = defineEntry({
  type: 'label',
  category: 'annotation',
  neverSent: 'annotation',
  describe(entry, facts) {
    const text = asString(entry['label']);
    facts.name = text;
    facts.title = text ?? '';
    facts.target = asString(entry['targetId']);
    setFlag(facts, 'clears', text === null || text === '');
  },
  items(entry, place) {
    const text = asString(entry['label']);
    return [noticeItem(place, 'label', text === '' ? null : text, asString(entry['targetId']))];
  },
});
