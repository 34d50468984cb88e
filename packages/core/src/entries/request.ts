import { defineEntry } from './define-entry.ts';
import type { RawRecord } from './entry.ts';
import { asString, isRecord } from './read.ts';
import { system, systemChars } from './roles/system.ts';
import { settingItem } from './setting-item.ts';

/**
 * What requests to the model carry from here on besides the talk (DeepSeek Harness): model and effort; until format 2 the
 * system prompt and the tools, too. The latest one counts.
 */
export const request = defineEntry({
  type: 'request',
  category: 'setting',
  neverSent: 'setting',
  describe(entry, facts) {
    const model = modelOf(entry);
    facts.title = model === null ? '' : `${model.provider}/${model.modelId}`;
    if (model !== null) {
      const thinking = asString(entry['thinkingLevel']);
      facts.setting = { kind: 'model', role: null, ...model, split: null, ...(thinking === null ? {} : { thinking }) };
    }
    if (isRecord(entry['systemMessage'])) facts.checkpointChars = systemChars(entry['systemMessage']);
  },
  items(entry, place) {
    const model = modelOf(entry);
    const items = [settingItem(place, 'model', model === null ? null : `${model.provider}/${model.modelId}`)];
    const prompt = entry['systemMessage'];
    if (!isRecord(prompt)) return items;
    return [...items, ...system.items(prompt, place).map((item) => ({ ...item, id: `${place.entryId}#1` }))];
  },
});

function modelOf(entry: RawRecord): { provider: string; modelId: string } | null {
  const provider = asString(entry['provider']);
  const modelId = asString(entry['modelId']);
  return provider === null || modelId === null ? null : { provider, modelId };
}
