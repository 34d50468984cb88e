import { USAGE } from './generate-messages.ts';
import type { Body, SessionWriter } from './writer.ts';

/** What a compaction keeps: usually something shortly before it, sometimes anything, itself, or nothing that exists. */
function keptId(w: SessionWriter, own: string): string {
  return w.random.weighted([
    [60, w.recentId(8)],
    [12, own],
    [12, w.anyId()],
    [6, 'unknown-kept'],
    [10, w.recentId(20)],
  ] as const);
}

export function compaction(w: SessionWriter, extra: (id: string) => Body): void {
  w.add('compaction', (id) => {
    const body: Body = { summary: w.random.chance(0.05) ? '' : `summary ${id}`, tokensBefore: w.random.int(0, 3) * 1000 };
    if (!w.random.chance(0.03)) body['firstKeptEntryId'] = keptId(w, id);
    return { ...body, ...extra(id) };
  });
}

export function branchSummary(w: SessionWriter): void {
  w.add('branch_summary', (id) => ({
    fromId: w.random.pick([w.anyId(), 'root']),
    summary: w.random.chance(0.25) ? '' : `branch ${id}`,
    ...(w.random.chance(0.3) ? { details: { readFiles: [] } } : {}),
  }));
}

/** @param types customTypes to choose from. */
export function customMessage(w: SessionWriter, types: readonly unknown[]): void {
  const { random } = w;
  w.add('custom_message', (id) => {
    const content = random.weighted<unknown>([
      [45, `custom ${id}`],
      [35, [{ type: 'text', text: `custom ${id}` }]],
      [10, 42],
      [w.odd.nullContent ? 5 : 0, null],
      [5, []],
    ]);
    const body: Body = { customType: random.pick(types), content, display: random.chance(0.6), details: { mark: id } };
    if (random.chance(0.4)) body['attribution'] = random.pick(['user', 'agent']);
    return body;
  });
}

/** Entries of both families that never become messages. */
export function sideEntry(w: SessionWriter): void {
  const { random } = w;
  random.weighted<() => void>([
    [5, () => w.add('label', () => ({ targetId: w.anyId(), ...(random.chance(0.8) ? { label: 'mark' } : {}) }))],
    [3, () => w.add('custom', (id) => ({ customType: 'state', data: { id } }))],
    [2, () => w.add('session_info', () => ({ name: random.pick(['A name', '']) }))],
    [2, () => w.add('leaf', () => ({ targetId: random.chance(0.2) ? null : w.anyId() }))],
    [1, () => w.add('active_tools_change', () => ({ activeToolNames: ['bash'] }))],
    [1, () => w.add('novel_type', (id) => ({ payload: { id } }))],
    [1, () => w.add('usage', () => ({ kind: 'cache_warm', provider: 'acme', model: 'large-1', usage: USAGE }))],
  ])();
}

export function thinkingChange(w: SessionWriter, levels: readonly unknown[]): void {
  w.add('thinking_level_change', () => ({ thinkingLevel: w.random.pick(levels) }));
}
