import { messageRole } from './roles/registry.ts';
import { defineEntry } from './define-entry.ts';
import { asEpoch, asRecord, asString } from './read.ts';

/** Talk: prompts, answers, tool results, commands. What is special to a role is in `roles/`. */
export const message = defineEntry({
  type: 'message',
  category: 'message',
  neverSent: null,
  describe(entry, facts) {
    const inner = asRecord(entry['message']);
    facts.role = asString(inner['role']) ?? '';
    facts.messageTime = asEpoch(inner['timestamp']);
    messageRole(facts.role).describe(inner, facts);
  },
  items(entry, place) {
    const inner = asRecord(entry['message']);
    return messageRole(asString(inner['role']) ?? '').items(inner, place);
  },
});
