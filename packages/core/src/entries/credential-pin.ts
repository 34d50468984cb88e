import { defineEntry } from './define-entry.ts';
import { asString } from './read.ts';
import { settingItem } from './setting-item.ts';

/** Which credential a provider is called with, by hash. */
export const credentialPin = defineEntry({
  type: 'credential_pin',
  category: 'setting',
  neverSent: 'setting',
  describe(entry, facts) {
    facts.title = asString(entry['provider']) ?? '';
  },
  items: (entry, place) => [settingItem(place, 'credential', asString(entry['provider']))],
});
