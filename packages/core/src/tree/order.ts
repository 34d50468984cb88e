import { childrenOf, type Children } from './children.ts';

/** Figures of every row that come from its place in the tree. */
export interface TreeOrder {
  children: Children;
  /** Rows so that parents stand before their children, roots in file order. */
  order: Uint32Array;
  /** Ancestors of each row. */
  depth: Uint32Array;
  /** Position in `order`, and the position after the last descendant: `a` is an ancestor of `b` when enter[a] <= enter[b] < leave[a]. */
  enter: Uint32Array;
  leave: Uint32Array;
}

/** One walk over the tree without recursion. Parents must be free of cycles. */
export function treeOrder(parents: ArrayLike<number>): TreeOrder {
  const count = parents.length;
  const children = childrenOf(parents);
  const order = new Uint32Array(count);
  const depth = new Uint32Array(count);
  const enter = new Uint32Array(count);
  const leave = new Uint32Array(count);
  const stack = new Int32Array(count + 1);
  let top = 0;
  const push = (row: number): void => {
    for (let i = children.start[row + 2]! - 1; i >= children.start[row + 1]!; i--) stack[top++] = children.list[i]!;
  };
  push(-1);
  let at = 0;
  while (top > 0) {
    const row = stack[--top]!;
    const parent = parents[row]!;
    depth[row] = parent < 0 ? 0 : depth[parent]! + 1;
    enter[row] = at;
    leave[row] = at + 1;
    order[at++] = row;
    push(row);
  }
  for (let i = count - 1; i >= 0; i--) {
    const row = order[i]!;
    const parent = parents[row]!;
    if (parent >= 0 && leave[parent]! < leave[row]!) leave[parent] = leave[row]!;
  }
  return { children, order, depth, enter, leave };
}

export function isAncestor(tree: TreeOrder, ancestor: number, row: number): boolean {
  return tree.enter[ancestor]! <= tree.enter[row]! && tree.enter[row]! < tree.leave[ancestor]!;
}
