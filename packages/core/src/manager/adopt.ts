/** What others wrote becomes part of our session: as it is, beside our branch. */
import type { SessionEntry, SessionHeader, TitleChangeEntry } from '../entries/entry.ts';
import { titleChange } from '../entries/title-change.ts';
import type { EntryTree } from './entry-tree.ts';

/**
 * Somebody replaced the stored session: its entries stand first now, then those of ours that it lacks, in their order.
 * @param saved so many entries of the tree had been stored
 * @returns those of them that are not stored any more
 */
export function adoptReplaced(tree: EntryTree, stored: readonly SessionEntry[], saved: number): SessionEntry[] {
  const ids = new Set(stored.map(({ id }) => id));
  const lacking = (entry: SessionEntry): boolean => !ids.has(entry.id);
  const lost = tree.entries.slice(0, saved).filter(lacking);
  const waiting = tree.entries.slice(saved).filter(lacking);
  tree.replaceAll([...stored, ...lost, ...waiting]);
  return lost;
}

/**
 * Entries of others under ids of their own: one that is taken already gets the next free `<id>~2`, `<id>~3`, …, as it would
 * when the session is read.
 */
export function withOwnIds(entries: readonly SessionEntry[], isTaken: (id: string) => boolean): SessionEntry[] {
  const added = new Set<string>();
  return entries.map((entry) => {
    let id = entry.id;
    for (let n = 2; isTaken(id) || added.has(id); n++) id = `${entry.id}~${String(n)}`;
    added.add(id);
    return id === entry.id ? entry : { ...entry, id };
  });
}

/** The header as the last rename among entries of others says. */
export function adoptTitles(header: SessionHeader, entries: readonly SessionEntry[]): SessionHeader {
  const last = entries.findLast((entry): entry is TitleChangeEntry => entry.type === titleChange.type);
  if (last === undefined || typeof last.title !== 'string') return header;
  return { ...header, title: last.title, ...(last.source === undefined ? {} : { titleSource: last.source }) };
}
