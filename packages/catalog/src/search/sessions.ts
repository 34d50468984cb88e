import type { Database, Statement } from 'better-sqlite3';

import { fold } from '../query/fold.ts';
import type { FilterTerm } from '../query/query.ts';

/** What filters ask of sessions. */
export interface SessionFacts {
  id: number;
  key: string;
  root: string;
  cwd: string | null;
  title: string | null;
  /** The id that its agent gave it. */
  native: string | null;
  /** Names of its models, each between line feeds. */
  models: string;
}

const COLUMNS = 'id, key, root, cwd, title, native, models';

/** The sessions of a catalog as filters see them. */
export class SessionIndex {
  readonly #all: Statement<[], SessionFacts>;
  readonly #one: Statement<[number], SessionFacts>;
  readonly #bits: Statement<[number], { active: Buffer | null; folded: Buffer | null }>;

  constructor(db: Database) {
    this.#all = db.prepare(`SELECT ${COLUMNS} FROM session`);
    this.#one = db.prepare(`SELECT ${COLUMNS} FROM session WHERE id = ?`);
    this.#bits = db.prepare('SELECT active, folded FROM session WHERE id = ?');
  }

  get(id: number): SessionFacts | undefined {
    return this.#one.get(id);
  }

  /** Ids of the sessions that a filter means; null where it is not about sessions. */
  matching(filter: FilterTerm): number[] | null {
    const test = testOf(filter);
    if (test === null) return null;
    const ids: number[] = [];
    for (const session of this.#all.iterate()) if (test(session)) ids.push(session.id);
    return ids;
  }

  /** Where an entry stands: on the way to the leaf, in what the model no longer sees of it, or on another branch. */
  branchOf(session: number, row: number): 'active' | 'abandoned' | 'compacted' {
    const bits = this.#bits.get(session);
    if (bits === undefined || row < 0) return 'active';
    if (bits.active !== null && !isSet(bits.active, row)) return 'abandoned';
    return bits.folded !== null && isSet(bits.folded, row) ? 'compacted' : 'active';
  }
}

/** Bit `row` of a set, that of row 0 first. */
function isSet(bits: Uint8Array, row: number): boolean {
  return ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0;
}

function testOf({ name, value }: FilterTerm): ((session: SessionFacts) => boolean) | null {
  const wanted = fold(value).text;
  const has = (text: string | null): boolean => text !== null && fold(text).text.includes(wanted);
  switch (name) {
    case 'project':
      return ({ cwd }) => has(cwd === null ? null : (cwd.split(/[/\\]/).findLast((part) => part !== '') ?? ''));
    case 'cwd':
      return ({ cwd }) => has(cwd);
    case 'root':
      return ({ root }) => has(root);
    case 'model':
      return ({ models }) => has(models);
    case 'session':
      return ({ key, native, title }) => key === value || native?.startsWith(value) === true || has(title);
    default:
      return null;
  }
}
