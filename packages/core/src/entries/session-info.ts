import { defineEntry } from './define-entry.ts';
import { setFlag } from './facts.ts';
import { asString, oneLine } from './read.ts';
import { noticeItem } from './setting-item.ts';

/** The session's name (pi). The last one in the file counts; empty clears. */
export const sessionInfo = defineEntry({
  type: 'session_info',
  category: 'annotation',
  neverSent: 'annotation',
  describe(entry, facts) {
    facts.name = oneLine(asString(entry['name']) ?? '', 1000);
    facts.title = facts.name;
    setFlag(facts, 'clears', facts.name === '');
  },
  items(entry, place) {
    const name = oneLine(asString(entry['name']) ?? '', 1000);
    return [noticeItem(place, 'title', name === '' ? null : name)];
  },
});
