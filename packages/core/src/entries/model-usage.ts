import { defineEntry } from './define-entry.ts';
import { readUsage } from './facts.ts';
import { asString } from './read.ts';
import { noticeItem } from './setting-item.ts';

/** Tokens that were spent beside the conversation (purpose says what for). They count in totals. */
export const modelUsage = defineEntry({
  type: 'model_usage',
  category: 'annotation',
  neverSent: 'annotation',
  describe(entry, facts) {
    const provider = asString(entry['provider']);
    const model = asString(entry['model']);
    facts.title = asString(entry['purpose']) ?? '';
    facts.usage = readUsage(entry['usage']);
    facts.model = provider !== null && model !== null ? `${provider}/${model}` : '';
  },
  items: (entry, place) => [noticeItem(place, 'usage', asString(entry['purpose']))],
});
