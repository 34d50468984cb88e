import { defineEntry } from './define-entry.ts';
import { readUsage, setFlag } from './facts.ts';
import { asString } from './read.ts';
import { branchSummaryItem } from './roles/summaries.ts';

/** What was tried on a branch that was left. Without a text it only marks where the leaf is. */
export const branchSummary = defineEntry({
  type: 'branch_summary',
  category: 'summary',
  neverSent: null,
  describe(entry, facts) {
    const summary = asString(entry['summary']) ?? '';
    facts.title = summary;
    facts.chars = summary.length;
    facts.usage = readUsage(entry['usage']);
    facts.target = asString(entry['fromId']);
    setFlag(facts, 'emptySummary', summary === '');
  },
  items: (entry, place) => [branchSummaryItem(entry, place)],
});
