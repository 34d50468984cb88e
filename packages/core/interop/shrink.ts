import type { Body } from './writer.ts';

/**
 * The smallest session that still differs: entries are taken out as long as the difference stays, children of what goes
 * are handed to its parent.
 */
export async function shrink(records: readonly Body[], differs: (records: Body[]) => Promise<boolean>): Promise<Body[]> {
  let best = [...records];
  for (let size = Math.floor(best.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 1; at < best.length;) {
      const smaller = without(best, at, size);
      if (smaller.length > 1 && (await differs(smaller))) best = smaller;
      else at += size;
    }
  }
  return best;
}

function without(records: readonly Body[], at: number, size: number): Body[] {
  const parentOf = new Map<unknown, unknown>();
  for (const entry of records.slice(at, at + size)) parentOf.set(entry['id'], entry['parentId']);
  return [...records.slice(0, at), ...records.slice(at + size)].map((entry) => {
    let parent = entry['parentId'];
    for (let steps = 0; parentOf.has(parent) && steps <= size; steps++) parent = parentOf.get(parent);
    return parent === entry['parentId'] ? entry : { ...entry, parentId: parent };
  });
}
