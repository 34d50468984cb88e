import { defineEntry } from './define-entry.ts';
import { asStrings } from './read.ts';
import { settingItem } from './setting-item.ts';

/** The tools that the model is offered from here on, by name. */
export const activeToolsChange = defineEntry({
  type: 'active_tools_change',
  category: 'setting',
  neverSent: 'setting',
  describe(entry, facts) {
    facts.title = asStrings(entry['activeToolNames']).join(', ');
  },
  items: (entry, place) => [settingItem(place, 'tools', asStrings(entry['activeToolNames']).join(', '))],
});
