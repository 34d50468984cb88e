import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { SessionEntry } from '../../src/entries/entry.ts';
import { SessionContentDecoder } from '../../src/logs/read-entries.ts';
import { EntryTree } from '../../src/manager/entry-tree.ts';
import { extractBranch } from '../../src/manager/extract-branch.ts';
import { treeNodes, type SessionTreeNode } from '../../src/manager/tree-nodes.ts';
import { session } from '../../src/testing/session-builder.ts';

/** What a tree looks like, one line each. */
function lines(nodes: readonly SessionTreeNode[]): string[] {
  const found: string[] = [];
  const waiting = nodes.map((node) => ({ node, depth: 0 })).reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next;
    found.push(`${'  '.repeat(depth)}${node.entry.id}${node.label === undefined ? '' : ` [${node.label}]`}`);
    for (const child of [...node.children].reverse()) waiting.push({ node: child, depth: depth + 1 });
  }
  return found;
}

const entry = (id: string, parentId: string | null, timestamp = '2026-01-01T00:00:00.000Z'): SessionEntry =>
  ({ type: 'custom', customType: 'x', id, parentId, timestamp }) as SessionEntry;
const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

const TREES: { name: string; entries: SessionEntry[]; tree: string[] }[] = [
  {
    name: 'children stand by their times, those of one time as in the file',
    entries: [
      entry('r', null),
      entry('c', 'r', at(3)),
      entry('a', 'r', at(1)),
      entry('b', 'r', at(1)),
      entry('z', 'r', 'no time'),
    ],
    tree: ['r', '  a', '  b', '  c', '  z'],
  },
  {
    name: 'roots stand as in the file: without a parent, with a missing one, their own parents',
    entries: [entry('b', null, at(9)), entry('a', 'nobody', at(1)), entry('s', 's', at(0)), entry('e', '', at(0))],
    tree: ['b', 'a', 's', 'e'],
  },
  {
    name: 'a circle is cut at its first entry',
    entries: [entry('r', null), entry('x', 'z'), entry('y', 'x'), entry('z', 'y'), entry('w', 'z')],
    tree: ['r', 'x', '  y', '    z', '      w'],
  },
  {
    name: 'of entries with one id the last one has the children, and each is there',
    entries: [entry('r', null), entry('d', 'r', at(1)), entry('d', 'r', at(2)), entry('k', 'd', at(3))],
    tree: ['r', '  d', '  d', '    k'],
  },
  {
    name: 'a parent may come later',
    entries: [entry('k', 'p', at(2)), entry('p', null, at(1))],
    tree: ['p', '  k'],
  },
];

describe('the tree of a session', () => {
  it.each(TREES)('$name', ({ entries, tree }) => {
    expect(lines(treeNodes(new EntryTree(entries)))).toEqual(tree);
  });

  it('says which label is in force, and since when', () => {
    const entries = session().user('q').label('e1', 'old').label('e1', 'new').label('e2', 'x').label('e2').entries();
    const tree = new EntryTree(entries);
    expect(lines(treeNodes(tree))).toEqual(['e1 [new]', '  e2', '    e3', '      e4', '        e5']);
    expect(treeNodes(tree)[0]?.labelTimestamp).toBe(entries[2]!.timestamp);
  });

  it('is that of the outline, whatever a file holds, and has every entry once', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
    const records = fc.uniqueArray(fc.tuple(id, fc.option(id)), { selector: ([own]) => own });
    fc.assert(
      fc.property(records, (pairs) => {
        const builder = session();
        for (const [own, parentId] of pairs) builder.entry('custom', { id: own, parentId });
        const decoder = new SessionContentDecoder();
        decoder.push(builder.bytes());
        const { entries } = decoder.finish();
        const nodes = treeNodes(new EntryTree(entries));
        const parents = new Map<string, string | null>();
        const waiting = nodes.map((node) => ({ node, parent: null as string | null }));
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          expect(parents.has(next.node.entry.id)).toBe(false);
          parents.set(next.node.entry.id, next.parent);
          for (const node of next.node.children) waiting.push({ node, parent: next.node.entry.id });
        }
        const { outline } = decoder;
        const wanted = entries.map((_, row) => {
          const parent = outline.parent(row);
          return [outline.id(row), parent < 0 ? null : outline.id(parent)] as const;
        });
        expect(parents).toEqual(new Map(wanted));
      }),
      { numRuns: 200 },
    );
  });

  it('may be a chain of 60,000 entries', () => {
    const count = 60_000;
    const entries = Array.from({ length: count }, (_, i) => entry(`n${String(i)}`, i === 0 ? null : `n${String(i - 1)}`));
    const tree = new EntryTree(entries);
    const started = performance.now();
    let depth = 0;
    for (let at: SessionTreeNode | undefined = treeNodes(tree)[0]; at !== undefined; at = at.children[0]) depth++;
    expect(depth).toBe(count);
    expect(tree.branch(`n${String(count - 1)}`)).toHaveLength(count);
    expect(tree.children('n7').map(({ id }) => id)).toEqual(['n8']);
    expect(extractBranch(tree, `n${String(count - 1)}`, () => 'fresh')).toHaveLength(count);
    // Quadratic walks of so many take minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('means by an id the last entry that has it, whatever ids look like', () => {
    const entries = ['0000000a', 'x', '0000000a', 'x', 'x', '0000000A', ''].map((id, i) => entry(id, null, at(i)));
    const tree = new EntryTree([...entries]);
    expect([tree.get('0000000a'), tree.get('x'), tree.get('0000000A'), tree.get('')]).toEqual(
      [2, 4, 5, 6].map((row) => entries[row]),
    );
    const added = entry('x', '0000000a', at(9));
    tree.add(added);
    expect([tree.get('x'), tree.get('0000000b'), tree.has('0000000b'), tree.has('x')]).toEqual([added, undefined, false, true]);
    tree.insert(0, [entry('0000000b', null)]);
    expect([tree.get('x'), tree.has('0000000b'), tree.leafId]).toEqual([added, true, 'x']);
    expect(tree.branch('x')).toEqual([entries[2], added]);
  });

  it('ends a walk that comes round', () => {
    const tree = new EntryTree([entry('x', 'y'), entry('y', 'x')]);
    expect(tree.branch('x').map(({ id }) => id)).toEqual(['y', 'x']);
    expect(tree.branch('nobody')).toEqual([]);
  });
});

describe('a branch that is taken out', () => {
  it('means by its references what they meant, where labels are left out', () => {
    const entries = session().user('q').label('e1', 'l').user('r').compaction('s', 'e2').user('t').entries();
    const branch = extractBranch(new EntryTree(entries), 'e5', () => 'fresh');
    expect(branch.map(({ id, parentId, type }) => [id, parentId, type])).toEqual([
      ['e1', null, 'message'],
      ['e3', 'e1', 'message'],
      ['e4', 'e3', 'compaction'],
      ['e5', 'e4', 'message'],
      ['fresh', 'e5', 'label'],
    ]);
    expect(branch[2]).toMatchObject({ firstKeptEntryId: 'e3' });
  });
});
