import { defineEntry } from './define-entry.ts';
import { asStrings } from './read.ts';
import { settingItem } from './setting-item.ts';

/** Rules that were injected into the conversation, by name. */
export const ttsrInjection = defineEntry({
  type: 'ttsr_injection',
  category: 'setting',
  neverSent: 'setting',
  describe(entry, facts) {
    const rules = asStrings(entry['injectedRules']);
    facts.title = rules.join(', ');
    facts.setting = { kind: 'rules', rules };
  },
  items: (entry, place) => [settingItem(place, 'rules', asStrings(entry['injectedRules']).join(', '))],
});
