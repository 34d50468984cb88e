/** The tree as one would write it down without a thought for speed: what the real functions are compared with. */

export interface Naive {
  ids: string[];
  /** Row of each parent, -1 for roots. */
  parents: number[];
  labels: Map<number, string>;
}

export interface NaiveEntry {
  id: string;
  parentId: string | null;
  /** A label entry: what it is about and its text (empty clears). */
  label?: { targetId: string; text: string };
}

export function naiveTree(entries: readonly NaiveEntry[]): Naive {
  const ids: string[] = [];
  for (const { id } of entries) {
    let unique = id;
    for (let n = 2; ids.includes(unique); n++) unique = `${id}~${String(n)}`;
    ids.push(unique);
  }
  const lastWith = (reference: string): number => {
    const stored = entries.findLastIndex((entry) => entry.id === reference);
    return stored >= 0 ? stored : ids.indexOf(reference);
  };
  const parents = entries.map(({ parentId }) => (parentId === null ? -1 : lastWith(parentId)));
  for (const row of parents.keys()) if (naivePath(parents, parents[row]!).includes(row)) parents[row] = -1;
  const labels = new Map<number, string>();
  for (const { label } of entries) {
    const target = label === undefined ? -1 : lastWith(label.targetId);
    if (label === undefined || target < 0) continue;
    if (label.text === '') labels.delete(target);
    else labels.set(target, label.text);
  }
  return { ids, parents, labels };
}

/** Root first. Ends where a row comes up again. */
export function naivePath(parents: readonly number[], row: number): number[] {
  const path: number[] = [];
  for (let at = row; at >= 0 && !path.includes(at); at = parents[at]!) path.unshift(at);
  return path;
}

export function naiveChildren(parents: readonly number[], row: number): number[] {
  return [...parents.keys()].filter((child) => parents[child] === row);
}

export function naiveNewestLeaf(parents: readonly number[], row: number): number {
  const below = [...parents.keys()].filter((at) => naivePath(parents, at).includes(row));
  return Math.max(...below.filter((at) => naiveChildren(parents, at).length === 0));
}
