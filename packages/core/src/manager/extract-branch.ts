import type { RawRecord, SessionEntry } from '../entries/entry.ts';
import { label } from '../entries/label.ts';
import { entryAt, newLabel } from './new-entries.ts';
import type { EntryTree } from './entry-tree.ts';

/**
 * The entries of one branch as a session of its own: those on the way to `leafId` without its labels, chained anew where
 * one was left out, and behind the last one a label entry for each label in force whose target is among them, with the time
 * at which it was set. The tree is left alone; entries that need no change are the same objects.
 * @param freshId an id that is not `taken`
 */
export function extractBranch(
  tree: EntryTree,
  leafId: string,
  freshId: (taken: (id: string) => boolean) => string,
): SessionEntry[] {
  const path = tree.branch(leafId);
  const keptId = namesOfKept(path);
  const extracted: SessionEntry[] = [];
  const ids = new Set<string>();
  let parentId: string | null = null;
  for (const entry of path) {
    if (entry.type === label.type) continue;
    extracted.push(adapted(entry, parentId, keptId));
    ids.add(entry.id);
    parentId = entry.id;
  }
  const labels = [...tree.labels()].filter(([targetId]) => ids.has(targetId));
  for (const [targetId, { label: text, timestamp }] of labels) {
    // Not even an id of what was left behind: a label must never come to mean another entry.
    const id = freshId((candidate) => ids.has(candidate) || tree.has(candidate));
    ids.add(id);
    extracted.push(entryAt(newLabel(targetId, text), id, parentId, timestamp));
    parentId = id;
  }
  return extracted;
}

/** For each label on a path the kept entries around it: references to it mean these. */
interface Neighbours {
  before: string | null;
  after: string | null;
}

function namesOfKept(path: readonly SessionEntry[]): ReadonlyMap<string, Neighbours> {
  const around = new Map<string, Neighbours>();
  let waiting: Neighbours[] = [];
  let before: string | null = null;
  for (const entry of path) {
    if (entry.type === label.type) {
      const neighbours: Neighbours = { before, after: null };
      around.set(entry.id, neighbours);
      waiting.push(neighbours);
    } else {
      for (const neighbours of waiting) neighbours.after = entry.id;
      waiting = [];
      before = entry.id;
    }
  }
  return around;
}

/** Fields that say where a stretch begins, and where one ends. */
const BEGINS = 'firstKeptEntryId';
const ENDS = 'providerReplayThroughEntryId';

function adapted(entry: SessionEntry, parentId: string | null, around: ReadonlyMap<string, Neighbours>): SessionEntry {
  const raw = entry as unknown as RawRecord;
  const changes: RawRecord = {};
  if (entry.parentId !== parentId) changes['parentId'] = parentId;
  for (const [field, side] of [
    [BEGINS, 'after'],
    [ENDS, 'before'],
  ] as const) {
    const id = raw[field];
    const named = typeof id === 'string' ? around.get(id)?.[side] : undefined;
    if (typeof named === 'string') changes[field] = named;
  }
  return Object.keys(changes).length === 0 ? entry : ({ ...raw, ...changes } as unknown as SessionEntry);
}
