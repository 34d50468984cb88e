import { defineEntry } from './define-entry.ts';
import { noticeItem } from './setting-item.ts';

/** The conversation starts anew for the model here; the history stays. */
export const resetBoundary = defineEntry({
  type: 'reset_boundary',
  category: 'annotation',
  neverSent: 'annotation',
  describe() {
    // It carries no fields of its own.
  },
  items: (_entry, place) => [noticeItem(place, 'reset', null)],
});
