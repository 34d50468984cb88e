import { defineEntry } from './define-entry.ts';
import type { RawRecord } from './entry.ts';
import { asString } from './read.ts';
import { settingItem } from './setting-item.ts';

/** Which model answers from here on: one "provider/id" with a role (musepi), or provider and modelId (pi). */
export const modelChange = defineEntry({
  type: 'model_change',
  category: 'setting',
  neverSent: 'setting',
  describe(entry, facts) {
    const model = modelOf(entry);
    if (model === null) return;
    facts.title = `${model.provider}/${model.modelId}`;
    facts.setting = { kind: 'model', role: asString(entry['role']), ...model };
  },
  items(entry, place) {
    const model = modelOf(entry);
    const value = model === null ? null : `${model.provider}/${model.modelId}`;
    return [settingItem(place, 'model', value, asString(entry['role']))];
  },
});

function modelOf(entry: RawRecord): { provider: string; modelId: string; split: boolean } | null {
  const combined = asString(entry['model']);
  if (combined !== null && combined !== '') {
    const slash = combined.indexOf('/');
    return { provider: combined.slice(0, Math.max(slash, 0)), modelId: combined.slice(slash + 1), split: false };
  }
  const provider = asString(entry['provider']);
  const modelId = asString(entry['modelId']);
  return provider === null || modelId === null ? null : { provider, modelId, split: true };
}
