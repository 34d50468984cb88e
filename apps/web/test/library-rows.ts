import type { SummaryRow } from '@stemma/api/schemas';

/** A summary row for tests, with what matters given. */
export function summaryRow(part: Partial<SummaryRow> & { key: string }): SummaryRow {
  return {
    id: null,
    rootId: 'pi-00000000',
    dialect: 'pi',
    cwd: null,
    cwdLabel: null,
    path: `${part.key}.jsonl`,
    title: null,
    firstPrompt: null,
    created: null,
    modified: null,
    sizeBytes: 0,
    entryCount: null,
    messageCount: null,
    branchCount: null,
    compactionCount: null,
    labelCount: null,
    labels: [],
    models: [],
    tokens: null,
    cost: null,
    status: 'unknown',
    live: null,
    problemCount: null,
    parentKey: null,
    shape: null,
    ...part,
  };
}
