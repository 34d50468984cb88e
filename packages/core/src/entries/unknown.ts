import { defineEntry, itemBase } from './define-entry.ts';
import { setFlag } from './facts.ts';
import { clipJson } from './parts.ts';
import { asString } from './read.ts';

/** An entry type from a later or a foreign writer: a node of the tree, kept and shown as it is. */
export const unknownEntry = defineEntry({
  type: '',
  category: 'opaque',
  neverSent: 'unknown_type',
  describe(entry, facts) {
    facts.title = asString(entry['type']) ?? '';
    setFlag(facts, 'unknownType');
  },
  items: (entry, place) => [{ ...itemBase(place, 0), kind: 'unknown', type: asString(entry['type']) ?? '', ...clipJson(entry) }],
});
