import type { Problem, Root } from '@stemma/api/schemas';

/** A line of the problems dialog: a folder, or one problem in it. */
export type ProblemItem =
  | { readonly kind: 'root'; readonly root: Root }
  | { readonly kind: 'problem'; readonly problem: Problem; readonly path: string | null };

/** Every problem of every root in one flat list, under its folder. Paths are told from the folder on. */
export function problemItems(roots: readonly Root[]): ProblemItem[] {
  const items: ProblemItem[] = [];
  for (const root of roots) {
    if (root.problems.length === 0) continue;
    items.push({ kind: 'root', root });
    for (const problem of root.problems) items.push({ kind: 'problem', problem, path: insideRoot(problem.path, root.path) });
  }
  return items;
}

/** The path from the root on; null for the root itself; other paths as they are. */
function insideRoot(path: string | undefined, root: string): string | null {
  if (path === undefined || path === root) return null;
  const separator = path.startsWith(root) ? path.charAt(root.length) : '';
  return separator === '/' || separator === '\\' ? path.slice(root.length + 1) : path;
}
