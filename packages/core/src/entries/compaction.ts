import { defineEntry } from './define-entry.ts';
import { readUsage, setFlag } from './facts.ts';
import { asNumber, asRecord, asString, isRecord, oneLine } from './read.ts';
import { compactionItem } from './roles/summaries.ts';

/** Folds the conversation before it into a summary, except what it keeps from `firstKeptEntryId` on. */
export const compaction = defineEntry({
  type: 'compaction',
  category: 'summary',
  neverSent: null,
  describe(entry, facts) {
    const summary = asString(entry['summary']) ?? '';
    facts.title = oneLine(asString(entry['shortSummary']) ?? summary);
    facts.chars = summary.length;
    facts.kept = asString(entry['firstKeptEntryId']);
    facts.usage = readUsage(entry['usage']);
    facts.tokensBefore = asNumber(entry['tokensBefore']);
    facts.tokensAfter = asNumber(entry['tokensAfter']);
    const replay = asRecord(asRecord(entry['preserveData'])['openaiRemoteCompaction']);
    const provider = asString(replay['provider']) ?? '';
    setFlag(facts, 'emptySummary', summary === '');
    setFlag(facts, 'providerReplay', provider !== '' && Array.isArray(replay['replacementHistory']));
    setFlag(facts, 'systemCheckpoint', isRecord(entry['systemMessage']));
  },
  items: (entry, place) => [compactionItem(entry, place)],
});
