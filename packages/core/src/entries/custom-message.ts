import { defineEntry } from './define-entry.ts';
import { setFlag } from './facts.ts';
import { customItems, describeCustom } from './roles/custom.ts';

/** A message from an extension; it is sent to the model even when it is not displayed. */
export const customMessage = defineEntry({
  type: 'custom_message',
  category: 'message',
  neverSent: null,
  describe(entry, facts) {
    facts.role = 'custom';
    describeCustom(entry, facts);
    const content = entry['content'];
    setFlag(facts, 'badContent', typeof content !== 'string' && !Array.isArray(content));
  },
  items: customItems,
});
