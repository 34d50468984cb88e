import { childCount, type Children } from './children.ts';

/** A chain of single children, drawn as one capsule. */
export interface Run {
  /** First and last row of the chain. */
  first: number;
  last: number;
  /** Entries in it. */
  length: number;
  /** Index of the run that it continues, -1 for roots. */
  parent: number;
}

export interface Runs {
  runs: Run[];
  /** Row → index of its run. */
  runOf: Int32Array;
}

/**
 * Collapses single-child chains. `isStop(row)` ends a run after that row (compactions and labels should stand
 * alone, say): the row becomes a run of its own. Linear, no recursion; runs come parents first.
 */
export function collapseRuns(
  parents: ArrayLike<number>,
  children: Children,
  isStop: (row: number) => boolean = () => false,
): Runs {
  const runs: Run[] = [];
  const runOf = new Int32Array(parents.length).fill(-1);
  const stack: number[] = [];
  const pushChildren = (row: number): void => {
    const from = children.start[row + 1]!;
    for (let i = children.start[row + 2]! - 1; i >= from; i--) stack.push(children.list[i]!);
  };
  pushChildren(-1);
  while (stack.length > 0) {
    const first = stack.pop()!;
    const parentRow = parents[first]!;
    const index = runs.length;
    let last = first;
    let length = 1;
    runOf[first] = index;
    while (!isStop(last) && childCount(children, last) === 1) {
      const next = children.list[children.start[last + 1]!]!;
      if (isStop(next)) break;
      last = next;
      runOf[last] = index;
      length++;
    }
    runs.push({ first, last, length, parent: parentRow < 0 ? -1 : runOf[parentRow]! });
    pushChildren(last);
  }
  return { runs, runOf };
}
