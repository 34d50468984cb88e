import { defineEntry } from './define-entry.ts';
import { asString } from './read.ts';
import { settingItem } from './setting-item.ts';

/** How hard the model thinks from here on; null means off. */
export const thinkingLevelChange = defineEntry({
  type: 'thinking_level_change',
  category: 'setting',
  neverSent: 'setting',
  describe(entry, facts) {
    const level = asString(entry['thinkingLevel']);
    facts.title = level ?? 'off';
    facts.setting = { kind: 'thinking', level };
  },
  items: (entry, place) => [settingItem(place, 'thinking', asString(entry['thinkingLevel']))],
});
