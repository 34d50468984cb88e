import { createHash } from 'node:crypto';

import type { Project } from '../schemas/roots.ts';
import type { SearchableRow } from './query.ts';

/** The id of the sessions of a root that were held in one working directory (or in none that is known). */
export function projectId(rootId: string, cwd: string | null): string {
  const hash = createHash('sha256')
    .update(cwd ?? '\0')
    .digest('hex');
  return `${rootId}~${hash.slice(0, 12)}`;
}

/** Projects of all rows, the one used last first. */
export function projectsOf(rows: Iterable<SearchableRow>): Project[] {
  const projects = new Map<string, Project>();
  for (const { row, project: id } of rows) {
    const project = projects.get(id);
    if (project === undefined) {
      const { rootId, cwd, modified } = row;
      projects.set(id, { id, rootId, cwd, label: row.cwdLabel ?? '', sessionCount: 1, modified });
    } else {
      project.sessionCount++;
      project.modified = later(project.modified, row.modified);
    }
  }
  return [...projects.values()].sort((a, b) => (b.modified ?? 0) - (a.modified ?? 0) || (a.id < b.id ? -1 : 1));
}

function later(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
