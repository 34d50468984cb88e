import { FLAG } from './flags.ts';
import { COUNT, type OutlineColumns } from './outline.ts';

/**
 * Cuts the parent of one entry, the first in the file, in every cycle. Linear: each row is walked once.
 * @param found is told each row that was cut.
 */
export function cutCycles(c: OutlineColumns, found: (row: number) => void): void {
  const count = c.ids.length;
  const walked = new Uint32Array(count);
  for (const row of c.cutParents.keys()) c.counts.set(row, COUNT.flags, c.counts.get(row, COUNT.flags) & ~FLAG.cycleCut);
  c.cutParents.clear();
  for (let start = 0; start < count; start++) {
    const walk = start + 1;
    let at = start;
    while (at >= 0 && walked[at] === 0) {
      walked[at] = walk;
      at = c.parents.get(at);
    }
    if (at < 0 || walked[at] !== walk) continue;
    const first = firstOfCycle(c, at);
    c.cutParents.set(first, c.parents.get(first));
    c.parents.set(first, -1);
    c.counts.set(first, COUNT.flags, c.counts.get(first, COUNT.flags) | FLAG.cycleCut);
    found(first);
  }
}

function firstOfCycle(c: OutlineColumns, member: number): number {
  let first = member;
  for (let at = c.parents.get(member); at !== member; at = c.parents.get(at)) first = Math.min(first, at);
  return first;
}
