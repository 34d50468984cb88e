import { asTime } from '../entries/read.ts';
import type { SessionEntry } from '../entries/entry.ts';
import type { EntryTree } from './entry-tree.ts';

/** An entry with its children, oldest first, and the label that is in force for it. */
export interface SessionTreeNode {
  entry: SessionEntry;
  children: SessionTreeNode[];
  label?: string;
  /** When the label was set, ISO 8601. */
  labelTimestamp?: string;
}

/**
 * The whole session as trees, roots in file order. Roots are entries without a parent, with one that is not there, that
 * name themselves, and the first one of each circle. Every entry is in it once. No recursion: chains may be long.
 */
export function treeNodes(tree: EntryTree): SessionTreeNode[] {
  const labels = tree.labels();
  const nodes = tree.entries.map((entry): SessionTreeNode => {
    const found = labels.get(entry.id);
    return found === undefined
      ? { entry, children: [] }
      : { entry, children: [], label: found.label, labelTimestamp: found.timestamp };
  });
  const parents = parentRows(tree.entries);
  const roots: SessionTreeNode[] = [];
  for (const [row, node] of nodes.entries()) {
    const parent = parents[row]!;
    if (parent < 0) roots.push(node);
    else nodes[parent]!.children.push(node);
  }
  for (const { children } of nodes) if (children.length > 1) sortByTime(children);
  return roots;
}

/** The row of each entry's parent, -1 for roots. A parent id means the last entry that carries it. Has no circles. */
function parentRows(entries: readonly SessionEntry[]): Int32Array {
  const rowOf = new Map(entries.map(({ id }, row) => [id, row]));
  const parents = new Int32Array(entries.length);
  for (const [row, { id, parentId }] of entries.entries()) {
    parents[row] = typeof parentId === 'string' && parentId !== id ? (rowOf.get(parentId) ?? -1) : -1;
  }
  cutCircles(parents);
  return parents;
}

/** Makes the first row of every circle a root. Each row is walked once. */
function cutCircles(parents: Int32Array): void {
  const walked = new Uint32Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    let at = start;
    while (at >= 0 && walked[at] === 0) {
      walked[at] = start + 1;
      at = parents[at]!;
    }
    if (at < 0 || walked[at] !== start + 1) continue;
    let first = at;
    for (let member = parents[at]!; member !== at; member = parents[member]!) first = Math.min(first, member);
    parents[first] = -1;
  }
}

/** Stable; entries without a usable time keep their place behind those that have one. */
function sortByTime(nodes: SessionTreeNode[]): void {
  const times = new Map(nodes.map((node) => [node, asTime(node.entry.timestamp) ?? Number.POSITIVE_INFINITY]));
  nodes.sort((a, b) => {
    const [left, right] = [times.get(a)!, times.get(b)!];
    return left === right ? 0 : left - right;
  });
}
