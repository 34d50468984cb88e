import { defineEntry } from './define-entry.ts';
import { asStrings } from './read.ts';
import { settingItem } from './setting-item.ts';

/** The tools that the model is offered from here on, by name. */
export const mcpToolSelection = defineEntry({
  type: 'mcp_tool_selection',
  category: 'setting',
  neverSent: 'setting',
  describe(entry, facts) {
    facts.title = asStrings(entry['selectedToolNames']).join(', ');
  },
  items: (entry, place) => [settingItem(place, 'tools', asStrings(entry['selectedToolNames']).join(', '))],
});
