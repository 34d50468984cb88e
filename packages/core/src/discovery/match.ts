import { logName } from '../shapes/projects.ts';

/** What a session can be called by. */
interface Named {
  id: string;
  path: string;
}

/** A file's name without `.jsonl` or `.jsonl.zstd`, of either kind of separators; of the log in a session's directory the directory's. */
function stem(path: string): string {
  const [folder = '', name = ''] = ['', ...path.split(/[/\\]/)].slice(-2);
  return logName(name) === null ? name.replace(/\.jsonl(\.zstd)?$/i, '') : folder;
}

/** What of a session `<timestamp>_<id>` names: its id, the whole name, what follows the last `_`. The better first. */
function namesOf({ id, path }: Named): string[] {
  const name = stem(path);
  return [id, name, name.slice(name.lastIndexOf('_') + 1)].map((text) => text.toLowerCase());
}

/**
 * The sessions that a text best fits, in their order: those that have it as their id, else as their file's name, else
 * behind its last `_`; else those where one of these, in the same order, begins with it. Case does not count.
 */
export function matchSessions<T extends Named>(arg: string, sessions: readonly T[]): T[] {
  const wanted = arg.toLowerCase();
  let best = Number.POSITIVE_INFINITY;
  let found: T[] = [];
  if (wanted === '') return found;
  for (const session of sessions) {
    const names = namesOf(session);
    const exact = names.indexOf(wanted);
    const prefix = names.findIndex((name) => name.startsWith(wanted));
    const rank = exact >= 0 ? exact : prefix >= 0 ? names.length + prefix : Number.POSITIVE_INFINITY;
    if (rank < best) {
      best = rank;
      found = [];
    }
    if (rank === best && rank < Number.POSITIVE_INFINITY) found.push(session);
  }
  return found;
}
