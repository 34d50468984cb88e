import { defineEntry } from './define-entry.ts';
import { asRecord, asString } from './read.ts';
import { settingItem } from './setting-item.ts';

/** Service tier for each provider family; null when none is in force. Old files hold one word. */
export const serviceTierChange = defineEntry({
  type: 'service_tier_change',
  category: 'setting',
  neverSent: 'setting',
  describe(entry, facts) {
    facts.title = tierText(entry['serviceTier']) ?? '';
    facts.setting = { kind: 'tier', tier: entry['serviceTier'] };
  },
  items: (entry, place) => [settingItem(place, 'serviceTier', tierText(entry['serviceTier']))],
});

function tierText(tier: unknown): string | null {
  if (typeof tier === 'string') return tier;
  const pairs = Object.entries(asRecord(tier)).map(([family, value]) => `${family}: ${asString(value) ?? ''}`);
  return pairs.length === 0 ? null : pairs.join(', ');
}
