import { contentFacts, IMAGE_CHARS } from './content.ts';
import { defineEntry } from './define-entry.ts';
import { readUsage, setFlag, type EntryFacts } from './facts.ts';
import type { RawRecord } from './entry.ts';
import { asNumber, asRecord, asString, isRecord } from './read.ts';
import { compactionItem } from './roles/summaries.ts';
import { systemChars } from './roles/system.ts';
import { archiveView } from './snapcompact.ts';

/** Folds the conversation before it into a summary, except what it keeps from `firstKeptEntryId` on. */
export const compaction = defineEntry({
  type: 'compaction',
  category: 'summary',
  neverSent: null,
  describe(entry, facts) {
    const summary = asString(entry['summary']) ?? '';
    facts.title = asString(entry['shortSummary']) ?? summary;
    facts.chars = summary.length;
    facts.kept = asString(entry['firstKeptEntryId']);
    facts.usage = readUsage(entry['usage']);
    facts.tokensBefore = asNumber(entry['tokensBefore']);
    facts.tokensAfter = asNumber(entry['tokensAfter']);
    facts.name = asString(entry['method']);
    facts.target = asString(entry['providerReplayThroughEntryId']);
    setFlag(facts, 'emptySummary', summary === '');
    setFlag(facts, 'providerReplay', replacementHistory(entry) !== null);
    setFlag(facts, 'providerSummary', providerSummary(entry) !== null);
    setFlag(facts, 'rollover', asRecord(entry['details'])['kind'] === ROLLOVER);
    setFlag(facts, 'shortSummary', (asString(entry['shortSummary']) ?? '').trim() !== '');
    setFlag(facts, 'systemCheckpoint', isRecord(entry['systemMessage']));
    facts.archiveChars = archiveChars(entry);
    facts.checkpointChars = isRecord(entry['systemMessage']) ? systemChars(entry['systemMessage']) : 0;
  },
  items: (entry, place) => [compactionItem(entry, place)],
});

/** What the archive puts into the model's context, with the summary. */
function archiveChars(entry: RawRecord): EntryFacts['archiveChars'] {
  const archive = archiveView(entry, true);
  if (archive === null) return null;
  const { chars, images } = contentFacts(archive.blocks);
  return { all: chars, images: images * IMAGE_CHARS };
}

/** The `details.kind` of a compaction that starts a new window from the agent's notebook. */
const ROLLOVER = 'experimental-context-rollover';

/** What a provider answers for the history that it keeps itself: it goes out again in place of the kept entries. */
export function replacementHistory(entry: RawRecord): RawRecord | null {
  const remote = asRecord(asRecord(entry['preserveData'])['openaiRemoteCompaction']);
  const { provider, replacementHistory: items } = remote;
  if (typeof provider !== 'string' || provider === '' || !Array.isArray(items) || !items.every(isRecord)) return null;
  return { type: 'openaiResponsesHistory', provider, items };
}

/** The summary as the provider made it. */
export function providerSummary(entry: RawRecord): RawRecord | null {
  const made = asRecord(asRecord(entry['preserveData'])['anthropicCompaction']);
  const { provider, content } = made;
  if (typeof provider !== 'string' || provider === '' || typeof content !== 'string' || content === '') return null;
  const payload: RawRecord = { type: 'anthropicCompaction', provider, content };
  for (const key of ['encryptedContent', 'filesText']) {
    if (typeof made[key] === 'string' && made[key] !== '') payload[key] = made[key];
  }
  return payload;
}
