import type { Project, Root } from '@stemma/api/schemas';

/** A root with its projects, for the left column. */
export interface Place {
  readonly root: Root;
  readonly projects: readonly Project[];
}

/** The roots in the server's order, each with its projects in the server's order (used last first). */
export function placesOf(roots: readonly Root[], projects: readonly Project[]): Place[] {
  const byRoot = new Map<string, Project[]>(roots.map((root) => [root.id, []]));
  for (const project of projects) byRoot.get(project.rootId)?.push(project);
  return roots.map((root) => ({ root, projects: byRoot.get(root.id) ?? [] }));
}
