import { logName } from '../shapes/projects.ts';
/** What is known of a session's descent. */
export interface LineageSource {
  /** Unique among all. */
  key: string;
  rootId: string;
  /** Id in the header. */
  id: string | null;
  path: string;
  /** A session id or a path, as the writer liked. */
  parentSession: string | null;
  /** Key of the session in whose folder it lies. */
  ownerKey: string | null;
}

/**
 * Session → the session that it comes from, or null: the one in whose folder it lies, else the one that its header
 * names by id or by path. A session is looked for in the same root first. Where several have the id the first one
 * counts; a path whose file is not there is nobody's, unless exactly one file of the root has its name (folders of
 * sessions get moved and copied). Circles are cut at their first session in the order given.
 */
export function lineageOf(sessions: readonly LineageSource[]): Map<string, string | null> {
  const index = new LineageIndex(sessions);
  const parents = new Map<string, string | null>();
  for (const session of sessions) {
    const parent = session.ownerKey ?? index.parentOf(session);
    parents.set(session.key, parent === session.key ? null : parent);
  }
  cutCircles(sessions, parents);
  return parents;
}

class LineageIndex {
  readonly #byPath = new Map<string, string>();
  /** Of one root and of all, by id. */
  readonly #byId = new Map<string, string>();
  /** null: several. */
  readonly #byName = new Map<string, string | null>();

  constructor(sessions: readonly LineageSource[]) {
    for (const { key, rootId, id, path } of sessions) {
      setFirst(this.#byPath, slashes(path), key);
      const name = inRoot(rootId, nameOf(path));
      this.#byName.set(name, this.#byName.has(name) ? null : key);
      if (id === null || id === '') continue;
      setFirst(this.#byId, inRoot(rootId, id), key);
      setFirst(this.#byId, id, key);
    }
  }

  parentOf({ rootId, parentSession }: LineageSource): string | null {
    if (parentSession === null || parentSession === '') return null;
    // Some writers take ids that look like paths.
    const named = this.#byId.get(inRoot(rootId, parentSession)) ?? this.#byId.get(parentSession);
    if (named !== undefined || !isPath(parentSession)) return named ?? null;
    return this.#byPath.get(slashes(parentSession)) ?? this.#byName.get(inRoot(rootId, nameOf(parentSession))) ?? null;
  }
}

function setFirst(map: Map<string, string>, name: string, key: string): void {
  if (!map.has(name)) map.set(name, key);
}

const inRoot = (rootId: string, name: string): string => `${rootId}\u0000${name}`;
const slashes = (path: string): string => path.replaceAll('\\', '/');
const isPath = (reference: string): boolean => /[/\\]/.test(reference) || reference.endsWith('.jsonl');

/** What a session is called among others: its file, or its directory where all files have one name. */
function nameOf(path: string): string {
  const parts = slashes(path).split('/');
  const file = parts.at(-1) ?? '';
  return logName(file) === null ? file : (parts.at(-2) ?? file);
}

function cutCircles(sessions: readonly LineageSource[], parents: Map<string, string | null>): void {
  const walked = new Map<string, string>();
  for (const { key: start } of sessions) {
    let at: string | null = start;
    while (at !== null && !walked.has(at)) {
      walked.set(at, start);
      at = parents.get(at) ?? null;
    }
    if (at !== null && walked.get(at) === start) parents.set(at, null);
  }
}
