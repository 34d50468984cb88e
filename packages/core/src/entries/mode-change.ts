import { defineEntry } from './define-entry.ts';
import { asString } from './read.ts';
import { settingItem } from './setting-item.ts';

/** Enters a mode (such as planning) or leaves it (`none`). */
export const modeChange = defineEntry({
  type: 'mode_change',
  category: 'setting',
  neverSent: 'setting',
  describe(entry, facts) {
    const mode = asString(entry['mode']) ?? 'none';
    facts.title = mode;
    facts.setting = entry['data'] === undefined ? { kind: 'mode', mode } : { kind: 'mode', mode, data: entry['data'] };
  },
  items: (entry, place) => [settingItem(place, 'mode', asString(entry['mode']))],
});
