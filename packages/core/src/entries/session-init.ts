import { defineEntry } from './define-entry.ts';
import { asString, oneLine } from './read.ts';
import { settingItem } from './setting-item.ts';

/** How a sub-agent's session was set up: system prompt, task, tools. */
export const sessionInit = defineEntry({
  type: 'session_init',
  category: 'setting',
  neverSent: 'setting',
  describe(entry, facts) {
    facts.title = asString(entry['task']) ?? '';
  },
  items: (entry, place) => [settingItem(place, 'init', oneLine(asString(entry['task']) ?? '', 2000))],
});
